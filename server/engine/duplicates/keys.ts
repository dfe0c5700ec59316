// Records that may be the same share a key, so that no record is ever compared with all others.
import { isDeepStrictEqual } from 'node:util'
import { own } from '../../../contract/shared/own.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { Field, ObjectSchema } from '../schema/schema.ts'
import type { Values } from '../values/from-row.ts'
import { textTypes } from '../values/title.ts'
import { type Facts, foldedEmail, foldedPhone } from './compare.ts'
import { factsOf, kindOf } from './facts.ts'
import { companyWords, personWords, stemOfName, stemsOf } from './names.ts'

/** Increase it with every change of what is compared or what keys there are: the keys of all records are made again. */
export const duplicateVersion = 1

const mostWords = 8

/** `weight`: how much it says that two records share this key. Those that share less than this are not compared. */
export const leastWeight = 2
export type DuplicateKey = { key: string; weight: number }

/** Of a record as it is stored; none if records of this object are not compared. */
export const storedKeys = (object: ObjectSchema, values: Values) =>
  kindOf(object) ? keysOf(object, factsOf(object, values, true)).map(({ key }) => key) : []

export function keysOf(object: ObjectSchema, facts: Facts): DuplicateKey[] {
  const kind = kindOf(object)
  const isPerson = kind === 'people'
  const words = (isPerson ? personWords : companyWords)(facts.name).slice(0, mostWords)
  // "Bauer Anna" and "Anna Bauer", "Face book" and "Facebook".
  const names = words.length ? [...new Set([[...words].sort().join(''), words.join('')])] : []
  // Many colleagues have the same first name, and many companies a word such as "bakery".
  const longest = words.reduce((most, word) => (word.length > most.length ? word : most), '')
  const given = words.length > 1 && !facts.name.includes(',') ? words[0] : undefined
  const saysMuch = (word: string) => (isPerson ? word !== given : word === longest)
  const each = (weight: number, ...parts: string[]) => [{ weight, text: parts.join(' ') }]
  const found =
    kind === 'deals'
      ? names.flatMap((name) => (facts.organization ? each(leastWeight, 'deal', facts.organization, name) : []))
      : [
          ...facts.emails.flatMap((email) => each(5, 'mail', foldedEmail(email))),
          ...facts.phones.flatMap((phone) => each(3, 'phone', foldedPhone(phone))),
          ...names.flatMap((name) => each(3, 'name', name)),
          ...(isPerson
            ? [facts.organization, ...facts.domains, facts.birthday].flatMap((place) =>
                place
                  ? [
                      ...each(2, 'near', place, stemOfName(facts.name)),
                      ...words.flatMap((word) =>
                        stemsOf(word).flatMap((stem) => each(saysMuch(word) ? 2 : 1, 'near', place, stem)),
                      ),
                    ]
                  : [],
              )
            : facts.domains.flatMap((domain) => each(4, 'domain', domain))),
          ...(!isPerson && facts.city
            ? words.flatMap((word) => each(saysMuch(word) ? 2 : 1, 'city', facts.city!, word))
            : []),
        ]
  const byKey = new Map(found.map(({ weight, text }) => [hashed(object.id, text), weight]))
  return [...byKey].map(([key, weight]) => ({ key, weight }))
}

/** 64 bits, as PostgreSQL's bigint: shorter than the text, and the table contains no names or addresses. */
const hashed = (object_id: string, text: string) => sha256(`${object_id} ${text}`).readBigInt64BE().toString()

const comparedBuiltIns = new Set([
  'first_name',
  'last_name',
  'name',
  'organization',
  'company_name',
  'city',
  'birthday',
  'website',
  'domains',
])

/** Whether a change concerns what is compared. Most do not, and need no new keys. */
export function changesComparison(object: ObjectSchema, before: Values, after: Values) {
  if (!kindOf(object)) return false
  const isCompared = ({ type, built_in_key }: Field) =>
    type === 'email' ||
    type === 'phone' ||
    (object.built_in_key ? comparedBuiltIns.has(built_in_key ?? '') : textTypes.has(type))
  return [...object.fields, ...object.archivedFields].some(
    (field) => isCompared(field) && !isDeepStrictEqual(own(before, field.key), own(after, field.key)),
  )
}
