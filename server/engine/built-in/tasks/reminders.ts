// Queues when to notify the assignees of tasks, in the transaction of the task: nothing is missed when a process is
// killed, and a time that is moved takes its reminder along.
import { actorOf, type Context } from '../../../kernel/context.ts'
import { inserting, joining } from '../../../kernel/statement.ts'
import type { ObjectSchema } from '../../schema/schema.ts'
import type { Target } from '../../schema/target.ts'
import { builtInValue } from '../../values/built-in-values.ts'
import type { Change } from '../../values/change.ts'
import type { Stored } from '../../values/from-row.ts'

/** The fields whose times notify. */
export const reminderFields = ['due_at', 'remind_at'] as const
type Reminder = { company_id: string; record_id: string; field: string; at: string | null; notify_at: string | null }

export function queueReminders({ context, object }: Target, changes: Change[]) {
  if (object.built_in_key !== 'tasks') return
  const { company_id } = actorOf(context)
  const wanted = changes.flatMap(({ before, after }): Reminder[] => {
    const [was, now] = [timesOf(object, before), timesOf(object, after)]
    if (before && reminderFields.every((field) => was[field] === now[field])) return []
    return reminderFields.map((field) => {
      const at = now[field] ?? null
      return { company_id, record_id: after.id, field, at, notify_at: at }
    })
  })
  // A time that has already passed when it is set does not notify anyone.
  const future = wanted.filter(({ at }) => at !== null && new Date(at) > context.now)
  if (!changes[0]?.before) context.insert('reminders', future)
  else if (wanted.length) replace(context, wanted, future)
}

/** The times at which someone is to be notified. None for a task that is closed, deleted or unassigned. */
function timesOf(object: ObjectSchema, task: Stored | undefined): Record<string, string | undefined> {
  if (!task || task.deleted_at || !builtInValue(object, task.values, 'assignee')) return {}
  if (isClosed(object, task.values)) return {}
  const [due_at, remind_at] = reminderFields.map((field) => builtInValue(object, task.values, field) as string)
  return { due_at, remind_at: remind_at === due_at ? undefined : remind_at }
}

export const isClosed = (tasks: ObjectSchema, values: Stored['values']) =>
  ['done', 'cancelled'].includes(String(builtInValue(tasks, values, 'status')))

/** A reminder that is due and not sent yet stays, if its time is still the same. */
function replace(context: Context, wanted: Reminder[], future: Reminder[]) {
  const key = { record_id: 'uuid', field: 'text' } as const
  const isFuture = new Set(future)
  const others = wanted.filter((reminder) => !isFuture.has(reminder))
  if (others.length)
    context.write((params) => {
      const { from, where } = joining('reminders', others, key, params)
      return `delete from reminders t using ${from} where ${where} and t.at is distinct from x.at`
    })
  if (future.length)
    context.write(
      (params) => `${inserting('reminders', future)(params)}
        on conflict (company_id, record_id, field) do update set at = excluded.at, notify_at = excluded.notify_at`,
    )
}
