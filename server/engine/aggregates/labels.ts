// What the keys of groups are called, and the filter that selects the records of each.

import { comparableText } from '../../../contract/filter/comparable.ts'
import type { Condition, Filter, Value } from '../../../contract/filter/index.ts'
import { countryName, isCountry } from '../../../contract/regions/countries.ts'
import { Params, run } from '../../kernel/statement.ts'
import { linkedTitlesOf } from '../names/find-titles.ts'
import { userNames } from '../names/user-names.ts'
import { foldedTitle } from '../read/page.ts'
import { readable } from '../rights/rights.ts'
import { isCut } from '../values/to-row.ts'
import { objectsAt } from './keys.ts'
import type { Grouping } from './measured.ts'
import { periodFilter, periodLabel } from './periods.ts'
import { type Asking, type Dimension, isList } from './question.ts'

export type Key = string | number | boolean | null
/** `filter`: undefined if no filter can select exactly these records. `place`: sorts the groups by key. */
export type Named = { key: Key; label: string | null; filter: Filter | undefined; place: number | string }

/** What each key of a grouping stands for. */
export async function named(asking: Asking, grouping: Grouping, keys: (string | null)[]) {
  const { dimension } = grouping
  const given = [...new Set(keys)].filter((key) => key !== null)
  const labels = await labelsOf(asking, dimension, given)
  const all = new Map<string | null, Named>()
  for (const key of given) all.set(key, nameOf(asking, grouping, key, labels.get(key)))
  all.set(null, { key: null, label: null, filter: emptyFilter(dimension), place: '' })
  return all
}

function nameOf(asking: Asking, { dimension, buckets }: Grouping, key: string, found: string | undefined): Named {
  const { path, field, period } = dimension
  if (period && buckets) {
    const day = buckets.dayOf(key)
    const zone = field.type === 'datetime' ? asking.schema.time_zone : undefined
    return { key: day, label: periodLabel(day, period), filter: periodFilter(path, day, period, zone), place: day }
  }
  const is = (value: Value): Filter => isField(dimension, path, value)
  if (field.type === 'number')
    return { key: Number(key), label: String(Number(key)), filter: is(Number(key)), place: Number(key) }
  if (field.type === 'boolean') {
    const value = key === 'true'
    return { key: value, label: value ? 'Yes' : 'No', filter: is(value), place: value ? 0 : 1 }
  }
  if (field.options) {
    const place = field.options.findIndex((option) => option.key === key)
    const filter = place < 0 ? undefined : is(key)
    return { key, label: field.options[place]?.label ?? key, filter, place: place < 0 ? field.options.length : place }
  }
  if (field.type === 'user' || field.type === 'relation')
    return { key, label: found ?? null, filter: is(key), place: found ?? '' }
  if (field.type === 'country') {
    const country = isCountry(key.toUpperCase()) ? key.toUpperCase() : key
    const name = countryName(country, 'en')
    return { key: country, label: name, filter: textFilter(is, dimension, country), place: name }
  }
  if (isCut(key)) return { key, label: key, filter: { field: path, op: 'starts_with', value: key }, place: key }
  const text = found ?? key
  return { key: text, label: text, filter: textFilter(is, dimension, text), place: key }
}

const isField = ({ field }: Dimension, path: string, value: Value): Condition =>
  field.type === 'multi_select' || field.many
    ? { field: path, op: 'has_any', value: [value] }
    : { field: path, op: 'eq', value }

/** A text without a letter or digit, such as a phone number "-", cannot be asked for. */
const textFilter = (is: (value: Value) => Filter, { field }: Dimension, text: string) =>
  comparableText(field.type, text) === '' ? undefined : is(text)

/** Yes and no have no "is empty". */
function emptyFilter({ path, field }: Dimension): Filter {
  if (field.type !== 'boolean') return { field: path, op: 'is_empty' }
  return { and: [true, false].map((value): Filter => ({ field: path, op: 'ne', value })) }
}

/** The names of users, the titles of records and the spelling of texts, as far as the caller may read them. */
async function labelsOf(asking: Asking, dimension: Dimension, keys: string[]): Promise<Map<string, string>> {
  const { context, schema } = asking
  const { field, part } = dimension
  if (part) return new Map()
  if (field.type === 'user') return userNames(context, keys)
  if (field.type === 'relation')
    return new Map((await linkedTitlesOf(context, schema, keys)).map(({ id, title }) => [id, title]))
  if (!['text', 'email', 'phone', 'url'].includes(field.type) || isList(field)) return new Map()
  return spellings(asking, dimension, keys)
}

/** Texts are grouped regardless of case and accents. Reads how the first record of each group writes it. */
async function spellings(asking: Asking, dimension: Dimension, keys: string[]): Promise<Map<string, string>> {
  const { actor, context } = asking
  const found = new Map<string, string>()
  for (const object of objectsAt(asking, dimension)) {
    const own = object.byKey.get(dimension.field.key)
    const isTitle = dimension.field.system?.key === 'title'
    const column = isTitle ? foldedTitle('r') : own?.slot && `r.${own.slot}`
    if (!column) continue
    const params = new Params()
    const value = isTitle ? 'r.title' : `r.values ->> ${params.add(own!.key, 'text')}`
    const limit = readable(actor, object, 'r', params)
    const conditions = [
      `r.company_id = ${params.add(actor.company_id, 'uuid')}`,
      `r.object_id = ${params.add(object.id, 'uuid')}`,
      'r.deleted_at is null',
      ...(limit ? [limit] : []),
    ]
    const rows = await run<{ key: string; text: string | null }>(
      context.db,
      `select w.key, (select ${value} from records r where ${conditions.join(' and ')} and ${column} = w.key limit 1) as text
        from unnest(${params.add(
          keys.filter((key) => !isCut(key)),
          'text[]',
        )}) w(key)`,
      params,
    )
    for (const { key, text } of rows) if (text !== null && !found.has(key)) found.set(key, text)
  }
  return found
}
