import { sql } from 'kysely'
import { channelAbilities } from '../../../contract/channels.ts'
import type { ChannelKind, ChannelRow, ProviderTemplate } from '../../inbox/channels/channel.ts'
import type { Db } from '../../platform/db.ts'
import { dayMs } from '../../platform/times.ts'
import type { ProviderAccess } from '../gateway/call-provider.ts'
import { keyOf } from '../gateway/items.ts'
import { send } from './send.ts'

const windowMs = dayMs

export const whatsappKind = (parts: ProviderAccess): ChannelKind => ({
  can: channelAbilities.whatsapp,
  keyOf: (channel, { messageId }) => ({ key: keyOf(channel, messageId), providerId: messageId }),
  refusal: (channel, message, now, db) => refusalOf(db, channel, message, now),
  send: (channel, message) => send(parts, channel, message),
})

/** Free text is allowed for a day after the last message of the customer. */
async function refusalOf(
  db: Db,
  { company_id, id }: ChannelRow,
  { conversationId, template }: { conversationId: string | null; template: ProviderTemplate | null },
  now: Date,
) {
  if (template) return null
  const { rows } = await sql<{ at: Date | null }>`
    select max(at) as at from messages where company_id = ${company_id} and conversation_id = ${conversationId}
      and channel_id = ${id} and direction = 'in'`.execute(db)
  const last = rows[0]?.at
  const until = last && new Date(last.getTime() + windowMs)
  if (until && until > now) return null
  const was = until
    ? `WhatsApp allows free text for 24 hours after the last message of the customer: until ${until.toISOString()}.`
    : 'WhatsApp allows free text only after the customer has written.'
  return `${was} Send a template instead.`
}
