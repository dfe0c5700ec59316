// What a new record asks for first, and what it can begin with.
import { isDay } from '../../../contract/filter/days.ts'
import {
  type Checked,
  type CheckedCondition,
  hasFaults,
  readFilter,
  type Scope,
} from '../../../contract/filter/index.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { builtInName } from './built-in.ts'
import { plain } from './record-cache.ts'
import type { RecordShape } from './records-api.ts'
import type { FieldShape, ObjectShape } from './schema.ts'
import type { Values } from './update-record.ts'
import { isEmpty } from './value-text.ts'

/** By the keys of the built-in fields, in the order in which people think of them. */
const keyFieldsOf: Record<string, string[]> = {
  people: ['first_name', 'last_name', 'emails', 'phones', 'organization', 'job_title'],
  organizations: ['name', 'domains', 'country', 'phone'],
  deals: ['name', 'organization', 'people', 'amount', 'stage', 'expected_close', 'owner'],
  leads: ['first_name', 'last_name', 'email', 'phone', 'company_name', 'source', 'message'],
  tasks: ['title', 'due_at', 'assignee', 'about', 'priority'],
  notes: ['body', 'about'],
  activities: ['kind', 'at', 'about', 'outcome', 'body'],
  products: ['name', 'price', 'sku'],
  deal_lines: ['deal', 'product', 'quantity', 'unit_price'],
}

/** The few that are asked where a record is created to link another one to it. */
const fewestOf: Record<string, string[]> = {
  people: ['first_name', 'last_name', 'emails', 'organization'],
  organizations: ['name', 'domains'],
  deals: ['name', 'organization', 'amount'],
  leads: ['first_name', 'last_name', 'email', 'company_name'],
  tasks: ['title', 'due_at'],
  products: ['name', 'price'],
}

const firstFew = 6

/** What matters of an object, then the rest. What is required, or has a value already, always matters. */
export function createFields(object: ObjectShape, values: Values, isShort = false) {
  const own = object.fields.filter(({ is_read_only, is_archived }) => !is_read_only && !is_archived)
  const owner = object.byKey.get('owner')
  const all = owner?.is_system ? [...own, owner] : own
  const name = builtInName(object) ?? ''
  const known = (isShort ? fewestOf : keyFieldsOf)[name]
  const listed = (known ?? []).flatMap((key) => all.find((field) => (field.built_in_key ?? field.key) === key) ?? [])
  const usual = known ? listed : firstOf(object, own, isShort)
  const others = all.filter((field) => !usual.includes(field))
  const matters = (field: FieldShape) =>
    (field.is_required && isEmpty(field.default_value)) || (!isEmpty(values[field.key]) && isEmpty(field.default_value))
  const first = [...usual, ...others.filter((field) => matters(field) && field.key !== 'owner')]
  return { first, rest: all.filter((field) => !first.includes(field)) }
}

/** Of an object that a company made: its title, then what is required, then what comes first. */
function firstOf({ titleField }: ObjectShape, fields: FieldShape[], isShort: boolean) {
  const title = fields.filter((field) => field === titleField)
  const required = fields.filter((field) => field.is_required && field !== titleField)
  const needed = [...title, ...required]
  const others = fields.filter((field) => !needed.includes(field))
  return [...needed, ...others.slice(0, Math.max(0, (isShort ? 2 : firstFew) - needed.length))]
}

/** `me` as the default of a user is the person who creates the record, who also owns it. */
export const defaultsOf = (object: ObjectShape, me: string): Values => ({
  ...Object.fromEntries(
    withDefault(object).map(({ key, type, default_value }) => [
      key,
      type === 'user' && default_value === 'me' ? me : default_value,
    ]),
  ),
  ...(object.byKey.get('owner')?.is_system && { owner: me }),
})

const withDefault = ({ fields }: ObjectShape) =>
  fields.filter(({ default_value, is_read_only }) => !isEmpty(default_value) && !is_read_only)

/** A default that was cleared in the form must not come back. */
export const clearedIn = (object: ObjectShape, values: Values): Values =>
  Object.fromEntries(
    withDefault(object)
      .filter(({ key }) => isEmpty(values[key]))
      .map(({ key }) => [key, null]),
  )

/** Only what says something: an empty field is left to the server's defaults. */
export const saidOf = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values)
      .map(([key, value]) => [key, typeof value === 'string' ? value.trim() : value] as const)
      .filter(([, value]) => !isEmpty(value)),
  )

type Caller = { me: string; currency: string }

/** What every record of a filtered list has: a new one is to be in that list. */
export function valuesFromFilter(object: ObjectShape, filter: string, scope: Scope, caller: Caller): Values {
  const read = readFilter(filter, scope)
  if (hasFaults(read)) return {}
  const parts: Checked[] = read.checked.kind === 'and' ? read.checked.parts : [read.checked]
  return Object.fromEntries(
    parts.flatMap((part) => {
      if (part.kind !== 'condition' || part.path.length > 1 || part.values.length !== 1) return []
      const field = object.byKey.get(part.path[0]!.field.key)
      const value = field && isWritable(field) ? valueIn(field, part, caller) : undefined
      return field && value !== undefined ? [[field.key, value]] : []
    }),
  )
}

const isWritable = (field: FieldShape) => !field.is_read_only && !field.is_unique && field.key !== 'title'

function valueIn(field: FieldShape, { op, values }: CheckedCondition, { me, currency }: Caller) {
  const [value] = values
  if (op === 'has_any' || op === 'has_all') return typeof value === 'string' ? [value] : undefined
  if (op !== 'eq' && op !== 'in') return undefined
  const isMe = typeof value === 'object' && 'me' in value
  const one = isMe ? me : value
  if (typeof one === 'object' || one === undefined) return undefined
  if (field.type === 'user' || field.type === 'relation') return isId(String(one)) ? one : undefined
  if (field.type === 'money') return { amount: String(one), currency }
  if (field.type === 'date') return isDay(String(one)) ? one : undefined
  return field.type === 'datetime' || field.is_multi ? undefined : one
}

type Here = { object: ObjectShape; id: string; record: RecordShape | undefined }

/** Links a new record to the one that is open, and to what that one links to: a deal to the person and their company. */
export function valuesFromRecord(object: ObjectShape, { object: from, id, record }: Here): Values {
  if (object.key === from.key) return {}
  const relations = object.fields.filter(({ type, is_read_only }) => type === 'relation' && !is_read_only)
  const linked = relations.filter(
    ({ to_objects, key }) => !key.startsWith('converted_') && (!to_objects?.length || to_objects.includes(from.key)),
  )
  const [direct] = [...linked].sort((a, b) => Number(!a.to_objects?.length) - Number(!b.to_objects?.length))
  const values: Values = direct ? { [direct.key]: direct.is_multi ? [id] : id } : {}
  if (!direct?.to_objects?.length) return values
  for (const field of relations.filter(({ is_multi, key }) => !is_multi && key !== direct.key)) {
    const same = from.fields.find((one) => one.type === 'relation' && !one.is_multi && isSame(one, field))
    const known = same && (record?.[same.key] as { id?: string } | null | undefined)
    if (known?.id) values[field.key] = known.id
  }
  return values
}

const isSame = (a: FieldShape, b: FieldShape) => a.to_objects?.length === 1 && a.to_objects[0] === b.to_objects?.[0]

type Form = { object: ObjectShape; values: Values }

/** What a record that is created in place shares with the form around it: a person in a new deal, its organization. */
export function valuesFromForm(object: ObjectShape, field: FieldShape, form: Form | undefined): Values {
  const given = form?.object.fields.filter((one) => one.type === 'relation' && !one.is_multi && one.key !== field.key)
  return Object.fromEntries(
    object.fields.flatMap((own) => {
      if (own.type !== 'relation' || own.is_read_only || own.key.startsWith('converted_')) return []
      const same = given?.find((one) => isSame(one, own))
      const id = same && plain(form?.values[same.key])
      return typeof id === 'string' && isId(id) ? [[own.key, own.is_multi ? [id] : id]] : []
    }),
  )
}
