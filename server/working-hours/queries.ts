// Working hours and response targets of the company and its channels, as they are stored.
import { sql } from 'kysely'
import type { Hours, Targets } from '../../contract/working-hours.ts'
import type { Db } from '../platform/db.ts'
import type { Schedule } from '../platform/working-time.ts'

export type Holidays = Hours['holidays']

export const noTargets: Targets = { response_minutes: null, resolution_minutes: null }

/** When a channel is open and how fast its conversations should be answered. */
export type Plan = { schedule: Schedule; targets: Targets }
export type HoursRow = { scope_id: string; hours: Hours | null; targets: Targets | null }
export type Plans = { time_zone: string; company: Plan; rows: Map<string, HoursRow>; of(channel_id: string): Plan }

export async function plansOf(db: Db, company_id: string): Promise<Plans> {
  const { rows } = await sql<HoursRow & { time_zone: string }>`
    select c.time_zone, h.scope_id, h.hours, h.targets from companies c
    left join inbox_hours h on h.company_id = c.id where c.id = ${company_id}`.execute(db)
  const { time_zone } = rows[0]!
  const byScope = new Map(rows.flatMap((row) => (row.scope_id ? [[row.scope_id, row] as const] : [])))
  const own = byScope.get(company_id)
  const scheduleOf = (hours: Hours | null): Schedule => ({ hours, zone: hours?.time_zone ?? time_zone })
  const company: Plan = { schedule: scheduleOf(own?.hours ?? null), targets: own?.targets ?? noTargets }
  return {
    time_zone,
    company,
    rows: byScope,
    of(channel_id) {
      const row = byScope.get(channel_id)
      return {
        schedule: row?.hours ? scheduleOf(row.hours) : company.schedule,
        targets: row?.targets ?? company.targets,
      }
    },
  }
}

/** Shared by everything that opens and closes. */
export async function holidaysOf(db: Db, company_id: string): Promise<Holidays> {
  const { rows } = await sql<{ holidays: Holidays | null }>`
    select hours -> 'holidays' as holidays from inbox_hours
    where company_id = ${company_id} and scope_id = ${company_id}`.execute(db)
  return rows[0]?.holidays ?? []
}
