// Unknown senders become people or leads, if their channel says so, with the rights of the channel's owner.
import { sql } from 'kysely'
import { emailAddress } from '../../../contract/messages.ts'
import { isVisitorAddress, nameOrAddress } from '../../../contract/shared/visitor-address.ts'
import { findActorById } from '../../accounts/users/queries.ts'
import { keysOf } from '../../engine/read/by-unique.ts'
import { builtInInUse, type Schema, schemaOf } from '../../engine/schema/schema.ts'
import type { Target } from '../../engine/schema/target.ts'
import { createRecords } from '../../engine/write/create.ts'
import { lockKeys } from '../../engine/write/upsert.ts'
import { contextFor, contextOf } from '../../kernel/act-as.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Principal } from '../../kernel/context.ts'
import { inUse } from '../../leads/about-lead.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { announceChanged } from '../access/announce.ts'
import type { Participant } from '../thread/conversation.ts'
import { addLinks, keyOf, noteMessages, phoneNumber, recordsWithAddress } from '../thread/links.ts'
import { peopleByHandle } from '../thread/participants.ts'

type Sender = {
  audience: string
  channel_id: string
  channel_name: string
  rule: string
  user_id: string | null
  is_private: boolean
  participants: Participant[]
  address: string
  /** Other addresses of the only participant. */
  also: string[]
  name: string | null
  last_message_at: Date
}

export async function addUnknownSender(db: Db, company_id: string, conversation_id: string, now: Date) {
  try {
    await transaction(db, (tx) => add(tx, company_id, conversation_id, now))
  } catch (error) {
    // What the company's rules refuse, such as a required field, is no reason to try again.
    if (!(error instanceof AppError)) throw error
  }
}

async function add(tx: Db, company_id: string, conversation_id: string, now: Date) {
  const sender = await findSender(tx, company_id, conversation_id)
  const actor = sender?.user_id ? await findActorById(tx, company_id, sender.user_id) : undefined
  if (!sender || !actor || (sender.rule !== 'person' && sender.rule !== 'lead')) return
  const principal: Principal = { kind: 'channel', id: sender.channel_id, name: sender.channel_name }
  const task = 'addUnknownSender'
  const { context, write } = await contextFor(tx, { actor, principal, task, now })
  const schema = await schemaOf(tx, actor)
  const object = schema.builtIn.get(sender.rule === 'person' ? 'people' : 'leads')
  if (!object || object.archived_at) return
  if (isVisitorAddress(sender.address) && (await isLinked(tx, company_id, conversation_id, schema))) return
  const target = { context, schema, object }
  const record_id = await createOnce(target, company_id, sender)
  await addLinks(tx, company_id, [{ conversation_id, record_id, object: object.key }])
  if (sender.rule === 'person') {
    const participants = sender.participants.map((one) =>
      one.address === sender.address ? { ...one, person_id: record_id } : one,
    )
    await sql`update conversations set participants = ${JSON.stringify(participants)}::jsonb, version = version + 1
      where company_id = ${company_id} and id = ${conversation_id}`.execute(tx)
  }
  await announceChanged(context, company_id, [{ id: conversation_id, audience: sender.audience }])
  await write()
  if (sender.is_private) return
  const latest = new Map([[conversation_id, sender.last_message_at]])
  const later = contextOf(tx, context, { task, now })
  await noteMessages(later.context, company_id, schema, latest, now)
  await later.write()
}

/** Whether a person or lead has the address that a visitor typed. */
async function isLinked(tx: Db, company_id: string, conversation_id: string, schema: Schema) {
  const { rows } = await sql`select from conversation_links where company_id = ${company_id}
    and conversation_id = ${conversation_id} and object in (${keyOf(schema, 'people')}, ${keyOf(schema, 'leads')})`.execute(
    tx,
  )
  return rows.length > 0
}

/** The first who wrote and is no one's record yet. */
async function findSender(tx: Db, company_id: string, id: string) {
  const { rows } = await sql<Sender>`
    select c.audience, c.channel_id, h.name as channel_name, h.unknown_senders as rule,
      coalesce(h.owner_id, h.created_by) as user_id, h.owner_id is not null and not h.is_shared as is_private,
      c.participants, case when jsonb_array_length(c.participants) = 1 then array(select a.address
        from conversation_addresses a where a.company_id = ${company_id} and a.conversation_id = c.id and a.is_extra)
        else '{}' end as also, m.from_address as address, m.from_name as name, c.last_message_at
    from conversations c join channels h on h.company_id = ${company_id} and h.id = c.channel_id
    cross join lateral (select m.from_address, m.from_name from messages m where m.company_id = ${company_id}
      and m.conversation_id = c.id and m.direction = 'in' and not m.is_automatic and m.from_address is not null
      order by m.at limit 1) m
    where c.company_id = ${company_id} and c.id = ${id} and c.merged_into is null and c.state <> 'spam' for update of c`.execute(
    tx,
  )
  return rows[0]
}

/** The record with this address, or a new one. Two conversations with the same stranger wait for each other. */
async function createOnce(target: Target, company_id: string, { address, also, name, channel_id }: Sender) {
  const { context, schema, object } = target
  const isPerson = object.built_in_key === 'people'
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${company_id} ${address}`}, 23))`.execute(context.db)
  const emails = isPerson ? builtInInUse(object, 'emails') : undefined
  if (emails?.is_unique && emailAddress.test(address)) await lockKeys(target, emails, keysOf(target, emails, [address]))
  const addresses = [address, ...also]
  const found = await recordsWithAddress(context.db, company_id, schema, isPerson ? 'people' : 'leads', addresses)
  const handles = isPerson ? await peopleByHandle(context.db, company_id, channel_id, [address]) : new Map()
  const [known] = [...found.values(), ...handles.values()].flat()
  if (known) return known
  const words = (name ?? '').split(/\s+/).filter(Boolean)
  const names = {
    first_name: words.slice(0, -1).join(' ') || undefined,
    last_name: words.at(-1) ?? nameOrAddress(null, address)!.split('@')[0],
  }
  const email = addresses.find((one) => emailAddress.test(one) && !isVisitorAddress(one))
  const phone = addresses.find((one) => phoneNumber.test(one))
  const values = inUse(object, {
    ...names,
    ...(email && (isPerson ? { emails: [email] } : { email })),
    ...(phone && (isPerson ? { phones: [phone] } : { phone })),
  })
  const { records } = await createRecords(target, [values], false)
  return records[0]!.id
}
