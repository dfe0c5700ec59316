// Events of the inbox. The history of records does not have them, so they are stored after they happened, each with
// the conversation as it is then and without texts. The inbox emits none for private mailboxes.

import type { InboxEventType, WebhookPayload } from '../../../contract/record-events.ts'
import { pages } from '../../../contract/shared/pages.ts'
import type { Actor } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import type { Db } from '../../platform/db.ts'
import { audiencesFor } from '../rights/audiences.ts'

/** Conversations are no object, but events name them as one. */
export const inboxObject = 'conversations'

export type InboxEvent = {
  id: string
  type: InboxEventType
  at: Date
  version: number
  record: {
    id: string
    subject: string
    state: string
    assignee_id: string | null
    channel_id: string
    channel_name: string
    message: { id: string; direction: string; state: string } | null
  }
}

type EventQuery = { where(params: Params): (string | false | undefined)[]; order: 'asc' | 'desc'; limit: number }

/** `where`: conditions on events `e`. Only what all of the company may read now. */
export async function readInboxEvents(db: Db, actor: Actor, { where, order, limit }: EventQuery) {
  const audiences = await openAudiences(db, actor)
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  const conditions = where(params).filter((condition) => !!condition)
  return run<InboxEvent>(
    db,
    `select e.id, e.type, e.at, e.version, e.record from inbox_events e
      join conversations v on v.company_id = ${company} and v.id = e.conversation_id
      where ${[`e.company_id = ${company}`, `v.audience = any(${params.add(audiences, 'uuid[]')})`, ...conditions].join(' and ')}
      order by e.id ${order} limit ${params.add(limit, 'int')}`,
    params,
  )
}

/** Excludes the caller's private mailboxes: events must be the same for every caller. */
export async function openAudiences(db: Db, actor: Actor) {
  const { ids, privateIds } = await audiencesFor(db, actor)
  return ids.filter((id) => !privateIds.has(id))
}

type Reader = { actor: Actor; baseUrl: URL }

export function inboxPayloadOf(
  { actor, baseUrl }: Reader,
  { id, type, at, version, record }: InboxEvent,
  { replay = false, test = false } = {},
): WebhookPayload {
  return {
    id,
    type,
    at: at.toISOString(),
    company: { id: actor.company_id, name: actor.company_name },
    principal: {
      kind: 'channel',
      id: record.channel_id,
      name: record.channel_name,
      via: 'automation',
      api_key_id: null,
      api_key_name: null,
      client: null,
    },
    object: inboxObject,
    record_id: record.id,
    version,
    record,
    changed_fields: [],
    fields: {},
    change_set_id: id.replace('test.', ''),
    bulk: false,
    link: baseUrl.origin + pages.conversation.replace(':id', record.id),
    is_shortened: false,
    replay,
    test,
  }
}
