// Tracks the call that is running, so that the connections it takes count towards its company's share.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { PoolClient } from 'pg'
import { cancelStatement } from '../platform/cancel.ts'
import type { Pools } from '../platform/pools.ts'
import { isReplicaFailure } from '../platform/replica.ts'
import type { Caller } from './context.ts'
import { createShares } from './fair-shares.ts'

type Call = {
  caller: Caller
  isRead: boolean
  isHeavy: boolean
  /** The number of connections that the call holds. */
  held: number
  replica: 'unused' | 'used' | 'avoided'
}

const current = new AsyncLocalStorage<Call>()

/** A read that a failure of the replica has ended is done again on the primary. */
export async function duringCall<T>(given: Omit<Call, 'held' | 'replica'>, work: () => Promise<T>) {
  const call: Call = { ...given, held: 0, replica: 'unused' }
  try {
    return await current.run(call, work)
  } catch (error) {
    if (call.replica !== 'used' || !isReplicaFailure(error)) throw error
    return current.run({ ...given, held: 0, replica: 'avoided' }, work)
  }
}

/** For work of several calls together: it counts for none of them. */
export const outsideCalls = <T>(work: () => T) => current.exit(work)

const shares = {
  work: { perUser: 4, perCompany: 6, mostWaiting: 100, patienceMs: 5000 },
  heavy: { perUser: 1, perCompany: 1, mostWaiting: 5, patienceMs: 20_000 },
}

/** Limits the connections per company and user, and cancels a read when its client disconnects. */
export function poolForCalls({ work, heavy, replica }: Pools) {
  const take = { work: createShares(shares.work), heavy: createShares(shares.heavy) }

  async function fromReplica(call: Call) {
    if (!call.isHeavy || !call.isRead || call.replica === 'avoided') return
    const client = await replica?.connect()
    if (client) call.replica = 'used'
    return client
  }

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
      const client = (await fromReplica(call)) ?? (await (lane === 'heavy' ? heavy : work).connect())
      track(call, client, releaseShare)
      return client
    } catch (error) {
      call.held--
      releaseShare()
      throw error
    }
  }

  function track(call: Call, client: PoolClient, releaseShare: () => void) {
    const release = client.release.bind(client)
    let cancelling: Promise<unknown> | undefined
    const stopListening = call.isRead
      ? call.caller.onDisconnect?.(() => {
          cancelling = cancelStatement(client)
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
