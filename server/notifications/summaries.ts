// Sends the weekly summary to those who switched it on: on Monday morning in their time zone, once a week. What was
// missed while Kith was not running is sent until the end of Tuesday.

import { sql } from 'kysely'
import { addDays, dayOf, midnightOf } from '../../contract/filter/days.ts'
import { periodOf } from '../../contract/filter/moments.ts'
import { clockAt } from '../../contract/filter/zones.ts'
import { findActorById } from '../accounts/users/queries.ts'
import { weekOf } from '../dashboards/summary.ts'
import { schemaOf } from '../engine/schema/schema.ts'
import { companiesWith, forEachOf } from '../kernel/companies.ts'
import type { Context } from '../kernel/context.ts'
import { firstIdAt } from '../kernel/first-id.ts'
import type { TaskContext } from '../kernel/queue.ts'
import type { Mailer } from '../mail/mailer.ts'
import { type Db, isUnavailable, transaction } from '../platform/db.ts'
import { hourMs } from '../platform/times.ts'
import { contextOf } from './readable-records.ts'
import { announceTo, isWritten, writeNotification } from './write.ts'

const kind = 'weekly_summary' as const
const morning = 8 * hourMs
/** From Monday on. */
const days = 2

export async function sendSummaries(context: TaskContext, mailer: Mailer) {
  const isChosen = sql`d.kind = ${kind} and (d.app or d.email)`
  await forEachOf(await companiesWith(context.db, 'notification_choices', isChosen), async (company_id) => {
    const canMail = await mailer.canSend(context.db, company_id)
    for (const { user_id, app } of await readersIn(context.db, company_id))
      if (app || canMail) await sendTo(context, company_id, user_id, canMail)
  })
}

const readersIn = (db: Db, company_id: string) =>
  db
    .selectFrom('notification_choices')
    .select(['user_id', 'app'])
    .where('company_id', '=', company_id)
    .where('kind', '=', kind)
    .where((eb) => eb.or([eb('app', '=', true), eb('email', '=', true)]))
    .execute()

/** One that fails is tried again at the next run, and does not hold up the others. */
async function sendTo({ db, now, log }: TaskContext, company_id: string, user_id: string, canMail: boolean) {
  try {
    const actor = await findActorById(db, company_id, user_id)
    if (!actor) return
    const schema = await schemaOf(db, actor)
    const week = weekDue(now, actor.time_zone ?? schema.time_zone)
    // The same in all time zones, so that people who travel do not get it twice.
    const key = week && `${firstIdAt(new Date(midnightOf(week)))} ${kind}`
    if (!key || (await isWritten(db, company_id, user_id, key))) return
    const context = contextOf({ reader: actor, db, schema, now }) as Context
    const data = await weekOf({ context, actor, schema, range: null, owner: null })
    const planned = { kind, data, to: [user_id], actor_id: null, key }
    const event = { id: key, company_id, at: now, request_id: kind }
    const seen = await transaction(db, (tx) => writeNotification(tx, event, planned, canMail))
    await announceTo(db, seen)
  } catch (error) {
    if (isUnavailable(error)) throw error
    log.warn({ err: error, company_id }, 'a weekly summary could not be written and will be retried')
  }
}

/** The Monday whose summary is due; undefined on the other days. */
function weekDue(now: Date, timeZone: string) {
  const clock = clockAt(now.getTime(), timeZone)
  const monday = periodOf(dayOf(clock), 'week', 'monday')
  const start = midnightOf(monday)
  return clock >= start + morning && clock < addDays(start, days) ? monday : undefined
}
