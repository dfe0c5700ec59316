// What a filter check needs to know about a company's objects. Objects the user cannot read must be omitted.
import type { FieldType } from '../built-in/field-types.ts'
import type { Op } from './tree.ts'

export type { FieldType } from '../built-in/field-types.ts'

export type FilterField = {
  key: string
  label: string
  type: FieldType
  /** Holds several values; a condition is true if one of them matches. */
  multi?: boolean
  options?: { key: string; label: string }[]
  /** Relations: the objects they link to; empty means any. */
  to?: string[]
  /** Relations: links to many records. */
  many?: boolean
  /** Holds domains, which are compared without what may surround them: https://www.acme.com/ is acme.com. */
  domain?: true
  /** Not a field itself, but a part of the value of the field before it in the path: emails.domain, owner.name. */
  part?: 'domain' | 'name'
}

type KeptField = Pick<FilterField, 'key' | 'label' | 'type'> & {
  is_multi: boolean
  options: { key: string; label: string }[] | null
  to_objects: string[] | null
  is_built_in?: boolean | undefined
  /** Omitted if it is the same as the key. */
  built_in_key?: string | null | undefined
}

/** Converts a field of the schema. */
export function asFilterField(field: KeptField): FilterField {
  const known = filterFields.get(field) ?? made(field)
  filterFields.set(field, known)
  return known
}

/** Every value of every record is compared by its field. */
const filterFields = new WeakMap<KeptField, FilterField>()

const made = (field: KeptField): FilterField => ({
  key: field.key,
  label: field.label,
  type: field.type,
  multi: field.is_multi && field.type !== 'relation',
  ...(field.options && { options: field.options }),
  ...(field.to_objects && { to: field.to_objects }),
  many: field.type === 'relation' && field.is_multi,
  ...(isDomain(field) && { domain: true }),
})

const isDomain = ({ key, type, is_built_in, built_in_key }: KeptField) =>
  type === 'text' && is_built_in === true && (built_in_key ?? key) === 'domains'

/** `archived`: keys of archived fields. */
export type FilterObject = { key: string; label: string; fields: FilterField[]; archived?: string[] }
export type FilterObjects = Record<string, FilterObject>

/** What a filter can refer to. */
export type Scope = {
  objects: FilterObjects
  /** The object whose records are filtered. */
  root: string
  /** False for rules and webhooks, which run without a user. */
  hasCaller?: boolean
}

const emptiness = ['is_empty', 'is_not_empty'] as const
const choice: Op[] = ['eq', 'ne', 'in', 'not_in', ...emptiness]
const words: Op[] = ['eq', 'ne', 'contains', 'not_contains', 'starts_with', 'ends_with', 'in', 'not_in', ...emptiness]
const amounts: Op[] = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'between', 'in', 'not_in', ...emptiness]
const sets: Op[] = ['has_any', 'has_all', 'has_none', ...emptiness]

const byType: Record<FieldType, Op[]> = {
  text: words,
  long_text: words,
  email: words,
  phone: words,
  url: words,
  country: words,
  number: amounts,
  money: amounts,
  date: amounts,
  datetime: amounts,
  select: choice,
  user: choice,
  relation: choice,
  file: words,
  multi_select: sets,
  boolean: ['eq', 'ne'],
}

/** A domain is compared with the end of an address, so it cannot be searched for a part in the middle. */
const domains: Op[] = ['eq', 'ne', 'ends_with', 'in', 'not_in', ...emptiness]

export const operatorsOf = (field: FilterField): Op[] =>
  field.many ? sets : field.part === 'domain' ? domains : byType[field.type]

/** The parts of values that a path can end with. */
export const partsOf = (field: FilterField): FilterField[] => {
  if (field.part) return []
  if (field.type === 'user') return [{ key: 'name', label: 'Name', type: 'text', part: 'name' }]
  if (field.type !== 'email') return []
  return [{ key: 'domain', label: 'Domain', type: 'text', part: 'domain', multi: field.multi ?? false }]
}

/** Compares part of a text. */
export const isPartial = (op: Op) => partial.includes(op)
const partial: Op[] = ['contains', 'not_contains', 'starts_with', 'ends_with']

export const isText = ({ type }: FilterField) => byType[type] === words
export const isMoment = ({ type }: FilterField) => type === 'date' || type === 'datetime'

/** What a field holds, for messages: "score holds numbers". */
export const holds: Record<FieldType, string> = {
  text: 'text',
  long_text: 'text',
  email: 'email addresses',
  phone: 'phone numbers',
  url: 'web addresses',
  country: 'countries',
  number: 'numbers',
  money: 'amounts of money',
  date: 'dates',
  datetime: 'dates and times',
  select: 'one of its options',
  multi_select: 'some of its options',
  boolean: 'true or false',
  user: 'users',
  relation: 'records',
  file: 'files',
}
