// Whom a message may go to.
import { sql } from 'kysely'
import { emailAddress } from '../../../contract/messages.ts'
import { shownAddress } from '../../../contract/shared/visitor-address.ts'
import { optedOutAmong, unsubscribedAmong } from '../../engine/read/opted-out.ts'
import { builtInInUse, type Schema, schemaOf } from '../../engine/schema/schema.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import type { Db } from '../../platform/db.ts'
import { recordsWithAddress } from '../thread/links.ts'

/** Always, also for replies: people who were promised silence get no message. */
export async function refuseOptedOut(context: Context, addresses: string[], conversation_id?: string) {
  const { company_id } = actorOf(context)
  const schema = await schemaOf(context.db, actorOf(context))
  const reason = await optOutReason(context.db, company_id, schema, addresses, conversation_id)
  if (reason) throw new AppError('conflict', `${reason} Nothing was sent.`)
}

/** `conversation_id`: who its participants are, also if their addresses are no one's. */
export async function optOutReason(
  db: Db,
  company_id: string,
  schema: Schema,
  addresses: string[],
  conversation_id?: string,
) {
  const byEmail = await optedOutAmong(db, company_id, schema, addresses)
  const others = addresses.filter((address) => !emailAddress.test(address))
  const found = [...byEmail, ...(await optedOutPeople(db, company_id, schema, others, conversation_id))]
  const unsubscribed = found.length ? [] : await unsubscribedAmong(db, company_id, addresses)
  if (unsubscribed.length)
    return `${listed(unsubscribed)} unsubscribed from your messages. Leave the address out. If its owner agreed to get messages again, allow messages under Company, Channels.`
  if (!found.length) return undefined
  // By address: the person may be hidden from those who read this.
  return `${listed(found)} must not be contacted: “Do not contact” is set. Remove the address, or clear the setting if they agreed.`
}

const listed = (addresses: string[]) =>
  [...new Set(addresses.map((address) => shownAddress(address) ?? 'This visitor'))].join(', ')

async function optedOutPeople(
  db: Db,
  company_id: string,
  schema: Schema,
  addresses: string[],
  conversation_id: string | undefined,
) {
  const people = schema.builtIn.get('people')
  const optedOut = people && builtInInUse(people, 'do_not_contact')
  if (!optedOut || !addresses.length) return []
  const byPhone = await recordsWithAddress(db, company_id, schema, 'people', addresses)
  const { rows } = await sql<{ address: string }>`
    select w.address from (
      select * from jsonb_to_recordset(${JSON.stringify([...byPhone].flatMap(([address, ids]) => ids.map((id) => ({ address, id }))))}::jsonb) k(address text, id uuid)
      union select p ->> 'address', (p ->> 'person_id')::uuid from conversations c
        cross join lateral jsonb_array_elements(c.participants) p
        where c.company_id = ${company_id} and c.id = ${conversation_id ?? null} and p ->> 'address' = any(${addresses})) w
    join records r on r.company_id = ${company_id} and r.id = w.id and r.deleted_at is null
      and r.values ->> ${optedOut.key} = 'true'`.execute(db)
  return rows.map(({ address }) => address)
}
