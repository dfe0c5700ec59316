// What the rows of a file are, by its headers, its name and what is in it.

import { isNameOf, objectIn, readHeader } from '../csv/headers.ts'
import { titleKeys, titleTarget } from '../csv/mapping.ts'
import { suggestFields } from '../csv/suggest-fields.ts'
import type { Place } from '../csv/targets.ts'
import type { ObjectSchema } from '../schema/schema.ts'

type File = { name: string; columns: string[]; cells: string[][] }

/** The best of the objects, or none if the columns fit none of them. */
export function detectObject(place: Omit<Place, 'object'>, candidates: ObjectSchema[], file: File) {
  const scored = candidates.map((object) => ({ object, score: scoreOf({ ...place, object }, file) }))
  const [best] = scored.toSorted((a, b) => b.score - a.score)
  return best && best.score >= least ? best.object : undefined
}

const least = 2
/** A name says more than a column that several objects have. */
const named = 3

function scoreOf(place: Place, { name, columns, cells }: File) {
  const { object, objects } = place
  const headers = columns.map((column) => readHeader(column, objects))
  const prefixed = headers.filter(({ of }) => of?.key === object.key).length
  const foreign = headers.filter(({ of }) => of && of.key !== object.key).length
  const suggestions = suggestFields(place, columns, cells)
  const fields = new Set(suggestions.flatMap(({ field, suggested_by }) => (suggested_by === 'header' && field) || []))
  const required = object.fields.filter(({ is_required, is_read_only }) => is_required && !is_read_only)
  const titles = [titleTarget(object), ...titleKeys(object)]
  const lacksTitle = titleKeys(object).length > 0 && !titles.some((key) => key !== undefined && fields.has(key))
  const ownId = headers.some(({ words }) =>
    words.some((word) => /id$/.test(word) && isNameOf(object, word.slice(0, -2))),
  )
  return (
    fields.size +
    (objectIn(name, objects)?.key === object.key ? named : 0) +
    (prefixed > foreign ? named : 0) +
    (ownId ? 1 : 0) -
    (lacksTitle ? named : 0) -
    required.filter(({ key }) => !fields.has(key)).length
  )
}
