// A message of a visitor: a conversation of the inbox. If no one is there, also a lead.

import { sql } from 'kysely'
import { previewOf } from '../../../contract/shared/message-preview.ts'
import { findActorById } from '../../accounts/users/queries.ts'
import { schemaOf, schemaOfCompany } from '../../engine/schema/schema.ts'
import { createRecords } from '../../engine/write/create.ts'
import { readShort } from '../../inbox/receiving/read-messages.ts'
import { receive } from '../../inbox/receiving/receive.ts'
import { foldedSubject } from '../../inbox/thread/conversation.ts'
import { addLinks, aroundPeople, keyOf as objectKey, recordsWithAddress } from '../../inbox/thread/links.ts'
import { addEvent } from '../../inbox/thread/thread-event.ts'
import { actAs, contextFor } from '../../kernel/act-as.ts'
import type { Context, Principal } from '../../kernel/context.ts'
import { orNothing } from '../../kernel/or-nothing.ts'
import { inUse } from '../../leads/about-lead.ts'
import type { Db } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { ChatRow } from './chat.ts'
import { addressOf, findVisitor, keyOf, saveVisitor } from './visitor.ts'

const task = 'postChatMessage'

type Posted = { client_id: string; text: string; email?: string; name?: string; page?: string }

export async function post(
  { db, now }: Pick<Context, 'db' | 'now'>,
  chat: ChatRow,
  visitor_id: string,
  posted: Posted,
  isOpen: boolean,
  log: Log,
) {
  const { company_id } = chat
  const { client_id, text, email, name, page } = posted
  // Two messages of a visitor wait for each other, so that both are in one conversation.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`chat ${visitor_id}`}, 39))`.execute(db)
  const before = await findVisitor(db, company_id, visitor_id)
  await saveVisitor(db, chat, visitor_id, { email: email ?? null, name: name || null, page: page ?? null }, now)
  const visitor = (await findVisitor(db, company_id, visitor_id))!
  const messages = readShort(
    [
      {
        key: keyOf(visitor_id, client_id),
        providerId: null,
        references: [],
        conversationId: visitor.conversation_id,
        direction: 'in',
        from: { address: addressOf(visitor_id), name: visitor.name },
        recipients: [],
        subject: '',
        at: now,
        text,
        html: null,
        files: [],
        isAutomatic: false,
        bounce: null,
        isRead: false,
      },
    ],
    now,
  )
  const [received] = await receive(db, chat, messages, now)
  const { conversationId, isNew } = received!
  await sql`update chat_visitors set conversation_id = coalesce(conversation_id, ${conversationId}), typing_until = null,
      version = version + 1 where company_id = ${company_id} and id = ${visitor_id}`.execute(db)
  if (!visitor.conversation_id) await nameConversation(db, company_id, conversationId, text)
  if (!isNew || !visitor.email) return
  // A site may have proved the address before the first message.
  if (!before?.conversation_id || before.email !== visitor.email) {
    await addIdentityEvent(db, chat, conversationId, visitor.email, visitor.is_verified, now)
    await linkKnown(db, chat, conversationId, visitor.email)
  }
  if (!isOpen) await addLead(db, chat, conversationId, { email: visitor.email, name: visitor.name, text }, now, log)
}

/** A chat has no subject. Lists show how it began. */
async function nameConversation(db: Db, company_id: string, id: string, text: string) {
  const subject = previewOf({ text, direction: 'in' }).slice(0, 60)
  await sql`update conversations set subject = ${subject}, subject_folded = ${foldedSubject(subject)}
    where company_id = ${company_id} and id = ${id}`.execute(db)
}

/** Shows in the thread whether the site verified the address. */
async function addIdentityEvent(db: Db, chat: ChatRow, id: string, email: string, isVerified: boolean, now: Date) {
  const { company_id } = chat
  await actAs(db, { company_id, task, now }, (context) =>
    addEvent(
      context,
      { id, audience: company_id, channel_id: chat.id },
      { type: 'visitor_identified', email, is_verified: isVerified },
    ),
  )
}

/** Links the people and leads that have this address. */
async function linkKnown(db: Db, { company_id }: ChatRow, conversation_id: string, email: string) {
  const schema = await schemaOfCompany(db, company_id)
  const people = await recordsWithAddress(db, company_id, schema, 'people', [email])
  const leads = await recordsWithAddress(db, company_id, schema, 'leads', [email])
  const found = [...people.values()].flat()
  const around = await aroundPeople(db, company_id, schema, found)
  await addLinks(db, company_id, [
    ...found.map((record_id) => ({ conversation_id, record_id, object: objectKey(schema, 'people') })),
    ...[...leads.values()]
      .flat()
      .map((record_id) => ({ conversation_id, record_id, object: objectKey(schema, 'leads') })),
    ...[...around.values()].flat().map((one) => ({ conversation_id, ...one })),
  ])
}

/** Unless a person or a lead has the address. With the rights of the user who created the chat. What the company's rules refuse, such as a required field, is left out. */
async function addLead(
  db: Db,
  chat: ChatRow,
  conversation_id: string,
  { email, name, text }: { email: string; name: string | null; text: string },
  now: Date,
  log: Log,
) {
  const { company_id } = chat
  const actor = chat.created_by ? await findActorById(db, company_id, chat.created_by) : undefined
  if (!actor) return
  const principal: Principal = { kind: 'channel', id: chat.id, name: chat.name }
  const { context, notes, write } = await contextFor(db, { actor, principal, task, now })
  const schema = await schemaOf(db, actor)
  const object = schema.builtIn.get('leads')
  if (!object || object.archived_at) return
  for (const name of ['people', 'leads'] as const)
    if ((await recordsWithAddress(db, company_id, schema, name, [email])).get(email)?.length) return
  const words = (name ?? '').split(/\s+/).filter(Boolean)
  const values = inUse(object, {
    first_name: words.slice(0, -1).join(' ') || undefined,
    last_name: words.at(-1) ?? email.split('@')[0],
    email,
    message: text,
    source: chat.name,
  })
  const refused = await orNothing(db, notes, async () => {
    const { records } = await createRecords({ context, schema, object }, [values], false)
    await write()
    await addLinks(db, company_id, [{ conversation_id, record_id: records[0]!.id, object: object.key }])
  })
  // Its message may quote values of the company.
  if (refused) log.warn({ company_id, channel_id: chat.id, conversation_id }, 'a chat could not become a lead')
}
