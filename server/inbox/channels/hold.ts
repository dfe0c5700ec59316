// Channels that a process holds as long as it runs, such as mailboxes with an open connection. Exactly one process holds
// each. A channel is let go and claimed again when its settings change.
import { type RawBuilder, sql } from 'kysely'
import { makeDue, type QueueName } from '../../kernel/due-work.ts'
import { type Leased, leasesOf } from '../../kernel/leases.ts'
import type { Work } from '../../kernel/worker.ts'
import type { Db } from '../../platform/db.ts'

const isActive = sql`t.disconnected_at is null and t.deleted_at is null and t.state <> 'paused'`

/** A channel that was changed is wanted again (`wanted_at`), so its lease is not renewed. */
export const leasesOfChannels = (seconds: number) =>
  leasesOf('channels', seconds, sql`${isActive} and t.wanted_at is null`)

type Holding<Held extends Leased> = {
  queue: QueueName
  leases: ReturnType<typeof leasesOfChannels>
  /** Which channels `t`. */
  where: RawBuilder<unknown>
  columns: RawBuilder<unknown>
  renewMs: number
  /** At the same time, in one process. */
  most: number
  /** Until it is interrupted: the process stops, or the channel is not ours any more. */
  hold(channel: Held, signal: AbortSignal): Promise<unknown>
  failure: string
}

export function holdWork<Held extends Leased>(
  { db, clock }: { db: Db; clock: () => Date },
  { queue, leases, columns, renewMs, most, hold, failure, ...wanted }: Holding<Held>,
): Work<Held> {
  const where = sql`${wanted.where} and ${isActive}`

  /** Another process can take over at once. */
  async function letGo(channel: Held) {
    await leases.release(db, channel)
    await makeDue(db, [{ company_id: channel.company_id, queue, at: clock() }])
  }

  return {
    queue,
    atOnce: most,
    ofCompany: most,
    find: (company_id, limit) =>
      leases.claim<Held>(db, company_id, { where, order: sql`t.id`, limit, columns, set: sql`wanted_at = null` }),
    async perform(channel, signal) {
      await hold(channel, signal)
      await letGo(channel)
    },
    nextDue: (company_id, now) => leases.nextDue(db, company_id, now, { where }),
    renewing: { everyMs: renewMs, renew: (channel) => leases.renew(db, channel), interrupts: true },
    giveBack: letGo,
    failure,
    graceMs: 0,
  }
}
