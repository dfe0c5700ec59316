// Adds what a company is missing from contract/built-in/objects.ts. What it already has is left alone, even if it was relabeled,
// moved or archived.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import {
  type BuiltInObject,
  builtIn,
  builtInLooks,
  builtInVersion,
  filesField,
} from '../../../contract/built-in/objects.ts'
import { fold } from '../../../contract/filter/index.ts'
import { own } from '../../../contract/shared/own.ts'
import { insertingJson, Params, run } from '../../kernel/statement.ts'
import { type Db, transaction } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import { addFirstPipelines } from '../built-in/deals/first-pipelines.ts'
import { type Field, holdSchema, type ObjectSchema, readSchema, type Schema } from '../schema/schema.ts'
import { addFirstChoices } from './first-choices.ts'
import { freeSlot } from './slots.ts'

export type Desired = { version: number; objects: Record<string, BuiltInObject> }
type BuiltInField = BuiltInObject['fields'][number]

const current: Desired = { version: builtInVersion, objects: builtIn }

/** Each company in its own transaction, so that an interrupted start continues next time. */
export async function updateAllBuiltIn(db: Db, log: Pick<Log, 'warn'>, desired = current) {
  const outdated = db.selectFrom('companies').select('id').where('built_in_version', '<', desired.version)
  let updated = 0
  for (const { id } of await outdated.orderBy('id').execute()) {
    try {
      if (await transaction(db, (tx) => updateBuiltIn(tx, id, desired))) updated++
    } catch (error) {
      // A failure in one company must not affect the others.
      log.warn({ err: error, company_id: id }, 'the built-in objects of a company could not be updated; will retry')
    }
  }
  return updated
}

/** Inside a transaction. Returns whether there was anything to do; another process may have been first. */
export async function updateBuiltIn(db: Db, company_id: string, desired = current) {
  await holdSchema(db, company_id)
  const { built_in_version: version } = await db
    .selectFrom('companies')
    .select('built_in_version')
    .where('id', '=', company_id)
    .executeTakeFirstOrThrow()
  if (version >= desired.version) return false
  const schema = await withObjects(db, company_id, desired)
  const isNew = !schema.builtIn.get('deals')?.builtIn.has('stage')
  await insertRows(db, company_id, 'fields', [
    ...newFields(schema, desired),
    ...newFilesFields(schema, desired, version),
  ])
  for (const { id, options } of newOptions(schema, desired, version))
    await db
      .updateTable('fields')
      .set({ options: JSON.stringify(options) })
      .where('company_id', '=', company_id)
      .where('id', '=', id)
      .execute()
  for (const { id, default_value } of newDefaults(schema, desired, version))
    await db
      .updateTable('fields')
      .set({ default_value: JSON.stringify(default_value) })
      .where('company_id', '=', company_id)
      .where('id', '=', id)
      .execute()
  await addFirstPipelines(db, company_id, isNew)
  await addFirstChoices(db, company_id, (key) => startOptions(desired, key))
  await sql`update companies set built_in_version = ${desired.version}, schema_version = schema_version + 1
    where id = ${company_id}`.execute(db)
  return true
}

/** Adds missing objects and returns the schema with all of them. */
async function withObjects(db: Db, company_id: string, desired: Desired) {
  const found = await readSchema(db, company_id)
  const isUnnamed = [...found.objects.values()].some((object) => object.is_built_in && object.built_in_key === null)
  if (isUnnamed) await nameBuiltIn(db, company_id)
  const schema = isUnnamed ? await readSchema(db, company_id) : found
  const missing = newObjects(schema, desired)
  await insertRows(db, company_id, 'objects', missing)
  return missing.length ? readSchema(db, company_id) : schema
}

/** For objects that a process of an earlier version created after the migration. */
async function nameBuiltIn(db: Db, company_id: string) {
  for (const table of ['objects', 'fields'] as const)
    await sql`update ${sql.table(table)} set built_in_key = key
      where company_id = ${company_id} and is_built_in and built_in_key is null`.execute(db)
}

function newObjects({ objects, builtIn: known }: Schema, desired: Desired) {
  const all = [...objects.values()]
  const taken = namesOf(all)
  const first = nextPosition(all)
  const order = Object.keys(builtInLooks)
  return Object.entries(desired.objects)
    .filter(([key]) => !known.has(key))
    .toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b))
    .map(([built_in_key, { label, label_plural }], i) => ({
      id: randomUUIDv7(),
      key: freeName(taken, built_in_key, '_'),
      label: freeName(taken, label, ' '),
      label_plural: freeName(taken, label_plural, ' '),
      ...(own(builtInLooks, built_in_key) ?? { icon: 'box', color: 'gray' }),
      is_built_in: true,
      built_in_key,
      position: first + i,
    }))
}

function newFields(schema: Schema, desired: Desired) {
  const ofTheirs = namesOf([...schema.objects.values()].filter(({ built_in_key }) => built_in_key === null))
  return Object.entries(desired.objects).flatMap(([built_in_key, { fields }]) => {
    const object = schema.builtIn.get(built_in_key)!
    const missing = fields.filter(({ key }) => !object.builtIn.has(key))
    if (!missing.length) return []
    const all = [...object.fields, ...object.archivedFields]
    // Objects too: in a filter, the key of an object that links here is the name of a reverse relation.
    const taken = new Set([...ofTheirs, ...namesOf(all)])
    const slots = new Set(all.flatMap(({ slot }) => slot ?? []))
    const first = nextPosition(all)
    return missing.map((field, i) => {
      const slot = freeSlot(field.type, field.is_multi ?? false, slots)
      if (slot) slots.add(slot)
      return { ...fieldRow(schema, object, field, taken), slot, position: first + i }
    })
  })
}

/** Objects of a company's own have files since this version. */
const filesVersion = 9

function newFilesFields(schema: Schema, desired: Desired, version: number) {
  if (version >= filesVersion || desired.version < filesVersion) return []
  const taken = namesOf([...schema.objects.values()])
  return [...schema.objects.values()]
    .filter(({ built_in_key }) => built_in_key === null)
    .map((object) => {
      const all = [...object.fields, ...object.archivedFields]
      const row = fieldRow(schema, object, filesField, new Set([...taken, ...namesOf(all)]))
      return { ...row, is_built_in: false, built_in_key: null, slot: null, position: nextPosition(all) }
    })
}

function fieldRow(schema: Schema, object: ObjectSchema, field: BuiltInField, taken: Set<string>) {
  const { key, label, options = null, to_objects = null, default_value = null, default_since: _, ...rest } = field
  return {
    id: randomUUIDv7(),
    object_id: object.id,
    description: '',
    is_multi: false,
    is_required: false,
    is_unique: false,
    is_read_only: false,
    is_built_in: true,
    built_in_key: key,
    ...rest,
    key: freeName(taken, key, '_'),
    label: freeName(taken, label, ' '),
    options: options?.map(plainOption) ?? null,
    to_objects: to_objects?.map((to) => schema.builtIn.get(to)!.key) ?? null,
    default_value,
  }
}

const plainOption = ({ since: _, ...option }: NonNullable<BuiltInField['options']>[number]) => option

/** Of a field of deals. */
const startOptions = ({ objects }: Desired, key: string) =>
  objects.deals?.fields.find((field) => field.key === key)?.options?.map(plainOption) ?? []

/** Only options added since the company's version, because it may have removed older ones. */
function newOptions(schema: Schema, desired: Desired, version: number) {
  return Object.entries(desired.objects).flatMap(([built_in_key, { fields }]) =>
    fields.flatMap(({ key, options = [] }) => {
      const field: Field | undefined = schema.builtIn.get(built_in_key)?.builtIn.get(key)
      const known = field?.options ?? []
      const isNew = (option: { key: string; since?: number }) =>
        (option.since ?? 1) > version && !known.some((one) => one.key === option.key)
      const added = options.filter(isNew).map(plainOption)
      if (!field || !added.length) return []
      const taken = namesOf(known)
      const named = added.map((option) => ({ ...option, label: freeName(taken, option.label, ' ') }))
      return [{ id: field.id, options: [...known, ...named] }]
    }),
  )
}

/** Only for fields without a default, because a company may have chosen one. */
function newDefaults(schema: Schema, desired: Desired, version: number) {
  return Object.entries(desired.objects).flatMap(([built_in_key, { fields }]) =>
    fields.flatMap(({ key, default_value, default_since = 1 }) => {
      const field = schema.builtIn.get(built_in_key)?.builtIn.get(key)
      const isNew = field && default_since > version && (field.default_value ?? null) === null
      return isNew ? [{ id: field.id, default_value }] : []
    }),
  )
}

/** The folded names that filters and values can use for these. */
const namesOf = (all: { key: string; label: string; label_plural?: string }[]) =>
  new Set(all.flatMap(({ key, label, label_plural }) => [key, label, label_plural ?? label].map(fold)))

/** The name, with a number appended if it is taken. */
function freeName(taken: Set<string>, name: string, joiner: string) {
  let free = name
  for (let n = 2; taken.has(fold(free)); n++) free = `${name}${joiner}${n}`
  return free
}

const nextPosition = (all: { position: number }[]) => Math.max(-1, ...all.map(({ position }) => position)) + 1

async function insertRows(db: Db, company_id: string, table: 'objects' | 'fields', rows: object[]) {
  if (!rows.length) return
  const params = new Params()
  const owned = rows.map((row) => ({ ...row, company_id }))
  await run(db, insertingJson(table, owned)(params), params)
}
