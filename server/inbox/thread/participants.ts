// Who the outsiders of a conversation are, as far as a user says so. A handle is known to one channel only, so its
// conversations remember whose it is.
import { sql } from 'kysely'
import { emailAddress } from '../../../contract/messages.ts'
import { isVisitorAddress } from '../../../contract/shared/visitor-address.ts'
import type { ObjectSchema, Schema } from '../../engine/schema/schema.ts'
import { builtInValue } from '../../engine/values/built-in-values.ts'
import type { Stored } from '../../engine/values/from-row.ts'
import { joining, Params, run } from '../../kernel/statement.ts'
import type { Db } from '../../platform/db.ts'
import { asPerson, foldedParticipants, type Participant } from './conversation.ts'
import { contactsById, phoneNumber } from './links.ts'

type Held = { company_id: string; id: string }
type Named = { people: ObjectSchema; person: Stored; address: string | undefined }

/** No field of a person has it. */
const isHandle = (address: string) =>
  isVisitorAddress(address) || !(emailAddress.test(address) || phoneNumber.test(address))

/** Whose these handles are, as conversations of the channel know. The newest one counts. */
export async function peopleByHandle(db: Db, company_id: string, channel_id: string, addresses: string[]) {
  const handles = addresses.filter(isHandle)
  if (!handles.length) return new Map<string, string>()
  const { rows } = await sql<{ address: string; id: string }>`
    select distinct on (a.address) a.address, r.id from conversation_addresses a
    join conversations c on c.company_id = ${company_id} and c.id = a.conversation_id and c.channel_id = ${channel_id}
    cross join lateral jsonb_array_elements(c.participants) p
    join records r on r.company_id = ${company_id} and r.id = (p ->> 'person_id')::uuid and r.deleted_at is null
    where a.company_id = ${company_id} and a.address = any(${handles}::text[]) and p ->> 'address' = a.address
    order by a.address, c.last_message_at desc`.execute(db)
  return new Map(rows.map(({ address, id }) => [address, id]))
}

/** The participant with this address, or with one of the person. Otherwise the only one of whom a handle is all that is known. */
export async function nameParticipant(db: Db, held: Held, { people, person, address }: Named) {
  const participants = await participantsOf(db, held)
  const own = ['emails', 'phones'].flatMap((key) =>
    [builtInValue(people, person.values, key) ?? []].flat().map((one) => String(one).toLowerCase()),
  )
  const known = participants.filter((one) => (address ? one.address === address : own.includes(one.address)))
  const strangers = participants.filter((one) => !one.person_id && isHandle(one.address))
  const chosen = known.length ? known : address === undefined && strangers.length === 1 ? strangers : []
  if (chosen.length)
    await write(
      db,
      held,
      participants.map((one) => (chosen.includes(one) ? asPerson(one, person) : one)),
    )
}

/** Participants with an address of the person stay linked to it. The others keep the name they write under. */
export async function forgetPeople(db: Db, schema: Schema, held: Held, ids: string[]) {
  if (!ids.length) return
  const participants = await participantsOf(db, held)
  const contacts = await contactsById(db, held.company_id, schema, ids)
  const isForgotten = ({ person_id, address }: Participant) =>
    person_id !== null &&
    ids.includes(person_id) &&
    !contacts.some((one) => one.record_id === person_id && one.address === address)
  if (!participants.some(isForgotten)) return
  const names = await namesOf(db, held)
  await write(
    db,
    held,
    participants.map((one) =>
      isForgotten(one) ? { ...one, person_id: null, name: names.get(one.address) ?? null } : one,
    ),
  )
}

async function participantsOf(db: Db, { company_id, id }: Held) {
  const { rows } = await sql<{ participants: Participant[] }>`
    select participants from conversations where company_id = ${company_id} and id = ${id}`.execute(db)
  return rows[0]!.participants
}

async function namesOf(db: Db, { company_id, id }: Held) {
  const { rows } = await sql<{ address: string; name: string | null }>`
    select distinct on (from_address) from_address as address, from_name as name from messages
    where company_id = ${company_id} and conversation_id = ${id} and direction = 'in' and from_address is not null
    order by from_address, at desc`.execute(db)
  return new Map(rows.map(({ address, name }) => [address, name]))
}

const write = (db: Db, { company_id, id }: Held, participants: Participant[]) =>
  sql`update conversations set participants = ${JSON.stringify(participants)}::jsonb, version = version + 1,
      participants_folded = ${foldedParticipants(participants)}
    where company_id = ${company_id} and id = ${id}`.execute(db)

/** Those of several conversations. */
export async function writeParticipants(
  db: Db,
  company_id: string,
  some: { id: string; participants: Participant[] }[],
) {
  if (!some.length) return
  const rows = some.map(({ id, participants }) => ({
    company_id,
    id,
    participants,
    participants_folded: foldedParticipants(participants),
  }))
  const params = new Params()
  const { from, where } = joining('conversations', rows, { id: 'uuid' }, params)
  await run(
    db,
    `update conversations t set participants = x.participants, participants_folded = x.participants_folded,
      version = t.version + 1 from ${from} where ${where}`,
    params,
  )
}
