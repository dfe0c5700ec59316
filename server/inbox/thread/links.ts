// The records that conversations are about. People and leads are found by their address, the rest through them.
import { sql } from 'kysely'
import { asFilterField, comparable } from '../../../contract/filter/index.ts'
import { raise } from '../../engine/built-in/activities/last-activity.ts'
import { builtInInUse, type Field, type ObjectSchema, type Schema } from '../../engine/schema/schema.ts'
import type { Context } from '../../kernel/context.ts'
import { insertingJson, Params, run } from '../../kernel/statement.ts'
import type { Db } from '../../platform/db.ts'

const mostDeals = 5

export const phoneNumber = /^\+\d{5,15}$/
const addressFields = {
  people: { email: 'emails', phone: 'phones' },
  leads: { email: 'email', phone: 'phone' },
} as const

/** Records with these email addresses and phone numbers, by address. The oldest comes first. */
export async function recordsWithAddress(
  db: Db,
  company_id: string,
  schema: Schema,
  object: 'people' | 'leads',
  addresses: string[],
): Promise<Map<string, string[]>> {
  const [phones, emails] = [true, false].map((wanted) => addresses.filter((one) => phoneNumber.test(one) === wanted))
  const fields = addressFields[object]
  const byEmail = await recordsWith(db, company_id, schema, { object, field: fields.email }, emails!)
  const byPhone = await recordsWith(db, company_id, schema, { object, field: fields.phone }, phones!)
  return new Map([...byEmail, ...byPhone])
}

type By = { object: 'people' | 'leads'; field: string }

async function recordsWith(
  db: Db,
  company_id: string,
  schema: Schema,
  { object: key, field: name }: By,
  addresses: string[],
): Promise<Map<string, string[]>> {
  const object = schema.builtIn.get(key)
  const field = object && !object.archived_at ? builtInInUse(object, name) : undefined
  if (!object || !field || !addresses.length) return new Map()
  const params = new Params()
  const has = hasAny(schema, field, addresses, params)
  const rows = await run<{ id: string; value: string | string[] }>(
    db,
    `select r.id, r.values -> ${params.add(field.key, 'text')} as value from records r
      where r.company_id = ${params.add(company_id, 'uuid')} and r.object_id = ${params.add(object.id, 'uuid')}
        and r.deleted_at is null and ${has}${key === 'leads' ? isOpenLead(object, params) : ''} order by r.id`,
    params,
  )
  const found = new Map<string, string[]>()
  for (const { id, value } of rows)
    for (const address of [value].flat().map((one) => String(one).toLowerCase()))
      found.set(address, [...(found.get(address) ?? []), id])
  return found
}

export async function titlesById(db: Db, company_id: string, ids: string[]) {
  if (!ids.length) return new Map<string, string>()
  const params = new Params()
  const rows = await run<{ id: string; title: string }>(
    db,
    `select id, title from records where company_id = ${params.add(company_id, 'uuid')} and id = any(${params.add(ids, 'uuid[]')})`,
    params,
  )
  return new Map(rows.map(({ id, title }) => [id, title]))
}

/** The addresses of these people and open leads. */
export async function contactsById(db: Db, company_id: string, schema: Schema, ids: string[]) {
  const found: { record_id: string; object: 'people' | 'leads'; address: string }[] = []
  for (const key of ['people', 'leads'] as const) {
    const object = schema.builtIn.get(key)
    if (!object || object.archived_at) continue
    const keys = Object.values(addressFields[key]).flatMap((name) => builtInInUse(object, name)?.key ?? [])
    const params = new Params()
    const rows = await run<{ id: string; value: (string | string[] | null)[] }>(
      db,
      `select r.id, (select jsonb_agg(r.values -> k) from unnest(${params.add(keys, 'text[]')}) k) as value from records r
        where r.company_id = ${params.add(company_id, 'uuid')} and r.id = any(${params.add(ids, 'uuid[]')})
          and r.object_id = ${params.add(object.id, 'uuid')} and r.deleted_at is null
          ${key === 'leads' ? isOpenLead(object, params) : ''} order by r.id`,
      params,
    )
    for (const { id, value } of rows)
      for (const address of (value ?? []).flat().filter((one) => one !== null))
        found.push({ record_id: id, object: key, address: String(address).toLowerCase() })
  }
  return found
}

function hasAny(schema: Schema, field: Field, addresses: string[], params: Params) {
  const compared = addresses.flatMap((address) => comparable(asFilterField(field), [address], schema) ?? [])
  if (field.slot) return `r.${field.slot} = any(${params.add(compared, 'text[]')})`
  const shapes = compared.map((value) => JSON.stringify({ [field.key]: field.is_multi ? [value] : value }))
  return `r.match @> any(${params.add(shapes, 'jsonb[]')})`
}

const isOpenLead = (leads: ObjectSchema, params: Params) => {
  const status = builtInInUse(leads, 'status')
  return status
    ? ` and coalesce(r.values ->> ${params.add(status.key, 'text')}, '') not in ('converted', 'disqualified')`
    : ''
}

/** `via`: the person through whom the record was found. */
export type Link = { conversation_id: string; record_id: string; object: string; via?: string }

/** The organizations of these people, and the open deals of both. By person. */
export async function aroundPeople(db: Db, company_id: string, schema: Schema, people: string[]) {
  const around = new Map<string, Required<Omit<Link, 'conversation_id'>>[]>()
  const add = (via: string, record_id: string, object: string) =>
    around.set(via, [...(around.get(via) ?? []), { record_id, object, via }])
  if (!people.length) return around
  for (const { near, far } of await linked(
    db,
    company_id,
    fieldOf(schema, 'people', 'organization'),
    people,
    'from_id',
  ))
    add(near, far, keyOf(schema, 'organizations'))
  const deals = await linked(db, company_id, fieldOf(schema, 'deals', 'people'), people, 'to_id')
  const open = await openDeals(db, company_id, schema, [...new Set(deals.map(({ far }) => far))])
  for (const [person, some] of Map.groupBy(deals, ({ near }) => near))
    for (const { far } of some.filter(({ far }) => open.has(far)).slice(0, mostDeals))
      add(person, far, keyOf(schema, 'deals'))
  return around
}

export const keyOf = (schema: Schema, builtIn: string) => schema.builtIn.get(builtIn)?.key ?? builtIn

const fieldOf = (schema: Schema, object: string, key: string) => {
  const found = schema.builtIn.get(object)
  return found && !found.archived_at ? builtInInUse(found, key) : undefined
}

async function linked(db: Db, company_id: string, field: Field | undefined, ids: string[], near: 'from_id' | 'to_id') {
  if (!field) return []
  const far = near === 'from_id' ? 'to_id' : 'from_id'
  const params = new Params()
  return run<{ near: string; far: string }>(
    db,
    `select ${near} as near, ${far} as far from links where company_id = ${params.add(company_id, 'uuid')}
      and field_id = ${params.add(field.id, 'uuid')} and ${near} = any(${params.add(ids, 'uuid[]')}) order by ${far} desc`,
    params,
  )
}

async function openDeals(db: Db, company_id: string, schema: Schema, ids: string[]) {
  const status = fieldOf(schema, 'deals', 'status')
  if (!ids.length || !status) return new Set<string>()
  const params = new Params()
  const rows = await run<{ id: string }>(
    db,
    `select id from records where company_id = ${params.add(company_id, 'uuid')} and id = any(${params.add(ids, 'uuid[]')})
      and deleted_at is null and values ->> ${params.add(status.key, 'text')} = 'open'`,
    params,
  )
  return new Set(rows.map(({ id }) => id))
}

export async function addLinks(db: Db, company_id: string, links: Link[]) {
  const distinct = [...new Map(links.map((link) => [`${link.conversation_id} ${link.record_id}`, link])).values()]
  if (!distinct.length) return
  const params = new Params()
  const rows = distinct.map((link) => ({ company_id, ...link }))
  await run(db, `${insertingJson('conversation_links', rows)(params)} on conflict do nothing`, params)
}

/**
 * A message that is being stored does not know a new contact, and is not yet known here. It is waited for; those that come
 * later know the contact and need not wait for this transaction.
 */
export async function waitForMessages(tx: Db, company_id: string) {
  const { rows } = await sql<{ id: string }>`select id from channels
    where company_id = ${company_id} and owner_id is not null and deleted_at is null`.execute(tx)
  // A statement of its own, because the one that reads a table may run on another server than the locks.
  await sql`select pg_advisory_lock_shared(a.key), pg_advisory_unlock_shared(a.key) from (
    select hashtextextended('inbox ' || b.id, 34) as key
    from unnest(${[company_id, ...rows.map(({ id }) => id)]}::text[]) b(id) order by b.id) a`.execute(tx)
}

/** Jobs that link contacts to conversations, of which each must see what the others did. */
export const oneLinkingAtATime = (tx: Db, company_id: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`contact links ${company_id}`}, 34))`.execute(tx)

/** `last_activity_at` of the linked records, and `first_response_at` of leads, follow messages. */
export async function noteMessages(
  { db, emit }: Pick<Context, 'db' | 'emit'>,
  company_id: string,
  schema: Schema,
  latest: Map<string, Date>,
  now: Date,
) {
  if (!latest.size) return
  const params = new Params()
  const links = await run<{ conversation_id: string; record_id: string }>(
    db,
    `select conversation_id, record_id from conversation_links where company_id = ${params.add(company_id, 'uuid')}
      and conversation_id = any(${params.add([...latest.keys()], 'uuid[]')})`,
    params,
  )
  const raised = new Map<string, string>()
  for (const { conversation_id, record_id } of links) {
    const at = latest.get(conversation_id)!
    const iso = (at < now ? at : now).toISOString()
    if ((raised.get(record_id) ?? '') < iso) raised.set(record_id, iso)
  }
  if (!raised.size) return
  const update = new Params()
  await run(db, raise({ company_id }, schema, raised)(update), update)
  emit('activity.changed', { record_ids: [...raised.keys()], organization_ids: [] }, company_id)
}
