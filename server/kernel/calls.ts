// Tracks the call that is running, so that the connections it takes count towards its company's share.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { PoolClient } from 'pg'
import type { Pools } from '../platform/pools.ts'
import type { Caller } from './context.ts'
import { createShares } from './fair-shares.ts'

type Call = {
  caller: Caller
  isRead: boolean
  isHeavy: boolean
  /** The number of connections that the call holds. */
  held: number
}

const current = new AsyncLocalStorage<Call>()

export const duringCall = <T>(call: Omit<Call, 'held'>, work: () => Promise<T>) =>
  current.run({ ...call, held: 0 }, work)

/** For work of several calls together: it counts for none of them. */
export const outsideCalls = <T>(work: () => T) => current.exit(work)

const shares = {
  work: { perUser: 4, perCompany: 6, mostWaiting: 100, patienceMs: 5000 },
  heavy: { perUser: 1, perCompany: 1, mostWaiting: 5, patienceMs: 20_000 },
}

/** Limits the connections per company and user, and cancels a read when its client disconnects. */
export function poolForCalls({ auth, work, heavy }: Pools) {
  const take = { work: createShares(shares.work), heavy: createShares(shares.heavy) }
  const cancel = (client: Running) => auth.query('select pg_cancel_backend($1)', [client.processID])

  async function connect(): Promise<PoolClient> {
    const call = current.getStore()
    if (!call) return work.connect()
    // Two writers that each hold one connection and wait for another would deadlock.
    if (call.held && !call.isRead) throw new Error('A call that writes must not take a second connection')
    call.held++
    const { actor, ip, visit } = call.caller
    const lane = call.isHeavy ? 'heavy' : 'work'
    let releaseShare = () => {}
    try {
      // Visitors of a company's forms and chats share connections among themselves, so that they slow down neither those
      // of other companies nor its users. They have no share per company named: anyone could make up companies.
      releaseShare = await take[lane](actor?.company_id ?? 'signed out', actor?.user_id ?? visit?.company_id ?? ip)
      const client = (await (lane === 'heavy' ? heavy : work).connect()) as Running
      track(call, client, releaseShare)
      return client
    } catch (error) {
      call.held--
      releaseShare()
      throw error
    }
  }

  function track(call: Call, client: Running, releaseShare: () => void) {
    const release = client.release.bind(client)
    let cancelling: Promise<unknown> | undefined
    const stopListening = call.isRead
      ? call.caller.onDisconnect?.(() => {
          // The statement then finishes, or runs into its time limit.
          cancelling = cancel(client).catch(() => {})
        })
      : undefined
    client.release = (error) => {
      call.held--
      stopListening?.()
      releaseShare()
      // Wait for the cancellation, which must not hit the next query on this connection.
      if (cancelling) void cancelling.finally(() => release(error))
      else release(error)
    }
  }

  return { connect, end: async () => {}, options: {} }
}

type Running = PoolClient & { processID: number }
