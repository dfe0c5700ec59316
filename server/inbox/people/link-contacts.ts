// People and leads who are created later, or get an address later, are linked to the conversations with this address.
// People who get another name have it in their conversations.
import { sql } from 'kysely'
import { type Schema, schemaOfCompany } from '../../engine/schema/schema.ts'
import { actAs } from '../../kernel/act-as.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { announceChanged, ownersOf } from '../access/announce.ts'
import { asPerson, type Participant } from '../thread/conversation.ts'
import {
  addLinks,
  aroundPeople,
  contactsById,
  keyOf,
  noteMessages,
  oneLinkingAtATime,
  titlesById,
  waitForMessages,
} from '../thread/links.ts'
import { writeParticipants } from '../thread/participants.ts'

/** Conversations with an address of many, such as that of a mailing list, are linked in steps. */
const step = 500
/** Smaller than any other. */
const firstId = '00000000-0000-0000-0000-000000000000'

export async function linkContacts(db: Db, company_id: string, record_ids: string[], now: Date) {
  await waitForMessages(db, company_id)
  for (let linked = step; linked === step; )
    linked = await transaction(db, (tx) => linkSome(tx, company_id, record_ids, now))
}

async function linkSome(tx: Db, company_id: string, record_ids: string[], now: Date) {
  await oneLinkingAtATime(tx, company_id)
  const schema = await schemaOfCompany(tx, company_id)
  const contacts = await contactsById(tx, company_id, schema, record_ids)
  const found = await unlinkedWith(tx, company_id, contacts)
  if (!found.length) return 0
  await holdConversations(tx, company_id, found)
  const around = await aroundPeople(tx, company_id, schema, [
    ...new Set(found.filter(({ object }) => object === 'people').map(({ record_id }) => record_id)),
  ])
  await addLinks(
    tx,
    company_id,
    found.flatMap(({ conversation_id, record_id, object }) => [
      { conversation_id, record_id, object: keyOf(schema, object) },
      ...(around.get(record_id) ?? []).map((one) => ({ conversation_id, ...one })),
    ]),
  )
  await nameParticipants(tx, company_id, found)
  await announceLinked(tx, company_id, schema, [...new Set(found.map(({ conversation_id }) => conversation_id))], now)
  return found.length
}

type Contact = { record_id: string; object: 'people' | 'leads'; address: string }
type Found = Contact & { conversation_id: string }

async function unlinkedWith(tx: Db, company_id: string, contacts: Contact[]) {
  if (!contacts.length) return []
  const { rows } = await sql<Found>`
    select a.conversation_id, w.record_id, w.object, w.address
    from jsonb_to_recordset(${JSON.stringify(contacts)}::jsonb) w(record_id uuid, object text, address text)
    join conversation_addresses a on a.company_id = ${company_id} and a.address = w.address
    where not exists (select from conversation_links k where k.company_id = ${company_id} and k.record_id = w.record_id
      and k.conversation_id = a.conversation_id)
    order by a.conversation_id limit ${step}`.execute(tx)
  return rows
}

/** Before anything is written, and in the order in which messages lock them, so that neither waits for the other. */
const holdConversations = (tx: Db, company_id: string, found: Found[]) =>
  sql`select from conversations where company_id = ${company_id}
    and id = any(${found.map(({ conversation_id }) => conversation_id)}::uuid[]) order by id for update`.execute(tx)

async function nameParticipants(tx: Db, company_id: string, found: Found[]) {
  const people = found.filter(({ object }) => object === 'people')
  if (!people.length) return
  const { rows } = await sql<{ id: string; participants: Participant[] }>`
    select id, participants from conversations where company_id = ${company_id} and participants <> '[]'
      and id = any(${people.map(({ conversation_id }) => conversation_id)}::uuid[])`.execute(tx)
  const titles = await titlesById(
    tx,
    company_id,
    people.map(({ record_id }) => record_id),
  )
  const oldestLast = people.toSorted((a, b) => (a.record_id < b.record_id ? 1 : -1))
  const byAddress = new Map(oldestLast.map(({ address, record_id }) => [address, record_id]))
  const named = rows.map(({ id, participants: before }) => {
    const participants = before.map((one) => {
      const person = byAddress.get(one.address)
      return person ? asPerson(one, { id: person, title: titles.get(person)! }) : one
    })
    return { id, participants }
  })
  await writeParticipants(tx, company_id, named)
}

/** Those whom only a handle or a number would name. */
export async function renameParticipants(db: Db, company_id: string, record_ids: string[], now: Date) {
  for (let after: string | undefined = firstId; after; )
    after = await renameSome(db, { company_id, record_ids, after, now })
}

type Renaming = { company_id: string; record_ids: string[]; after: string; now: Date }

/** Returns the last conversation of the step; undefined if there are no more. */
const renameSome = (db: Db, { company_id, record_ids, after, now }: Renaming) =>
  transaction(db, async (tx) => {
    const { rows: linked } = await sql<{ id: string }>`
      select distinct conversation_id as id from conversation_links where company_id = ${company_id}
        and record_id = any(${record_ids}::uuid[]) and conversation_id > ${after} order by id limit ${step}`.execute(tx)
    const { rows } = await sql<{ id: string; audience: string; participants: Participant[] }>`
      select id, audience, participants from conversations where company_id = ${company_id} and participants <> '[]'
        and id = any(${linked.map(({ id }) => id)}::uuid[]) order by id for update`.execute(tx)
    const titles = await titlesById(tx, company_id, record_ids)
    const renamed = rows.flatMap(({ participants: before, ...conversation }) => {
      const participants = before.map((one) => {
        const title = one.person_id && titles.get(one.person_id)
        return title ? asPerson(one, { id: one.person_id!, title }) : one
      })
      return participants.some(({ name }, i) => name !== before[i]!.name) ? [{ ...conversation, participants }] : []
    })
    await writeParticipants(tx, company_id, renamed)
    if (renamed.length)
      await actAs(tx, { actor: null, task: 'renameParticipants', now }, (context) =>
        announceChanged(context, company_id, renamed),
      )
    return linked.length === step ? linked.at(-1)!.id : undefined
  })

/** Private conversations leave no trace on records. */
async function announceLinked(tx: Db, company_id: string, schema: Schema, ids: string[], now: Date) {
  const { rows } = await sql<{ id: string; audience: string; last_message_at: Date }>`
    select id, audience, last_message_at from conversations
    where company_id = ${company_id} and id = any(${ids}::uuid[]) and merged_into is null`.execute(tx)
  await actAs(tx, { actor: null, task: 'linkContacts', now }, async (context) => {
    const owners = await ownersOf(
      context,
      company_id,
      rows.map(({ audience }) => audience),
    )
    const open = rows.filter(({ audience }) => !owners.has(audience))
    const latest = new Map(open.map(({ id, last_message_at }) => [id, last_message_at]))
    await noteMessages(context, company_id, schema, latest, now)
    if (rows.length) await announceChanged(context, company_id, rows)
  })
}
