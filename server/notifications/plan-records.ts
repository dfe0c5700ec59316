// Decides which notifications changes of records create. Readers are notified only of what they may read now.
import { sql } from 'kysely'
import { midnightOf } from '../../contract/filter/days.ts'
import { localDay, startOfDay } from '../../contract/filter/zones.ts'
import type { EventPayload } from '../../contract/shared/events.ts'
import { inSentence } from '../../contract/shared/in-sentence.ts'
import { own } from '../../contract/shared/own.ts'
import { findActorById } from '../accounts/users/queries.ts'
import { mentionedIn } from '../engine/built-in/notes/mentions.ts'
import { titlesOf } from '../engine/names/find-titles.ts'
import { recordsById } from '../engine/read/by-id.ts'
import { assigneeOf } from '../engine/rights/rights.ts'
import { builtInInUse, type ObjectSchema, schemaOf, schemaOfCompany } from '../engine/schema/schema.ts'
import type { Stored } from '../engine/values/from-row.ts'
import { firstIdAt } from '../kernel/first-id.ts'
import type { OutboxEvent } from '../kernel/outbox.ts'
import type { Statement } from '../kernel/statement.ts'
import type { Db } from '../platform/db.ts'
import { findAdmins } from './admins.ts'
import type { PlannedNotification } from './plan.ts'
import { contextOf, type Reading, wantedRecords } from './readable-records.ts'

async function readingFor(db: Db, { company_id, at }: OutboxEvent, user_id: string): Promise<Reading | undefined> {
  const reader = await findActorById(db, company_id, user_id)
  return reader && { reader, db, schema: await schemaOf(db, reader), now: new Date(at) }
}

/** One notification for all records of a change set, even if a job takes many steps. */
export async function assigned(db: Db, event: OutboxEvent, payload: EventPayload<'record.assigned'>) {
  const { company_id, actor_id } = event
  const { object: key, user_id, change_set_id } = payload
  const reading = await readingFor(db, event, user_id)
  const object = reading?.schema.objects.get(key)
  if (!reading || !object) return null
  const found = await wantedRecords(
    reading,
    'record_assigned',
    object,
    (params) => `r.id in (select c.record_id from changes c where c.company_id = ${params.add(company_id, 'uuid')}
      and c.change_set_id = ${params.add(change_set_id, 'uuid')} and c.object = ${params.add(key)}
      and ${params.add(user_id)} in (c.fields -> 'owner' ->> 'to', c.fields -> ${params.add(assigneeOf(object)?.key ?? 'owner', 'text')} ->> 'to'))`,
  )
  if (!found) return null
  const { id: record_id, ...rest } = found
  const by = await automationOf(db, event, change_set_id)
  const data = { object: key, label: inSentence(object.label_plural), record_id, by, ...rest }
  const actor = by === null ? actor_id : null
  return {
    kind: 'record_assigned',
    data,
    to: [user_id],
    actor_id: actor,
    key: change_set_id,
  } satisfies PlannedNotification
}

/** A form or a rule has the rights of its owner, who did nothing. */
async function automationOf(db: Db, { company_id }: OutboxEvent, change_set_id: string) {
  const query = db.selectFrom('change_sets').select('principal_name').where('company_id', '=', company_id)
  return (await query.where('id', '=', change_set_id).executeTakeFirst())?.principal_name ?? null
}

/** Once for each record and user, however often the text is edited. */
export async function mentioned(db: Db, event: OutboxEvent, payload: EventPayload<'record.mentioned'>) {
  const text = await readableText(db, event, payload, payload.user_id)
  return text && (await planAbout(text, event, false))
}

export async function replied(db: Db, event: OutboxEvent, payload: EventPayload<'note.replied'>) {
  const { company_id, actor_id } = event
  const { rows } = await sql<{ author: string }>`
    select p.created_by as author from links l join records p on p.company_id = ${company_id} and p.id = l.to_id
    join fields f on f.company_id = ${company_id} and f.id = l.field_id and f.built_in_key = 'reply_to'
    where l.company_id = ${company_id} and l.from_id = ${payload.record_id} and p.created_by is not null`.execute(db)
  const author = rows[0]?.author
  if (!author || author === actor_id) return null
  const text = await readableText(db, event, payload, author)
  // Someone who is mentioned as well is notified of that.
  if (!text || mentionedIn(text.object, text.record).includes(author)) return null
  return planAbout(text, event, true)
}

type Text = { reading: Reading; object: ObjectSchema; record: Stored }

async function readableText(db: Db, event: OutboxEvent, { object: key, record_id }: Subject, user_id: string) {
  const reading = await readingFor(db, event, user_id)
  const object = reading?.schema.objects.get(key)
  if (!reading || !object || (await isNotified(db, event.company_id, user_id, record_id))) return null
  const found = await wantedRecords(reading, 'mentioned', object, isRecord(record_id))
  const record = found && (await recordsById(contextOf(reading), object, [record_id])).get(record_id)
  return record ? { reading, object, record } : null
}
type Subject = { object: string; record_id: string }

export const isRecord =
  (id: string): Statement =>
  (params) =>
    `r.id = ${params.add(id, 'uuid')}`

async function isNotified(db: Db, company_id: string, user_id: string, record_id: string) {
  const query = db
    .selectFrom('notifications')
    .select('id')
    .where('company_id', '=', company_id)
    .where('user_id', '=', user_id)
    .where('kind', '=', 'mentioned')
    .where(sql`data ->> 'record_id'`, '=', record_id)
  return (await query.executeTakeFirst()) !== undefined
}

/** Named after what the text is about, because a note has no name of its own. */
async function planAbout({ reading, object, record }: Text, { actor_id }: OutboxEvent, is_reply: boolean) {
  const about = builtInInUse(object, 'about')
  const ids = about ? ([own(record.values, about.key) ?? []].flat() as string[]) : []
  const [first] = await titlesOf(contextOf(reading), reading.schema, ids.slice(0, 1))
  const data = { object: object.key, record_id: record.id, title: record.title, about: first?.title ?? null, is_reply }
  return { kind: 'mentioned', data, to: [reading.reader.user_id], actor_id } satisfies PlannedNotification
}

/** Changes of an agent within this time share a notification, until it is read. */
const sessionMs = 60 * 60_000

/** Counted again for each event, so that an event that is handled twice counts once. */
export async function changedByAgent(db: Db, event: OutboxEvent, payload: EventPayload<'record.changed_by_agent'>) {
  const { company_id, actor_id } = event
  const { user_id, change_set_id } = payload
  const reading = await readingFor(db, event, user_id)
  if (!reading) return null
  // Two jobs at the same time would start two notifications.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${company_id} ${user_id}`}, 2))`.execute(db)
  const known = await lastNotification(db, event, user_id)
  // Already read, and this change was counted in it.
  if (known?.is_read && known.until >= change_set_id) return null
  const session = known?.is_read ? undefined : known
  const since = session && session.since < change_set_id ? session.since : change_set_id
  const { count, last, until } = await countChanged(reading, event, since)
  if (!last) return null
  const key = session?.key ?? change_set_id
  const data = { ...last, count, key, since, until, isAdmin: reading.reader.is_admin, actor_id }
  return { kind: 'record_changed_by_agent', data, to: [user_id], actor_id, key } satisfies PlannedNotification
}

type Gathered = { key: string; since: string; until: string; is_read: boolean }

async function lastNotification(db: Db, { company_id, actor_id, at }: OutboxEvent, user_id: string) {
  const { rows } = await sql<Gathered>`
    select data ->> 'key' as key, data ->> 'since' as since, data ->> 'until' as until, read_at is not null as is_read
    from notifications
    where company_id = ${company_id} and user_id = ${user_id} and kind = 'record_changed_by_agent'
      and actor_id = ${actor_id} and at > ${new Date(new Date(at).getTime() - sessionMs)}
    order by id desc limit 1`.execute(db)
  return rows[0]
}

/** In the trash too: an agent may have deleted them. */
async function countChanged(reading: Reading, { company_id, actor_id }: OutboxEvent, since: string) {
  const { rows } = await sql<{ object: string; until: string }>`
    select c.object, max(s.id::text) as until from change_sets s
    join changes c on c.company_id = ${company_id} and c.change_set_id = s.id
    where s.company_id = ${company_id} and s.id >= ${since} and s.actor_id = ${actor_id}
    group by c.object`.execute(reading.db)
  const until = rows.reduce((latest, one) => (one.until > latest ? one.until : latest), since)
  let count = 0
  let last: { object: string; record_id: string; title: string } | undefined
  for (const { object: key } of rows)
    for (const deleted of [true, false]) {
      const object = reading.schema.objects.get(key)
      const found = object && (await ownChanged({ ...reading, deleted }, object, actor_id, { since, until }))
      if (!found) continue
      count += found.count
      last = { object: key, record_id: found.id, title: found.title }
    }
  return { count, last, until }
}

type Range = { since: string; until: string }

/** Records that are the reader's, or were until the agent gave them to someone else. */
function ownChanged(reading: Reading, object: ObjectSchema, actor_id: string | null, { since, until }: Range) {
  const { company_id, user_id } = reading.reader
  const { key = 'owner', slot } = assigneeOf(object) ?? {}
  return wantedRecords(reading, 'record_changed_by_agent', object, (params) => {
    const [company, me] = [params.add(company_id, 'uuid'), params.add(user_id, 'uuid')]
    const isTheirs = `exists (select from records o where o.company_id = ${company} and o.id = c.record_id
      and (o.owner_id = ${me}${slot ? ` or o.${slot} = ${me}::text` : ''}))`
    return `r.id in (select c.record_id from change_sets s
      join changes c on c.company_id = ${company} and c.change_set_id = s.id and c.action <> 'created'
      where s.company_id = ${company} and s.id between ${params.add(since, 'uuid')} and ${params.add(until, 'uuid')} and s.actor_id = ${params.add(actor_id, 'uuid')}
        and (${me}::text in (c.fields -> 'owner' ->> 'from', c.fields -> ${params.add(key, 'text')} ->> 'from') or ${isTheirs}))`
  })
}

/** One notification a day for each object, which counts on. */
export async function duplicatesMerged(db: Db, event: OutboxEvent, payload: EventPayload<'duplicates.merged'>) {
  const { company_id, at } = event
  const { object: key, count, change_set_id } = payload
  const schema = await schemaOfCompany(db, company_id)
  const object = schema.objects.get(key)
  if (!object) return null
  const { label, label_plural } = object
  const midnight = midnightOf(localDay(new Date(at).getTime(), schema.time_zone))
  const today = new Date(startOfDay(midnight, schema.time_zone))
  const data = {
    label: inSentence(label),
    label_plural: inSentence(label_plural),
    count,
    since: firstIdAt(today),
    until: change_set_id,
  }
  return {
    kind: 'duplicates_merged',
    data,
    to: await findAdmins(db, company_id),
    actor_id: null,
    key: `${data.since} duplicates of ${key}`,
    isAdded: true,
  } satisfies PlannedNotification
}

/** Also notifies an Admin who exported them, in case someone else used their account. */
export async function recordsExported(db: Db, event: OutboxEvent, payload: EventPayload<'records.exported'>) {
  const { company_id, actor_id } = event
  const { object: key, count } = payload
  const object = key === null ? undefined : (await schemaOfCompany(db, company_id)).objects.get(key)
  const data = { label_plural: object ? inSentence(object.label_plural) : 'records', count }
  return {
    kind: 'records_exported',
    data,
    to: await findAdmins(db, company_id),
    actor_id,
  } satisfies PlannedNotification
}
