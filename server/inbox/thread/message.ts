// A message as it is stored and as callers see it.
import type { output } from 'zod'
import type { Message } from '../../../contract/conversations.ts'
import { eventText } from '../../../contract/shared/conversation-event-text.ts'
import type { ConversationEvent } from '../../../contract/shared/conversation-events.ts'

export type ShownMessage = output<typeof Message>
export type MessageFile = {
  id: string
  name: string
  type: string
  size: number
  is_inline: boolean
  content_id: string | null
}

export type MessageRow = {
  id: string
  conversation_id: string
  channel_id: string
  kind: string
  direction: string | null
  at: Date
  user_id: string | null
  api_key_id: string | null
  approved_by: string | null
  from_address: string | null
  from_name: string | null
  reply_address: string | null
  recipients: ShownMessage['recipients']
  subject: string
  text: string
  quote_at: number | null
  has_html: boolean
  files: MessageFile[]
  remote_images: number
  state: string
  state_reason: string | null
  send_at: Date | null
  provider_id: string | null
  reply_to_id: string | null
  is_automatic: boolean
  rule_id: string | null
  rule_name: string | null
  event: ConversationEvent | null
  edited_at: Date | null
  deleted_at: Date | null
  earlier: { text: string }[]
  warnings: string[]
}

/** The columns of `m` that `shownMessage` needs. */
export const messageColumns = `m.id, m.conversation_id, m.channel_id, m.kind, m.direction, m.at, m.user_id, m.api_key_id,
  m.from_address, m.from_name, m.reply_address, m.recipients, m.subject, m.text, m.quote_at, m.html is not null as has_html, m.files,
  m.remote_images, m.state, m.state_reason, m.send_at, m.provider_id, m.reply_to_id, m.is_automatic, m.edited_at,
  m.deleted_at, m.earlier, m.rule_id, m.data ->> 'rule' as rule_name, m.data -> 'event' as event,
  m.data ->> 'approved_by' as approved_by, coalesce(m.data -> 'warnings', '[]') as warnings`

export function shownMessage({ api_key_id, text, quote_at, files, earlier, ...row }: MessageRow): ShownMessage {
  return {
    ...row,
    kind: row.kind as ShownMessage['kind'],
    direction: row.direction as ShownMessage['direction'],
    state: row.state as ShownMessage['state'],
    at: row.at.toISOString(),
    send_at: row.send_at?.toISOString() ?? null,
    edited_at: row.edited_at?.toISOString() ?? null,
    deleted_at: row.deleted_at?.toISOString() ?? null,
    earlier_texts: earlier.map((one) => one.text),
    via_agent: api_key_id !== null,
    text: row.event ? eventText(row.event) : quote_at === null ? text : text.slice(0, quote_at).trimEnd(),
    quote: quote_at === null ? null : text.slice(quote_at),
    files: files.map(({ id, name, type, size, is_inline }) => ({ id, name, type, size, is_inline })),
  }
}
