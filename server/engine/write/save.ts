// Records changes in the history and the outbox, and queues the statements that write them.
import { own } from '../../../contract/shared/own.ts'
import { actorOf, type Changed } from '../../kernel/context.ts'
import { ownActivity } from '../built-in/activities/last-activity.ts'
import { addEffects } from '../built-in/effects.ts'
import { keepFiles } from '../files/keep-files.ts'
import { assigneeOf, seenBy } from '../rights/rights.ts'
import type { Target } from '../schema/target.ts'
import { isByAgent, queueMatches, type RecordChange } from '../subscriptions/queue-matches.ts'
import { actionOf, type Change, differing, type Written } from '../values/change.ts'
import { shown } from '../values/from-row.ts'
import { refuseCircles } from './parent-circles.ts'
import { updateRedirects } from './redirects.ts'
import { writeStatements } from './statements.ts'
import { refuseConflicts } from './unique-conflicts.ts'

/** With `dry_run`, only returns what would be written. */
export async function saveChanges(target: Target, changes: Change[], dry_run: boolean): Promise<Written> {
  const { context, object } = target
  const seen = seenBy(actorOf(context), object)
  const effective: Change[] = []
  const done: Done[] = []
  const watched: RecordChange[] = []
  const records = changes.map((change) => {
    const { before, after, row } = change
    const fields = differing(before, after)
    const action = actionOf(change)
    if (before && action === 'updated' && !Object.keys(fields).length) return shown(seen, before)
    after.version = (before?.version ?? 0) + 1
    after.updated_at = context.now.toISOString()
    after.title = row.title
    after.last_activity_at = ownActivity(target, change)
    effective.push(change)
    done.push({ action, record_id: after.id, fields, version: after.version })
    watched.push({ action, before, after, fields })
    return shown(seen, after)
  })
  await refuseConflicts(target, effective, dry_run)
  await refuseCircles(target, effective)
  const isEmpty = dry_run || !effective.length
  if (!isEmpty) {
    writeStatements(target, effective)
    noteChanges(target, done)
    if (isByAgent(context)) noteAgent(target, effective)
    queueMatches(target, watched)
    addEffects(target, effective)
    updateRedirects(target, effective)
    await keepFiles(target, effective)
  }
  const next = effective.flatMap((change) => change.next ?? [])
  if (next.length) await saveChanges(target, next, dry_run)
  return { records, change_set_id: isEmpty ? null : context.change_set_id, dry_run }
}

type Done = Omit<Changed, 'object' | 'version'> & { version: number }

function noteChanges({ context, object: changed }: Target, done: Done[]) {
  const object = changed.key
  const assignee = assigneeOf(changed)?.key
  for (const change of done) context.changed({ object, ...change })
  for (const [action, list] of Map.groupBy(done, (change) => change.action))
    context.emit(`record.${action}`, { object, record_ids: list.map(({ record_id }) => record_id) })
  const { change_set_id } = context
  for (const user_id of new Set(done.flatMap((change) => assignedBy(change, assignee))))
    if (user_id !== actorOf(context).user_id || context.principal?.kind === 'source')
      context.emit('record.assigned', { object, user_id, change_set_id })
}

/** The people whose records an agent changed: other users' keys too, but never their own. */
function noteAgent({ context, object }: Target, changes: Change[]) {
  const assignee = assigneeOf(object)?.key
  const users = changes.flatMap(({ before }) =>
    before ? [before.owner_id, assignee && (own(before.values, assignee) as string | undefined)] : [],
  )
  const { change_set_id } = context
  for (const user_id of new Set(users))
    if (user_id && user_id !== actorOf(context).user_id)
      context.emit('record.changed_by_agent', { user_id, change_set_id })
}

/** The users who became owner or assignee. */
const assignedBy = ({ action, fields }: Done, assignee = 'owner') =>
  action === 'created' || action === 'updated'
    ? ['owner', assignee].flatMap((key) => (own(fields, key)?.to as string | null | undefined) ?? [])
    : []
