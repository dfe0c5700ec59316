// Recomputes everything that is derived from the values of records, after the way to compute it has changed.
import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { openChoices } from '../../../contract/built-in/objects.ts'
import { asFilterField } from '../../../contract/filter/index.ts'
import { readDomain } from '../../../contract/shared/domains.ts'
import { own } from '../../../contract/shared/own.ts'
import { smallestId } from '../../kernel/first-id.ts'
import { inserting, insertingJson, joining, Params, run } from '../../kernel/statement.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { withChoices } from '../objects/first-choices.ts'
import { type ObjectSchema, readSchema, type Schema } from '../schema/schema.ts'
import { type Stored, storedColumns } from '../values/from-row.ts'
import { countryOf } from '../values/read-values.ts'
import { type Row, rowOf } from '../values/to-row.ts'
import { slotNames } from '../write/statements.ts'

const step = 200

/** In small batches, so that no one waits long. The entered values stay, so there is no new version or history. */
export async function reindex(
  db: Db,
  company_id: string,
  isWanted: (object: ObjectSchema) => boolean,
  isOutdated: IsOutdated = () => true,
) {
  const { objects } = await readSchema(db, company_id)
  for (const { key } of [...objects.values()].filter(isWanted))
    for (let after: string | undefined = smallestId; after; )
      after = await reindexBatch(db, company_id, key, after, isOutdated)
}

type IsOutdated = (object: ObjectSchema, row: Stored) => boolean

/** Returns the id to continue after, if there are more. */
async function reindexBatch(db: Db, company_id: string, key: string, after: string, isOutdated: IsOutdated) {
  return transaction(db, async (tx) => {
    // Read and locked for each batch, because rates and fields may change while this runs.
    await sql`select pg_advisory_xact_lock_shared(hashtextextended(${company_id}::uuid::text, 1))`.execute(tx)
    const schema = await readSchema(tx, company_id)
    const object = schema.objects.get(key)!
    const params = new Params()
    const rows = await run<Stored>(
      tx,
      `select ${storedColumns} from records r where r.company_id = ${params.add(company_id, 'uuid')}
        and r.object_id = ${params.add(object.id, 'uuid')} and r.id > ${params.add(after, 'uuid')}
        order by r.id limit ${step} for update`,
      params,
    )
    const outdated = rows.filter((row) => isOutdated(object, row))
    if (outdated.length) await write(tx, company_id, schema, object, outdated)
    return rows.length === step ? rows.at(-1)!.id : undefined
  })
}

async function write(tx: Db, company_id: string, schema: Schema, object: ObjectSchema, rows: Stored[]) {
  const computed = rows.map((row) => {
    const { values, replaced } = withChoices(object, asReadNow(schema, object, row.values))
    return { stored: { ...row, values }, row: rowOf(schema, object, values), replaced }
  })
  await noteReplaced(tx, company_id, object, computed)
  const fresh = computed.map(({ stored: { id, values }, row: { match, search, title, slots } }) => {
    return { id, company_id, values, match, search, title, ...slots }
  })
  const slots = slotNames.filter((name) => name in fresh[0]!)
  const set = ['values', 'match', 'search', 'title', ...slots].map((name) => `${name} = x.${name}`).join(', ')
  const params = new Params()
  const { from, where } = joining('records', fresh, { id: 'uuid' }, params)
  await run(tx, `update records t set ${set} from ${from} where ${where}`, params)
  await writeUniques(tx, company_id, computed)
}

/** Countries and domains used to be plain text. What is known as one is replaced by its plain form; other text is kept. */
function asReadNow(schema: Schema, object: ObjectSchema, values: Stored['values']) {
  const countries = object.fields.filter(({ key, type }) => type === 'country' && typeof values[key] === 'string')
  const domains = object.fields.filter((field) => asFilterField(field).domain && Array.isArray(values[field.key]))
  const read = [
    ...countries.map(({ key }) => [key, countryOf(values[key] as string, schema)]),
    ...domains.map(({ key }) => [key, [...new Set((values[key] as string[]).map(readDomain))]]),
  ]
  return { ...values, ...Object.fromEntries(read) }
}

/** Texts that no option stands for stay readable in the history. */
async function noteReplaced(
  tx: Db,
  company_id: string,
  { key: object }: ObjectSchema,
  computed: { stored: Stored; replaced: Record<string, unknown> }[],
) {
  const noted = computed.filter(({ replaced }) => Object.keys(replaced).length)
  if (!noted.length) return
  const set = { company_id, id: randomUUIDv7(), at: new Date(), operation: 'updateRecords', door: 'automation' }
  const by = { principal_kind: 'system', principal_name: 'Kith', request_id: randomUUIDv7() }
  await tx
    .insertInto('change_sets')
    .values({ ...set, ...by })
    .execute()
  const rows = noted.map(({ stored, replaced }, position) => ({
    company_id,
    change_set_id: set.id,
    position,
    object,
    record_id: stored.id,
    action: 'updated',
    fields: replaced,
    version: stored.version,
  }))
  const params = new Params()
  await run(tx, insertingJson('changes', rows)(params), params)
}

/**
 * On a conflict the other record keeps the key, and both are noted: both values were allowed when they were entered.
 */
async function writeUniques(tx: Db, company_id: string, computed: { stored: Stored; row: Row }[]) {
  const live = computed.filter(({ stored }) => !stored.deleted_at)
  const ids = live.map(({ stored }) => stored.id)
  const known = await tx
    .selectFrom('unique_values')
    .select(['record_id', 'field_id', 'key'])
    .where('company_id', '=', company_id)
    .where('record_id', 'in', ids.length ? ids : [smallestId])
    .execute()
  const byKey = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
  const before = Map.groupBy(known, ({ record_id }) => record_id)
  for (const { stored, row } of live) {
    const had = (before.get(stored.id) ?? []).map(({ field_id, key }) => ({ field_id, key })).sort(byKey)
    const wanted = row.uniques.map(({ field_id, key }) => ({ field_id, key })).sort(byKey)
    if (isDeepStrictEqual(had, wanted)) continue
    await sql`delete from unique_values where company_id = ${company_id} and record_id = ${stored.id}`.execute(tx)
    if (!wanted.length) continue
    const params = new Params()
    const rows = wanted.map((unique) => ({ ...unique, company_id, record_id: stored.id }))
    await run(tx, `${inserting('unique_values', rows)(params)} on conflict do nothing`, params)
    await noteShared(tx, company_id, stored.id, wanted)
  }
}

/** The record and those that have kept one of its keys. */
async function noteShared(tx: Db, company_id: string, record_id: string, wanted: Row['uniques']) {
  const params = new Params()
  const company = params.add(company_id, 'uuid')
  const record = params.add(record_id, 'uuid')
  const [fields, keys] = [wanted.map(({ field_id }) => field_id), wanted.map(({ key }) => key)]
  await run(
    tx,
    `insert into duplicate_values (company_id, field_id, key, record_id)
      select ${company}, u.field_id, u.key, r.id from unnest(${params.add(fields, 'uuid[]')}, ${params.add(keys, 'text[]')}) w(field_id, key)
      join unique_values u on u.company_id = ${company} and u.field_id = w.field_id and u.key = w.key and u.record_id <> ${record}
      cross join lateral (values (${record}), (u.record_id)) r(id)
      on conflict do nothing`,
    params,
  )
}

/** Increase this when folding, comparing or storing changes. Companies with an older version are reindexed. */
export const indexVersion = 4

export async function reindexOutdated(db: Db) {
  const outdated = db.selectFrom('companies').select('id').where('index_version', '<', indexVersion)
  for (const { id } of await outdated.execute()) {
    await reindex(db, id, () => true)
    await db.updateTable('companies').set({ index_version: indexVersion }).where('id', '=', id).execute()
  }
}

/** Texts that became choices when Kith was updated. */
export async function convertChoices(db: Db) {
  const outdated = db.selectFrom('companies').select('id').where('has_text_choices', '=', true)
  const isOutdated: IsOutdated = (object, { values }) => !isDeepStrictEqual(withChoices(object, values).values, values)
  for (const { id } of await outdated.execute()) {
    await reindex(db, id, ({ built_in_key: key }) => own(openChoices, key ?? '') !== undefined, isOutdated)
    await db.updateTable('companies').set({ has_text_choices: false }).where('id', '=', id).execute()
  }
}
