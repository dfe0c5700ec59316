// Who the participants of a conversation are. A handle is known to one channel only, so its conversations remember whose it is.
import { sql } from 'kysely'
import { emailAddress } from '../../contract/messages.ts'
import type { ObjectSchema } from '../engine/schema/schema.ts'
import { builtInValue } from '../engine/values/built-in-values.ts'
import type { Stored } from '../engine/values/from-row.ts'
import type { Db } from '../platform/db.ts'
import type { Participant } from './conversation.ts'
import { phoneNumber } from './links.ts'

const isHandle = (address: string) => !phoneNumber.test(address) && !emailAddress.test(address)

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

/** A participant with an address of this person is this person. Otherwise, the only one with a handle and no person is. */
export const nameParticipants = (
  db: Db,
  company_id: string,
  conversation_id: string,
  people: ObjectSchema,
  person: Stored,
) => {
  const own = ['emails', 'phones'].flatMap((key) =>
    [builtInValue(people, person.values, key) ?? []].flat().map((one) => String(one).toLowerCase()),
  )
  return changeParticipants(db, company_id, conversation_id, (all) => {
    const known = all.filter(({ address, person_id }) => own.includes(address) || person_id === person.id)
    const handles = all.filter(({ address, person_id }) => !person_id && isHandle(address))
    const theirs = known.length || handles.length > 1 ? known : handles
    return all.map((one) => (theirs.includes(one) ? { ...one, person_id: person.id } : one))
  })
}

/** After people were unlinked, their handles are no one's. */
export const forgetHandles = (db: Db, company_id: string, conversation_id: string, person_ids: string[]) =>
  changeParticipants(db, company_id, conversation_id, (all) =>
    all.map((one) =>
      isHandle(one.address) && one.person_id && person_ids.includes(one.person_id) ? { ...one, person_id: null } : one,
    ),
  )

async function changeParticipants(
  db: Db,
  company_id: string,
  conversation_id: string,
  change: (all: Participant[]) => Participant[],
) {
  const { rows } = await sql<{ participants: Participant[] }>`
    select participants from conversations where company_id = ${company_id} and id = ${conversation_id} for update`.execute(
    db,
  )
  if (!rows[0]?.participants.length) return
  await sql`update conversations set participants = ${JSON.stringify(change(rows[0].participants))}::jsonb
    where company_id = ${company_id} and id = ${conversation_id}`.execute(db)
}
