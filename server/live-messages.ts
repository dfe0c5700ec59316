// What open pages hear of events.
import type { EventName, EventPayload } from '../contract/shared/events.ts'
import { channelChanged } from './inbox/access/announce.ts'
import type { LiveMessagesOf } from './kernel/outbox.ts'

/** Events that change what a user, or everyone in the company, may do. */
const accessChangedFor: { [Name in EventName]?: 'user' | 'company' } = {
  'user.access_changed': 'user',
  'role.updated': 'company',
}

/** Events that everyone in the company may see. */
const companyWideEvents = new Set<EventName>([
  'company.updated',
  'user.created',
  'user.updated',
  'user.joined',
  'user.deactivated',
  'user.removed',
  'user.role_changed',
  'role.updated',
  'schema.updated',
  'webhook.changed',
  'webhook.disabled',
  'lead_sending.changed',
  'inbox_rules.changed',
  'working_hours.changed',
])

/** Events about records whose changes have an event of their own. */
const unheard = new Set<EventName>([
  'record.assigned',
  'record.changed_by_agent',
  'record.mentioned',
  // Pages hear of it when the duplicates were found.
  'record.comparison_changed',
  'deliveries.queued',
])

/** Events about a conversation that everyone may read. Private ones have none of these. */
const aboutConversation = new Set<EventName>([
  'conversation.created',
  'conversation.assigned',
  'conversation.closed',
  'conversation.overdue',
  'message.received',
  'message.sent',
  'message.failed',
])

const conversationsChanged = (
  company_id: string,
  { conversation_ids: ids, user_id }: EventPayload<'conversation.changed'>,
) => ({ company_id, ...(user_id && { user_id }), event: 'conversations', data: { ids } })

const proposalChanged = (
  company_id: string,
  event: EventName,
  { proposal_id, reader_id }: EventPayload<'proposal.made'>,
) => ({ company_id, ...(reader_id && { user_id: reader_id }), event, data: { proposal_id } })

/** The messages that open pages receive about an event: names and ids, never content. */
export const liveMessagesOf: LiveMessagesOf = ({ company_id, event, payload }) => {
  const { user_id, object } = payload as { user_id?: string; object?: string }
  // Without record IDs, so that a thousand changes are one message. Each page reloads what it shows.
  if (unheard.has(event)) return []
  if (event.startsWith('record.')) return [{ company_id, event: 'records', data: { object } }]
  if (event === 'job.created' || event === 'job.cancelled')
    return [{ company_id, event: 'jobs', data: idsIn(payload as object) }]
  if (event === 'channel.changed') {
    const { channel_id } = payload as EventPayload<typeof event>
    return [channelChanged({ company_id, id: channel_id, owner_id: user_id ?? null, is_shared: false })]
  }
  if (event === 'dashboard.changed') {
    const { dashboard_id } = payload as EventPayload<typeof event>
    return [{ company_id, ...(user_id && { user_id }), event, data: { dashboard_id } }]
  }
  if (event.startsWith('proposal.'))
    return [proposalChanged(company_id, event, payload as EventPayload<'proposal.made'>)]
  if (event === 'message_draft.changed') return [{ company_id, ...(user_id && { user_id }), event, data: {} }]
  if (event === 'conversation.changed') return [conversationsChanged(company_id, payload as EventPayload<typeof event>)]
  if (aboutConversation.has(event)) {
    const { conversation_id } = payload as { conversation_id: string }
    return [conversationsChanged(company_id, { conversation_ids: [conversation_id], user_id: null })]
  }
  const affected = accessChangedFor[event]
  const access = { company_id, event: 'access', ...(affected === 'user' && user_id && { user_id }) }
  const message = { company_id, event, data: idsIn(payload as object) }
  return [...(affected ? [access] : []), ...(companyWideEvents.has(event) ? [message] : [])]
}

const idsIn = (payload: object) => Object.fromEntries(Object.entries(payload).filter(([key]) => /(^|_)id$/.test(key)))
