// Turns the lost reason and the source of deals from texts into choices, once per company: the texts that deals have most
// become the options. The values of the records follow by a job (records/reindex.ts), because there may be many.
import { sql } from 'kysely'
import { mostOpenOptions, openChoices } from '../../../contract/built-in/objects.ts'
import {
  type Condition,
  type Filter,
  fold,
  hasFaults,
  parse,
  print,
  type Value,
} from '../../../contract/filter/index.ts'
import type { FieldOption } from '../../../contract/objects.ts'
import type { Widget } from '../../../contract/shared/widget.ts'
import type { Db } from '../../platform/db.ts'
import { type Field, type ObjectSchema, readSchema, type Schema } from '../schema/schema.ts'
import { isLabel, optionLike, withNewOptions } from './options.ts'

type Choice = { object: ObjectSchema; field: Field; options: FieldOption[] }
type CompanySchema = { db: Db; company_id: string; schema: Schema }

/** In the transaction that updates the built-in objects. `starts`: the options of new companies, by field. */
export async function addFirstChoices(db: Db, company_id: string, starts: (key: string) => FieldOption[]) {
  const place = { db, company_id, schema: await readSchema(db, company_id) }
  const texts = textFields(place.schema)
  if (!texts.length) return
  await sql`set local statement_timeout = 0`.execute(db)
  const filters = await storedFilters(place)
  const choices: Choice[] = []
  for (const { object, field } of texts) {
    const used = await mostUsed(place, object, field)
    const named = filters.flatMap(({ filter, object: of }) => valuesIn(place.schema, filter, of, field))
    const given = typeof field.default_value === 'string' ? [field.default_value] : []
    const options = used.length ? optionsFrom([...given, ...used, ...named]) : starts(field.built_in_key!)
    choices.push({ object, field, options })
  }
  for (const { field, options } of choices)
    await db
      .updateTable('fields')
      .set({
        type: 'select',
        options: JSON.stringify(options),
        default_value: JSON.stringify(optionLike(options, field.default_value)?.key ?? null),
      })
      .where('company_id', '=', company_id)
      .where('id', '=', field.id)
      .execute()
  for (const stored of filters) await stored.save(withOptions(place.schema, stored.filter, stored.object, choices))
  await sql`update companies set has_text_choices = true where id = ${company_id}`.execute(db)
}

/** Those that can hold one of many records' values. A company may have made one of them unique. */
const textFields = ({ builtIn }: Schema) =>
  Object.entries(openChoices).flatMap(([key, names]) => {
    const object = builtIn.get(key)
    const fields = names.flatMap((name) => object?.builtIn.get(name) ?? [])
    return fields
      .filter(({ type, is_unique }) => type === 'text' && !is_unique)
      .map((field) => ({ object: object!, field }))
  })

/** Texts that differ in case or accents are one, written as most deals do. */
async function mostUsed({ db, company_id }: CompanySchema, object: ObjectSchema, { key }: Field) {
  const { rows } = await sql<{ text: string; count: number }>`
    select values ->> ${key} as text, count(*)::int as count from records
    where company_id = ${company_id} and object_id = ${object.id} and values ->> ${key} is not null
    group by 1 order by 2 desc, 1 limit 2000`.execute(db)
  const alike = [...Map.groupBy(rows, ({ text }) => fold(text).trim()).values()]
  const total = (some: typeof rows) => some.reduce((sum, { count }) => sum + count, 0)
  return alike.toSorted((a, b) => total(b) - total(a)).map(([most]) => most!.text)
}

const other = { key: 'other', label: 'Other' }

/** The first ones that can be labels, and Other for the rest. */
function optionsFrom(texts: string[]) {
  const labels = texts.map((text) => text.trim().replace(/\s+/g, ' ')).filter(isLabel)
  const distinct = [...Map.groupBy(labels, fold).values()].map(([first]) => first!)
  const named = distinct.filter((label) => fold(label) !== fold(other.label)).slice(0, mostOpenOptions - 1)
  const [last, ...options] = withNewOptions([other], named)
  return [...options, last!]
}

/**
 * The values of a record with options in place of texts, and the texts that no option stands for. Those become "Other", and
 * the history keeps them.
 */
export function withChoices({ built_in_key, builtIn }: ObjectSchema, values: Record<string, unknown>) {
  const replaced: Record<string, { from: string; to: string | null }> = {}
  const after = { ...values }
  for (const name of openChoices[built_in_key as 'deals'] ?? []) {
    const field = builtIn.get(name)
    const value = field && values[field.key]
    const isText = field?.type === 'select' && typeof value === 'string'
    const options = field?.options ?? []
    if (!isText || options.some(({ key }) => key === value)) continue
    const option = optionLike(options, value)
    const rest = options.find(({ key }) => key === other.key)?.key ?? null
    if (!option) replaced[field.key] = { from: value, to: rest }
    if (option || rest) after[field.key] = option?.key ?? rest
    else delete after[field.key]
  }
  return { values: after, replaced }
}

type Stored = { object: ObjectSchema | undefined; filter: Filter; save: (filter: Filter) => Promise<unknown> }

/** Of views, rules, webhooks and widgets. What cannot be parsed stays as it is. */
async function storedFilters({ db, company_id, schema }: CompanySchema): Promise<Stored[]> {
  const all: Stored[] = []
  const add = (text: unknown, object: ObjectSchema | undefined, save: (text: string) => Promise<unknown>) => {
    const parsed = typeof text === 'string' && text ? parse(text) : undefined
    if (!parsed || hasFaults(parsed)) return
    const before = print(parsed.tree)
    all.push({
      object,
      filter: parsed.tree,
      save: async (filter) => (print(filter) === before ? undefined : save(print(filter))),
    })
  }
  for (const table of ['views', 'subscriptions'] as const) {
    const rows = await db
      .selectFrom(table)
      .select(['id', 'object_id', 'filter'])
      .where('company_id', '=', company_id)
      .where('filter', 'is not', null)
      .orderBy('id')
      .execute()
    for (const { id, object_id, filter } of rows)
      add(filter, schema.byId.get(object_id ?? ''), (text) =>
        db.updateTable(table).set({ filter: text }).where('company_id', '=', company_id).where('id', '=', id).execute(),
      )
  }
  const dashboards = await db
    .selectFrom('dashboards')
    .select(['id', 'widgets'])
    .where('company_id', '=', company_id)
    .orderBy('id')
    .execute()
  for (const { id, widgets } of dashboards) {
    const list = widgets as unknown as Widget[]
    for (const widget of list) {
      const key = widget.type === 'funnel' ? schema.builtIn.get('deals')?.key : 'object' in widget ? widget.object : ''
      add('filter' in widget && widget.filter, schema.objects.get(key ?? ''), (text) => {
        Object.assign(widget, { filter: text })
        return db
          .updateTable('dashboards')
          .set({ widgets: JSON.stringify(list) })
          .where('company_id', '=', company_id)
          .where('id', '=', id)
          .execute()
      })
    }
  }
  return all
}

/** The values that the conditions on a field name whole. */
function valuesIn(schema: Schema, filter: Filter, object: ObjectSchema | undefined, field: Field) {
  const found: string[] = []
  mapConditions(schema, filter, object, (condition, { id }) => {
    if (id === field.id && condition.op in wholly) found.push(...textsOf(condition))
    return condition
  })
  return found
}

const wholly = { eq: 'in', in: 'in', ne: 'not_in', not_in: 'not_in' } as const
const partly = { contains: 'in', starts_with: 'in', ends_with: 'in', not_contains: 'not_in' } as const
const textsOf = ({ value }: Condition) => [value ?? []].flat().filter((one): one is string => typeof one === 'string')

const withOptions = (schema: Schema, filter: Filter, object: ObjectSchema | undefined, choices: Choice[]) =>
  mapConditions(schema, filter, object, (condition, field) => {
    const choice = choices.find((one) => one.field.id === field.id)
    return choice ? asChoice(condition, choice.options) : condition
  })

/** Options that a part of a text was looked for in are named one by one. */
function asChoice(condition: Condition, options: FieldOption[]): Filter {
  const { field, op } = condition
  const negated = { ...wholly, ...partly }[op as keyof typeof wholly]
  if (!negated) return condition
  const has = (label: string, text: string) => {
    if (op === 'starts_with') return label.startsWith(text)
    if (op === 'ends_with') return label.endsWith(text)
    return op in partly ? label.includes(text) : label === text
  }
  const texts = textsOf(condition).map((text) => fold(text.trim().replace(/\s+/g, ' ')))
  const keys = options.filter(({ label }) => texts.some((text) => has(fold(label), text))).map(({ key }) => key)
  if (keys.length === 1) return { field, op: negated === 'in' ? 'eq' : 'ne', value: keys[0] as Value }
  if (keys.length) return { field, op: negated, value: keys }
  const never: Filter = {
    and: [
      { field, op: 'is_empty' },
      { field, op: 'is_not_empty' },
    ],
  }
  return negated === 'in' ? never : { not: never }
}

/** `map` gets every condition together with the field that it is about. */
function mapConditions(
  schema: Schema,
  filter: Filter,
  object: ObjectSchema | undefined,
  map: (condition: Condition, field: Field) => Filter,
): Filter {
  const next = (from: ObjectSchema | undefined, name: string) => {
    const field = from?.byKey.get(name)
    const [to, ...others] = field?.to_objects ?? []
    if (field?.type === 'relation') return to && !others.length ? schema.objects.get(to) : undefined
    return schema.objects.get(name)
  }
  const walk = (one: Filter, at: ObjectSchema | undefined): Filter => {
    if ('and' in one) return { and: one.and.map((part) => walk(part, at)) }
    if ('or' in one) return { or: one.or.map((part) => walk(part, at)) }
    if ('not' in one) return { not: walk(one.not, at) }
    if ('any' in one) return { ...one, where: walk(one.where, one.any.split('.').reduce(next, at)) }
    if ('none' in one) return { ...one, where: walk(one.where, one.none.split('.').reduce(next, at)) }
    if (!('field' in one)) return one
    const names = one.field.split('.')
    const field = names.slice(0, -1).reduce(next, at)?.byKey.get(names.at(-1)!)
    return field ? map(one, field) : one
  }
  return walk(filter, object)
}
