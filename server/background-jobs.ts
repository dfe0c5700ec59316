import type { EventName, EventPayload } from '../contract/shared/events.ts'
import { pruneKeyUses } from './accounts/api-keys/uses.ts'
import { pruneSignInDevices } from './accounts/credentials/devices.ts'
import { pruneSignInFailures } from './accounts/credentials/throttle.ts'
import { accountLinkJobs } from './accounts/links/jobs.ts'
import { pruneAccountLinks } from './accounts/links/queries.ts'
import { prunePasskeyChallenges } from './accounts/passkeys/queries.ts'
import { pruneSessions, pruneSignInSteps } from './accounts/sessions/queries.ts'
import { signUpJobs } from './accounts/set-up/jobs.ts'
import { pruneSignUpLinks } from './accounts/set-up/links.ts'
import { pruneNamedAddresses } from './accounts/users/addresses.ts'
import { pruneAudit } from './audit/queries.ts'
import { auditJobs } from './audit/seal.ts'
import { gatewayJobs } from './channels/api/silent-gateways.ts'
import { mailboxJobs, mailboxSubscriptions } from './channels/email/jobs.ts'
import type { MailboxServices } from './channels/email/mailbox.ts'
import type { ProviderAddresses } from './channels/gateway/call-provider.ts'
import { pruneGatewayPosts } from './channels/gateway/prune-posts.ts'
import { demoJobs, demoSubscriptions } from './demo/jobs.ts'
import { exportStep } from './engine/csv/export-job.ts'
import { importStep } from './engine/csv/import-job.ts'
import { pruneImportRows } from './engine/csv/import-waiting.ts'
import { undoStep } from './engine/history/undo-job.ts'
import { objectJobs } from './engine/objects/jobs.ts'
import { activityJobs } from './engine/records/activity-jobs.ts'
import { bulkDeleteStep, bulkUpdateStep } from './engine/records/bulk.ts'
import { recordJobs } from './engine/records/jobs.ts'
import type { DeliveryHandlers } from './engine/subscriptions/deliver/delivery.ts'
import { viewJobs } from './engine/views/jobs.ts'
import { pruneTrash, purgeStep } from './engine/write/purge.ts'
import { type Files, pruneFiles } from './files/queries.ts'
import { fileJobs } from './files/sweep.ts'
import { channelChanged } from './inbox/access/announce.ts'
import type { ChannelKinds } from './inbox/channels/channel.ts'
import { inboxJobs, inboxSubscriptions } from './inbox/jobs.ts'
import { pruneRuleRuns, ruleJobs } from './inbox/rules/jobs.ts'
import { targetJobs } from './inbox/targets/jobs.ts'
import type { JobHandlers } from './jobs/job.ts'
import { findDueWork } from './kernel/due-work.ts'
import { pruneIdempotencyKeys } from './kernel/idempotency.ts'
import type { LiveMessagesOf, QueuesOf, Subscriptions } from './kernel/outbox.ts'
import type { Jobs } from './kernel/queue.ts'
import { pruneLeadDeliveries, sendingJobs, sendingSubscriptions } from './lead-routing/jobs.ts'
import { leadJobs, leadSubscriptions } from './leads/forms/jobs.ts'
import { pruneSubmissions } from './leads/forms/prune-submissions.ts'
import type { Mailer } from './mail/mailer.ts'
import { deliverMatches } from './notifications/deliver-matches.ts'
import { notificationJobs } from './notifications/jobs.ts'
import { pruneNotifications } from './notifications/queries.ts'
import { pictureJobs } from './pictures/jobs.ts'
import type { Db } from './platform/db.ts'
import type { Offload } from './platform/offload.ts'
import type { Outbound } from './platform/public-fetch.ts'
import type { Vault } from './platform/vault.ts'
import { pruneRequests } from './requests/queries.ts'
import { noteUnsent } from './webhooks/log-unsent.ts'
import { pruneInboxEvents, pruneWebhookDeliveries } from './webhooks/prune-deliveries.ts'
import { queueEvents } from './webhooks/queue-events.ts'
import { inboxEventJobs } from './webhooks/queue-inbox-events.ts'
import { replayStep } from './webhooks/replay.ts'

export type JobServices = {
  baseUrl: URL
  mailer: Mailer
  vault: Vault
  openSignup: boolean
  demo: boolean
  files: Files
  offload: Offload
  outbound: Outbound
  channelKinds: ChannelKinds
  mailboxes: MailboxServices
  providers: ProviderAddresses
  /** Connected as the role that owns the tables. */
  ownerDb: Db
  /** For long reads, such as exports. */
  heavyDb: Db
}

type Prune = (db: Db, now: Date) => Promise<unknown>

const prunes: Prune[] = [
  pruneSessions,
  pruneSignInSteps,
  pruneSignInFailures,
  pruneSignInDevices,
  prunePasskeyChallenges,
  pruneAccountLinks,
  pruneSignUpLinks,
  pruneNamedAddresses,
  pruneIdempotencyKeys,
  pruneRequests,
  pruneKeyUses,
  pruneNotifications,
  pruneTrash,
  pruneFiles,
  pruneImportRows,
  pruneWebhookDeliveries,
  pruneInboxEvents,
  pruneRuleRuns,
  pruneSubmissions,
  pruneLeadDeliveries,
  pruneGatewayPosts,
]

/** All background jobs. */
export const jobs = (services: JobServices): Jobs => ({
  prune: {
    cron: '17 * * * *',
    async run({ db, now, log }) {
      // One that fails is tried again in an hour and does not hold up the others.
      const attempt = (prune: Prune, pruned: Db) =>
        prune(pruned, now).catch((err) => log.error({ err, prune: prune.name }, 'old data could not be removed'))
      for (const prune of prunes) await attempt(prune, db)
      await attempt(pruneAudit, services.ownerDb)
    },
  },
  ...auditJobs(services),
  ...accountLinkJobs(services),
  ...signUpJobs(services),
  ...notificationJobs(services),
  ...objectJobs,
  ...viewJobs,
  ...fileJobs(services),
  ...pictureJobs(services),
  ...recordJobs,
  ...activityJobs,
  ...leadJobs(services),
  ...sendingJobs,
  ...inboxJobs,
  ...ruleJobs(services),
  ...targetJobs,
  ...inboxEventJobs(services),
  ...mailboxJobs,
  ...gatewayJobs,
  ...demoJobs(services),
  find_due_work: {
    cron: '*/10 * * * *',
    atStart: true,
    concurrency: 1,
    retries: 0,
    run: ({ db }) => findDueWork(db),
  },
})

/** The jobs that people and agents see, by kind. */
export const jobHandlers = (services: Pick<JobServices, 'files' | 'heavyDb' | 'baseUrl'>): JobHandlers => ({
  bulk_update: bulkUpdateStep,
  bulk_delete: bulkDeleteStep,
  purge: purgeStep,
  undo: undoStep,
  import: importStep(services),
  export: exportStep(services),
  replay: replayStep(services.baseUrl),
})

/** What happens with changes that matched a subscription, by its kind. */
export const deliveryHandlers = ({ mailer, baseUrl }: JobServices): DeliveryHandlers => ({
  notification: deliverMatches(mailer),
  webhook: queueEvents(baseUrl),
  givenUp: noteUnsent,
})

const whenLeaving = [
  'reassign_records',
  'pass_on_lead_sources',
  'pass_on_lead_destinations',
  'pass_on_inbox_rules',
  'leave_channels',
]

/** The background jobs that each event starts. */
export const subscriptions: Subscriptions = {
  'user.invited': ['send_invitation', 'notify'],
  'user.joined': ['notify'],
  'user.deactivated': whenLeaving,
  'user.removed': whenLeaving,
  'company.rates_changed': ['revalue_money'],
  'object.reindexed': ['reindex_object'],
  'activity.changed': ['update_organization_activity', 'note_first_response'],
  'record.assigned': ['notify'],
  'record.changed_by_agent': ['notify'],
  'record.mentioned': ['notify'],
  'note.replied': ['notify'],
  'user.role_changed': ['notify'],
  'user.account_changed': ['notify'],
  'api_key.created': ['notify'],
  'webhook.disabled': ['notify'],
  'mail.changed': ['notify'],
  'password.reset_requested': ['send_reset'],
  'sign_up.requested': ['send_sign_up'],
  'user.email_change_requested': ['send_email_confirmation'],
  'user.email_changed': ['send_email_changed'],
  'notification.mail_queued': ['send_notification'],
  ...leadSubscriptions,
  ...sendingSubscriptions,
  ...inboxSubscriptions,
  ...mailboxSubscriptions,
  ...demoSubscriptions,
}

/** The queues in which each event announces work. */
export const queuesOf: QueuesOf = {
  'deliveries.queued': ['deliveries'],
  'job.created': ['jobs'],
  'job.cancelled': ['jobs'],
  'lead.queued': ['leads'],
  'message.queued': ['messages'],
  'webhook.queued': ['webhooks'],
  // What waits for a channel that was disconnected is refused.
  'channel.changed': ['messages', 'mailboxes', 'bots'],
}

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
