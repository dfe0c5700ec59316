// Takes leads through the routes. One process at a time works on a lead: it holds a lease, which it renews while it does.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { companiesWaiting } from '../kernel/companies.ts'
import { announce } from '../kernel/live-channel.ts'
import { polling } from '../kernel/polling.ts'
import { type Db, isUnavailable } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { Services } from './deliver.ts'
import { LostLease } from './delivery.ts'
import { advance } from './router.ts'
import type { Routing } from './routing-state.ts'

/** How long a process may be silent before another one takes over. */
const leaseSeconds = 20
const renewMs = 4000
/** Leads that a process works on at the same time, in all and of one company, whose destinations may be slow. */
const atOnce = 128
const ofCompany = 16
const announceMs = 500
/** How long requests may go on when the process stops. */
const graceMs = 3000
/** After an error of ours. */
const pauseSeconds = 60

export type LeadRunner = ReturnType<typeof startLeadRunner>
type Leased = Routing & { leased_by: string }
type Parts = { db: Db; log: Log; clock: () => Date; services: Services }

export function startLeadRunner({ db, log, clock, services }: Parts) {
  const stopping = new AbortController()
  const working = new Map<string, Promise<void>>()
  const perCompany = new Map<string, number>()
  /** Their lease is given up as soon as the database is back. */
  const interrupted: Leased[] = []
  /** Companies whose pages were notified a moment ago, and whether something has changed since. */
  const resting = new Map<string, { isChanged: boolean }>()
  const poll = polling({ look, log, failure: 'leads could not be looked up' })

  async function look() {
    for (; interrupted[0]; interrupted.shift()) await release(interrupted[0], 0)
    for (const company_id of await companiesWaiting(db, 'lead_routings', 'next_at', clock())) {
      const free = Math.min(ofCompany - (perCompany.get(company_id) ?? 0), atOnce - working.size)
      if (poll.isStopped) return
      if (free > 0) for (const routing of await claim(company_id, free)) start(routing)
    }
  }

  /** Each time with a new name, so that work that lost its lease cannot go on, not even in this process. */
  async function claim(company_id: string, limit: number) {
    // As a condition of the update, PostgreSQL might run the inner query several times, each with the limit.
    const { rows } = await sql<Leased>`
      with due as materialized (
        select w.id from lead_routings w where w.company_id = ${company_id} and w.next_at <= ${clock()}
          and (w.leased_until is null or w.leased_until < now())
        order by w.next_at, w.id limit ${limit} for update skip locked)
      update lead_routings r set leased_by = ${randomUUID()}, leased_until = now() + make_interval(secs => ${leaseSeconds})
      from due where r.company_id = ${company_id} and r.id = due.id
      returning r.company_id, r.id, r.lead_id, r.destination_id, r.state, r.created_at, r.done_routes, r.waited_route, r.plan,
        r.trace, r.leased_by`.execute(db)
    return rows
  }

  function start(routing: Leased) {
    const { company_id, leased_by } = routing
    const count = (more: number) => perCompany.set(company_id, (perCompany.get(company_id) ?? 0) + more)
    count(1)
    const work = route(routing).finally(() => {
      working.delete(`${leased_by} ${routing.id}`)
      count(-1)
      poll.wake()
    })
    working.set(`${leased_by} ${routing.id}`, work)
  }

  async function route(routing: Leased) {
    const { company_id, id, leased_by } = routing
    const renewing = setInterval(() => {
      sql`update lead_routings set leased_until = now() + make_interval(secs => ${leaseSeconds})
        where company_id = ${company_id} and id = ${id} and leased_by = ${leased_by}`
        .execute(db)
        .catch((error) => {
          if (!isUnavailable(error))
            log.warn({ err: error, company_id, routing_id: id }, 'the lease of a lead was not renewed')
        })
    }, renewMs)
    try {
      await advance({ db, services, clock, signal: stopping.signal }, routing, leased_by)
      await tell(company_id)
    } catch (error) {
      if (error instanceof LostLease) return
      if (isUnavailable(error)) return void interrupted.push(routing)
      log.error({ err: error, company_id, routing_id: id }, 'a lead could not be sent')
      // An error of ours must not keep other leads from being sent.
      await release(routing, pauseSeconds).catch(() => interrupted.push(routing))
    } finally {
      clearInterval(renewing)
    }
  }

  const release = ({ company_id, id, leased_by }: Leased, seconds: number) =>
    sql`update lead_routings set leased_by = null, leased_until = null,
        next_at = ${clock()}::timestamptz + make_interval(secs => ${seconds})
      where company_id = ${company_id} and id = ${id} and leased_by = ${leased_by}`.execute(db)

  /** Open pages reload what they show, at most twice a second, and always after the last change. */
  async function tell(company_id: string) {
    const rest = resting.get(company_id)
    if (rest) {
      rest.isChanged = true
      return
    }
    const began = { isChanged: false }
    resting.set(company_id, began)
    setTimeout(() => {
      resting.delete(company_id)
      if (began.isChanged && !poll.isStopped)
        tell(company_id).catch((error) => log.warn({ err: error, company_id }, 'open pages were not notified'))
    }, announceMs).unref()
    await announce(db, [{ company_id, event: 'lead_sending.changed', data: {} }])
  }

  poll.wake()
  return {
    wake: poll.wake,
    async stop() {
      const late = setTimeout(() => stopping.abort(), graceMs)
      await poll.stop()
      await Promise.allSettled(working.values())
      clearTimeout(late)
    },
  }
}
