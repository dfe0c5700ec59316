// What changes to records of built-in objects cause, in the transaction that makes them.
import type { Target } from '../schema/target.ts'
import type { Change } from '../values/change.ts'
import { noteActivity } from './activities/last-activity.ts'
import { noteStages } from './deals/stage-changes.ts'
import { queueRoutings } from './leads/queue-routing.ts'
import { noteMentions } from './notes/mentions.ts'
import { noteAddresses } from './people/addresses.ts'
import { queueReminders } from './tasks/reminders.ts'

/** Each looks only at the objects that it is about. */
export function addEffects(target: Target, changes: Change[]) {
  noteActivity(target, changes)
  queueReminders(target, changes)
  noteStages(target, changes)
  noteMentions(target, changes)
  queueRoutings(target, changes)
  noteAddresses(target, changes)
}
