// Records changes in the history and the outbox, and queues the statements that write them.
import { actorOf, type Patch } from '../../kernel/context.ts'
import { seenBy } from '../rights/rights.ts'
import type { Target } from '../schema/target.ts'
import { type Stored, shown } from '../values/from-row.ts'
import { actionOf, type Change, differing, type Written } from './change.ts'
import { noteActivity, ownActivity } from './last-activity.ts'
import { writeStatements } from './statements.ts'
import { refuseConflicts } from './unique-conflicts.ts'

/** With `dry_run`, only returns what would be written. */
export async function saveChanges(target: Target, changes: Change[], dry_run: boolean): Promise<Written> {
  const { context, object } = target
  const seen = seenBy(actorOf(context), object)
  const effective: Change[] = []
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
    if (!dry_run) note(target, after, action, fields)
    return shown(seen, after)
  })
  await refuseConflicts(target, effective, dry_run)
  const isEmpty = dry_run || !effective.length
  if (!isEmpty) {
    writeStatements(target, effective)
    noteActivity(target, effective)
  }
  return { records, change_set_id: isEmpty ? null : context.change_set_id, dry_run }
}

function note(
  { context, object }: Target,
  { id, version }: Stored,
  action: ReturnType<typeof actionOf>,
  fields: Patch,
) {
  context.changed({ object: object.key, record_id: id, action, fields, version })
  const record = { object: object.key, record_id: id }
  if (action === 'deleted' || action === 'restored') return context.emit(`record.${action}`, record)
  context.emit(`record.${action}`, {
    ...record,
    patch: Object.fromEntries(Object.entries(fields).map(([key, { to }]) => [key, to])),
  })
}
