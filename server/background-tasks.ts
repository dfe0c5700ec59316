import { pruneKeyUses } from './accounts/api-keys/uses.ts'
import { pruneSecrets } from './accounts/credentials/company-of-secret.ts'
import { pruneSignInDevices } from './accounts/credentials/devices.ts'
import { pruneSignInFailures } from './accounts/credentials/throttle.ts'
import { accountLinkTasks } from './accounts/links/background-tasks.ts'
import { pruneAccountLinks } from './accounts/links/queries.ts'
import { prunePasskeyChallenges } from './accounts/passkeys/queries.ts'
import { pruneSessions, pruneSignInSteps } from './accounts/sessions/queries.ts'
import { signUpTasks } from './accounts/set-up/background-tasks.ts'
import { pruneSignUpLinks } from './accounts/set-up/links.ts'
import { pruneNamedAddresses } from './accounts/users/addresses.ts'
import { pruneAudit } from './audit/queries.ts'
import { auditTasks } from './audit/seal.ts'
import { gatewayTasks } from './channels/api/silent-gateways.ts'
import { mailboxSubscriptions, mailboxTasks } from './channels/email/background-tasks.ts'
import type { MailboxServices } from './channels/email/mailbox.ts'
import type { ProviderAddresses } from './channels/gateway/call-provider.ts'
import { pruneGatewayPosts } from './channels/gateway/prune-posts.ts'
import { demoSubscriptions, demoTasks } from './demo/background-tasks.ts'
import { importStep } from './engine/csv/import-job.ts'
import { pruneImportShapes } from './engine/csv/import-shapes.ts'
import { pruneImportRows } from './engine/csv/import-waiting.ts'
import { exportStep } from './engine/exports/export-job.ts'
import { undoStep } from './engine/history/undo/undo-job.ts'
import { moveStep } from './engine/moves/move-job.ts'
import { objectTasks } from './engine/objects/background-tasks.ts'
import { recordTasks } from './engine/records/background-tasks.ts'
import { bulkDeleteStep, bulkUpdateStep } from './engine/records/bulk.ts'
import { mergeStep } from './engine/records/merge-job.ts'
import { activityTasks } from './engine/records/update-activity.ts'
import type { DeliveryHandlers } from './engine/subscriptions/deliver/delivery.ts'
import { viewTasks } from './engine/views/background-tasks.ts'
import { pruneTrash, purgeStep } from './engine/write/purge.ts'
import { type Files, pruneFiles } from './files/queries.ts'
import { fileTasks } from './files/sweep.ts'
import { inboxSubscriptions, inboxTasks } from './inbox/background-tasks.ts'
import type { ChannelKinds } from './inbox/channels/channel.ts'
import { pruneRuleRuns, ruleTasks } from './inbox/rules/background-tasks.ts'
import { targetTasks } from './inbox/targets/background-tasks.ts'
import type { JobHandlers } from './jobs/job.ts'
import { findDueWork } from './kernel/due-work.ts'
import { pruneIdempotencyKeys } from './kernel/idempotency.ts'
import type { QueuesOf, Subscriptions } from './kernel/outbox.ts'
import type { BackgroundTasks } from './kernel/queue.ts'
import { pruneLeadDeliveries, sendingSubscriptions, sendingTasks } from './lead-routing/background-tasks.ts'
import { leadSubscriptions, leadTasks } from './leads/forms/background-tasks.ts'
import { pruneSubmissions } from './leads/forms/prune-submissions.ts'
import type { Mailer } from './mail/mailer.ts'
import { notificationTasks } from './notifications/background-tasks.ts'
import { deliverMatches } from './notifications/deliver-matches.ts'
import { pruneNotifications } from './notifications/queries.ts'
import { pictureTasks } from './pictures/background-tasks.ts'
import type { Db } from './platform/db.ts'
import type { Offload } from './platform/offload.ts'
import type { Outbound } from './platform/public-fetch.ts'
import type { Vault } from './platform/vault.ts'
import { pruneRequests } from './requests/queries.ts'
import { noteUnsent } from './webhooks/log-unsent.ts'
import { pruneInboxEvents, pruneWebhookDeliveries } from './webhooks/prune-deliveries.ts'
import { queueEvents } from './webhooks/queue-events.ts'
import { inboxEventTasks } from './webhooks/queue-inbox-events.ts'
import { replayStep } from './webhooks/replay.ts'

export type BackgroundServices = {
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
  /** The moment whose data these show. */
  heavyAsOf: () => Date
}

type Prune = (db: Db, now: Date) => Promise<unknown>

const prunes: Prune[] = [
  pruneSessions,
  pruneSecrets,
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
  pruneImportShapes,
  pruneWebhookDeliveries,
  pruneInboxEvents,
  pruneRuleRuns,
  pruneSubmissions,
  pruneLeadDeliveries,
  pruneGatewayPosts,
]

/** All background tasks. */
export const backgroundTasks = (services: BackgroundServices): BackgroundTasks => ({
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
  ...auditTasks(services),
  ...accountLinkTasks(services),
  ...signUpTasks(services),
  ...notificationTasks(services),
  ...objectTasks,
  ...viewTasks,
  ...fileTasks(services),
  ...pictureTasks(services),
  ...recordTasks,
  ...activityTasks,
  ...leadTasks(services),
  ...sendingTasks,
  ...inboxTasks,
  ...ruleTasks(services),
  ...targetTasks,
  ...inboxEventTasks(services),
  ...mailboxTasks,
  ...gatewayTasks,
  ...demoTasks(services),
  find_due_work: {
    cron: '*/10 * * * *',
    atStart: true,
    concurrency: 1,
    retries: 0,
    run: ({ db }) => findDueWork(db),
  },
})

/** The jobs that people and agents see, by kind. */
export const jobHandlers = (
  services: Pick<BackgroundServices, 'files' | 'offload' | 'heavyDb' | 'heavyAsOf' | 'baseUrl'>,
): JobHandlers => ({
  bulk_update: bulkUpdateStep,
  bulk_delete: bulkDeleteStep,
  merge: mergeStep,
  purge: purgeStep,
  undo: undoStep,
  import: importStep(services),
  move: moveStep(services),
  export: exportStep(services),
  replay: replayStep(services.baseUrl),
})

/** What happens with changes that matched a subscription, by its kind. */
export const deliveryHandlers = ({ mailer, baseUrl }: BackgroundServices): DeliveryHandlers => ({
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

/** The background tasks that each event starts. */
export const subscriptions: Subscriptions = {
  'user.invited': ['send_invitation', 'notify'],
  'user.joined': ['notify'],
  'user.deactivated': whenLeaving,
  'user.removed': whenLeaving,
  'company.rates_changed': ['revalue_money'],
  'object.reindexed': ['reindex_object'],
  'record.comparison_changed': ['find_duplicates'],
  'activity.changed': ['update_organization_activity', 'note_first_response'],
  'duplicate_settings.updated': ['merge_certain_duplicates'],
  'duplicates.merged': ['notify'],
  'records.exported': ['notify'],
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
