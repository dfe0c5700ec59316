import type { EventName } from '../contract/events.ts'
import { pruneKeyUses } from './accounts/keys/uses.ts'
import { accountLinkJobs } from './accounts/links/jobs.ts'
import { pruneAccountLinks } from './accounts/links/queries.ts'
import { prunePasskeyChallenges } from './accounts/passkeys/queries.ts'
import { pruneSignInDevices } from './accounts/sessions/devices.ts'
import { pruneSessions, pruneSignInSteps } from './accounts/sessions/queries.ts'
import { pruneSignInFailures } from './accounts/sessions/throttle.ts'
import { signUpJobs } from './accounts/set-up/jobs.ts'
import { pruneSignUpLinks } from './accounts/set-up/links.ts'
import { pruneNamedAddresses } from './accounts/users/addresses.ts'
import { pruneAudit } from './audit/queries.ts'
import { auditJobs } from './audit/seal.ts'
import { demoJobs, demoSubscriptions } from './demo/jobs.ts'
import { activityJobs } from './engine/records/activity-jobs.ts'
import { recordJobs } from './engine/records/jobs.ts'
import { pruneTrash } from './engine/write/purge.ts'
import { pruneIdempotencyKeys } from './kernel/idempotency.ts'
import type { Jobs } from './kernel/jobs.ts'
import type { LiveMessagesOf, Subscriptions } from './kernel/outbox.ts'
import type { Mailer } from './mail/mailer.ts'
import { notificationJobs } from './notifications/jobs.ts'
import { pruneNotifications } from './notifications/queries.ts'
import type { Db } from './platform/db.ts'
import { pruneRequests } from './requests/queries.ts'

export type JobHouse = {
  baseUrl: URL
  mailer: Mailer
  openSignup: boolean
  demo: boolean
  /** Of the role that owns the tables. */
  ownerDb: Db
}

const prunes = [
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
]

/** Every job of the product. */
export const jobs = (services: JobHouse): Jobs => ({
  prune: {
    cron: '17 * * * *',
    async run({ db, now }) {
      for (const prune of prunes) await prune(db, now)
      await pruneAudit(services.ownerDb, now)
    },
  },
  ...auditJobs(services),
  ...accountLinkJobs(services),
  ...signUpJobs(services),
  ...notificationJobs(services),
  ...recordJobs,
  ...activityJobs,
  ...demoJobs(services),
})

/** Which jobs an event starts. Areas that listen to events add their jobs here. */
export const subscriptions: Subscriptions = {
  'user.invited': ['send_invitation', 'notify'],
  'user.joined': ['notify'],
  'user.deactivated': ['reassign_records'],
  'user.removed': ['reassign_records'],
  'company.rates_changed': ['revalue_money'],
  'object.reindexed': ['reindex_object'],
  'activity.changed': ['update_organization_activity'],
  'user.role_changed': ['notify'],
  'user.account_changed': ['notify'],
  'api_key.created': ['notify'],
  'mail.changed': ['notify'],
  'password.reset_requested': ['send_reset'],
  'sign_up.requested': ['send_sign_up'],
  'user.email_change_requested': ['send_email_confirmation'],
  'user.email_changed': ['send_email_changed'],
  'notification.mail': ['send_notification'],
  ...demoSubscriptions,
}

/** Whose sessions an event makes doubtful: those of one user, or of everybody. */
const accessChangedFor: { [Name in EventName]?: 'user' | 'company' } = {
  'user.access_changed': 'user',
  'role.updated': 'company',
}

/** Events that everybody in the company may know of. */
const toldToAll = new Set<EventName>([
  'company.updated',
  'user.created',
  'user.updated',
  'user.joined',
  'user.deactivated',
  'user.removed',
  'user.role_changed',
  'role.updated',
  'schema.updated',
])

/** What open pages are told of an event: names and ids, never content. */
export const liveMessagesOf: LiveMessagesOf = ({ company_id, event, payload }) => {
  const { user_id, object } = payload as { user_id?: string; object?: string }
  // Not which ones: a thousand changes at once are one message, and a page asks again for what it shows.
  if (event.startsWith('record.')) return [{ company_id, event: 'records', data: { object } }]
  const whose = accessChangedFor[event]
  const access = { company_id, event: 'access', ...(whose === 'user' && user_id && { user_id }) }
  const told = { company_id, event, data: idsIn(payload as object) }
  return [...(whose ? [access] : []), ...(toldToAll.has(event) ? [told] : [])]
}

const idsIn = (payload: object) => Object.fromEntries(Object.entries(payload).filter(([key]) => /(^|_)id$/.test(key)))
