import { pruneKeyUses } from './api-keys/uses.ts'
import { pruneIdempotencyKeys } from './kernel/idempotency.ts'
import type { Jobs } from './kernel/jobs.ts'
import type { Subscriptions } from './kernel/outbox.ts'
import { pruneRequests } from './requests/queries.ts'
import { pruneSessions } from './sessions/queries.ts'
import { pruneSignInFailures } from './sessions/throttle.ts'

/** Every job of the product. */
export const jobs: Jobs = {
  prune: {
    cron: '17 * * * *',
    async run({ db, now }) {
      for (const prune of [pruneSessions, pruneSignInFailures, pruneIdempotencyKeys, pruneRequests, pruneKeyUses])
        await prune(db, now)
    },
  },
}

/** Which jobs an event starts. Areas that listen to events add their jobs here. */
export const subscriptions: Subscriptions = {}
