// How many requests may be open at the same time. Each kind of caller has its own limits, so that strangers, long polls
// and slow downloads never use up what signed-in users and other companies need.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../kernel/app-error.ts'
import type { Actor } from '../kernel/context.ts'
import { network } from '../platform/network.ts'

export type OpenLimits = typeof usual
const usual = {
  /** Requests whose caller is still being looked up, and those that are refused. Both are short. */
  unidentified: 1000,
  /** With fewer open requests than `few`, a company or network has twice the total: the others cannot keep it out. */
  users: { each: 100, company: 500, few: 10, all: 1000 },
  /** Calls without a valid session or key, per network. */
  strangers: { each: 50, few: 2, all: 500 },
  /** Long polls of website visitors, per network. */
  visitorPolls: { each: 60, few: 2, all: 3000 },
  /** Posts whose channel is still being looked up. */
  lookups: 300,
  gateways: { each: 100, company: 200, few: 5, all: 500 },
  gatewayPolls: { each: 5, company: 300, few: 5, all: 3000 },
  /** Pages and files of the web app, per network, or per session if it is known. */
  downloads: { each: 200, session: 100, all: 1000 },
}

/** Where a request is counted. */
export type Counted = { ids: string[]; isClosed: boolean; isHurried: boolean }
type Share = [id: string, most: number, refusal: () => AppError]
export type OpenRequests = ReturnType<typeof createOpenRequests>

export function createOpenRequests(given: Partial<OpenLimits> = {}) {
  const limits = { ...usual, ...given }
  const open = new Map<string, number>()

  const add = (ids: string[], change: 1 | -1) => {
    for (const id of ids) {
      const count = (open.get(id) ?? 0) + change
      if (count) open.set(id, count)
      else open.delete(id)
    }
  }

  /** A request that is refused stays where it was counted, until its answer is sent. */
  function move({ counted }: FastifyRequest, shares: Share[]) {
    if (!counted || counted.isClosed) return
    const full = shares.find(([id, most]) => (open.get(id) ?? 0) >= most)
    if (full) throw full[2]()
    add(counted.ids, -1)
    counted.ids = shares.map(([id]) => id)
    add(counted.ids, 1)
  }

  function total(kind: 'users' | 'strangers' | 'visitorPolls' | 'gateways' | 'gatewayPolls', own: string): Share {
    const { few, all } = limits[kind]
    return [kind, (open.get(own) ?? 0) < few ? 2 * all : all, overloaded]
  }

  /** The body of a hurried request has little time to arrive. */
  function hurry({ counted }: FastifyRequest, isHurried: boolean) {
    if (counted) counted.isHurried = isHurried
  }

  return {
    arrive(request: FastifyRequest, { raw }: FastifyReply) {
      const counted: Counted = { ids: [], isClosed: false, isHurried: false }
      request.counted = counted
      raw.once('close', () => {
        counted.isClosed = true
        add(counted.ids, -1)
      })
      move(request, [['unidentified', limits.unidentified, overloaded]])
    },

    /** Live streams have limits of their own (kernel/live.ts). */
    asUser(request: FastifyRequest, { company_id, user_id }: Pick<Actor, 'company_id' | 'user_id'>) {
      const { each, company } = limits.users
      if (request.routeOptions.config.waits) return move(request, [])
      move(request, [
        [`user ${user_id}`, each, () => tooMany('You have')],
        [`company ${company_id}`, company, () => tooMany('Your company has')],
        total('users', `company ${company_id}`),
      ])
    },

    asStranger(request: FastifyRequest) {
      const kind = request.routeOptions.config.waits ? 'visitorPolls' : 'strangers'
      const own = `${kind} ${network(request.ip)}`
      hurry(request, true)
      move(request, [[own, limits[kind].each, fullNetwork], total(kind, own)])
    },

    asLookup(request: FastifyRequest) {
      hurry(request, true)
      move(request, [['lookups', limits.lookups, overloaded]])
    },

    /** Posts to an existing channel. The signature is verified once the body has arrived. */
    asGateway(request: FastifyRequest, { company_id, id }: { company_id: string; id: string }, isLarge: boolean) {
      const kind = request.routeOptions.config.waits ? 'gatewayPolls' : 'gateways'
      const { each, company } = limits[kind]
      hurry(request, !isLarge)
      move(request, [
        [`${kind} ${id}`, each, () => tooMany('This channel has')],
        [`${kind} of ${company_id}`, company, () => tooMany('The channels of this company have')],
        total(kind, `${kind} of ${company_id}`),
      ])
    },

    /** `session`: a name for the session, if it was recognized lately. */
    asDownload(request: FastifyRequest, session: string | null) {
      const { each, session: ofSession, all } = limits.downloads
      if (session) return move(request, [[`downloads of ${session}`, ofSession, () => tooMany('You have')]])
      move(request, [
        [`downloads ${network(request.ip)}`, each, fullNetwork],
        ['downloads', all, overloaded],
      ])
    },
  }
}

const overloaded = () => new AppError('unavailable', 'The server is busy. Retry in a few seconds.', { retryAfter: 2 })

const tooMany = (who: string) =>
  new AppError('too_many_requests', `${who} too many requests open at the same time. Wait for some to finish.`, {
    retryAfter: 2,
  })

const fullNetwork = () =>
  new AppError('too_many_requests', 'Too many requests from your network are open at the same time. Retry in 2 s.', {
    retryAfter: 2,
  })
