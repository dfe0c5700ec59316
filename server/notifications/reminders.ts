// Notifies the assignees of tasks that are due or whose reminder has come. A notification is written and its reminder
// removed in one transaction, so each is sent once, also after a restart.
import { sql } from 'kysely'
import { dayOf, midnightOf } from '../../contract/filter/days.ts'
import { clockAt, instantAt } from '../../contract/filter/zones.ts'
import { dateFormat } from '../../contract/shared/date-format.ts'
import { findActorById } from '../accounts/users/queries.ts'
import { isClosed } from '../engine/built-in/tasks/reminders.ts'
import { rightsFor } from '../engine/rights/rights.ts'
import { type ObjectSchema, schemaOfCompany } from '../engine/schema/schema.ts'
import { builtInValue } from '../engine/values/built-in-values.ts'
import type { Stored } from '../engine/values/from-row.ts'
import { forEachWaiting } from '../kernel/companies.ts'
import { firstIdAt } from '../kernel/first-id.ts'
import type { TaskContext } from '../kernel/queue.ts'
import type { Mailer } from '../mail/mailer.ts'
import { type Db, isUnavailable, transaction } from '../platform/db.ts'
import { hourMs } from '../platform/times.ts'
import { isRecord } from './plan-records.ts'
import { type Reading, wantedRecords } from './readable-records.ts'
import { announceTo, writeNotification } from './write.ts'

/** When people are notified of a task that is due on a day without a time. */
const morning = 8 * hourMs
const retryMs = 10 * 60_000

type Reminder = { record_id: string; field: string; at: Date; notify_at: Date }

export const sendReminders = (context: TaskContext, mailer: Mailer) =>
  forEachWaiting(context.db, 'reminders', 'notify_at', context.now, async (company_id) => {
    while (await sendNext(context, company_id, mailer));
  })

/** Whether there may be more. One that fails is tried again later, and does not hold up the others. */
async function sendNext({ db, now, log }: TaskContext, company_id: string, mailer: Mailer) {
  const claimed: { reminder?: Reminder | undefined } = {}
  try {
    await transaction(db, async (tx) => {
      claimed.reminder = await claim(tx, company_id, now)
      if (claimed.reminder) await send(tx, company_id, claimed.reminder, now, await mailer.canSend(tx, company_id))
    })
  } catch (error) {
    if (isUnavailable(error) || !claimed.reminder) throw error
    log.warn({ err: error, company_id }, 'a reminder could not be sent and will be retried')
    await postpone(db, company_id, claimed.reminder, new Date(now.getTime() + retryMs))
  }
  return claimed.reminder !== undefined
}

async function claim(tx: Db, company_id: string, now: Date) {
  const { rows } = await sql<Reminder>`
    select record_id, field, at, notify_at from reminders where company_id = ${company_id} and notify_at <= ${now}
    order by notify_at, record_id limit 1 for update skip locked`.execute(tx)
  return rows[0]
}

async function send(tx: Db, company_id: string, reminder: Reminder, now: Date, canMail: boolean) {
  const { record_id, field, at, notify_at } = reminder
  const task = await findTask(tx, company_id, record_id)
  const reading = task && (await readingFor(tx, company_id, task, now))
  if (reading) {
    const zone = reading.reader.time_zone ?? reading.schema.time_zone
    const later = field === 'due_at' && at.getTime() === notify_at.getTime() ? morningOf(at, zone) : undefined
    if (later && later > now) return postpone(tx, company_id, reminder, later)
    const planned = await planNotification(reading, task!, field, zone)
    const key = `${firstIdAt(notify_at)} ${record_id} ${field} ${at.toISOString()}`
    const event = { id: key, company_id, at: now, request_id: record_id }
    if (planned) await announceTo(tx, await writeNotification(tx, event, { ...planned, key }, canMail))
  }
  await sql`delete from reminders where company_id = ${company_id} and record_id = ${record_id}
    and field = ${field}`.execute(tx)
}

const postpone = (tx: Db, company_id: string, { record_id, field }: Reminder, later: Date) =>
  sql`update reminders set notify_at = ${later} where company_id = ${company_id} and record_id = ${record_id}
    and field = ${field}`.execute(tx)

async function findTask(tx: Db, company_id: string, id: string) {
  const { rows } = await sql<Stored>`
    select * from records where company_id = ${company_id} and id = ${id} and deleted_at is null`.execute(tx)
  return rows[0]
}

/** For the assignee, if the task is still theirs to do. */
async function readingFor(db: Db, company_id: string, task: Stored, now: Date): Promise<Reading | undefined> {
  const schema = await schemaOfCompany(db, company_id)
  const object = schema.byId.get(task.object_id)
  const assignee = object && (builtInValue(object, task.values, 'assignee') as string | undefined)
  if (!assignee || isClosed(object, task.values)) return undefined
  const reader = await findActorById(db, company_id, assignee)
  return reader && rightsFor(reader, object.key).read !== 'none' ? { reader, db, schema, now } : undefined
}

async function planNotification(reading: Reading, task: Stored, field: string, timeZone: string) {
  const { schema, reader } = reading
  const object = schema.byId.get(task.object_id)!
  const found = await wantedRecords(reading, 'task_due', object, isRecord(task.id))
  if (!found) return undefined
  const due = dueInWords(object, task, timeZone, reader.language ?? schema.language)
  const data = { object: object.key, record_id: task.id, title: task.title, due, is_reminder: field === 'remind_at' }
  return { kind: 'task_due' as const, data, to: [reader.user_id], actor_id: null }
}

function dueInWords(object: ObjectSchema, task: Stored, timeZone: string, language: string) {
  const due = builtInValue(object, task.values, 'due_at') as string | undefined
  if (!due) return null
  const style = { dateStyle: 'medium', timeZone } as const
  const options = isDayOnly(due, timeZone) ? style : ({ ...style, timeStyle: 'short' } as const)
  return dateFormat(language, options).format(new Date(due))
}

/** A day without a time is stored as its start. */
const isDayOnly = (at: string | Date, timeZone: string) => {
  const clock = clockAt(new Date(at).getTime(), timeZone)
  return clock === midnightOf(dayOf(clock))
}

function morningOf(at: Date, timeZone: string) {
  if (!isDayOnly(at, timeZone)) return undefined
  return new Date(instantAt(clockAt(at.getTime(), timeZone) + morning, timeZone))
}
