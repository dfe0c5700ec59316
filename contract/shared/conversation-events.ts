// What changed in a conversation: stored as data, worded by conversation-event-text.ts.
import * as z from 'zod'

const id = z.uuid()
const noFields = [
  'reopened',
  'reopened_by_message',
  'closed',
  'marked_as_spam',
  'merge_undone',
  'split_undone',
] as const

export const ConversationEvent = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.enum([...noFields, 'message_cancelled']) }),
    z.strictObject({ type: z.literal('snoozed'), until: z.iso.datetime() }),
    z.strictObject({ type: z.literal('assigned'), user_id: id.nullable(), user_name: z.string().nullable() }),
    z.strictObject({ type: z.enum(['label_added', 'label_removed']), label_id: id, label_name: z.string() }),
    z.strictObject({ type: z.literal('merged'), conversation_id: id, subject: z.string() }),
    z.strictObject({ type: z.literal('split'), conversation_id: id, subject: z.string(), message_count: z.int() }),
    z.strictObject({ type: z.literal('visitor_identified'), email: z.string(), is_verified: z.boolean() }),
    z.strictObject({ type: z.literal('target_missed'), target: z.enum(['response', 'resolution']) }),
  ])
  .meta({ id: 'ConversationEvent' })
export type ConversationEvent = z.output<typeof ConversationEvent>
