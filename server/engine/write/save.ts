// What a change of records is: told to the history and the outbox, and handed over to be written.
import { actorOf, type Patch } from '../../kernel/context.ts'
import { seenBy } from '../rights/rights.ts'
import type { Target } from '../schema/target.ts'
import { type Stored, shown } from '../values/from-row.ts'
import { actionOf, type Change, differing, type Written } from './change.ts'
import { noteActivity, ownActivity } from './last-activity.ts'
import { writeStatements } from './statements.ts'
import { refuseConflicts } from './unique-conflicts.ts'

/** Notes what changes and hands over the statements that make it so. */
export async function saveChanges(target: Target, changes: Change[], dry_run: boolean): Promise<Written> {
  const { context, object } = target
  const seen = seenBy(actorOf(context), object)
  const real: Change[] = []
  const records = changes.map((change) => {
    const { before, after, row } = change
    const fields = differing(before, after)
    const action = actionOf(change)
    if (before && action === 'updated' && !Object.keys(fields).length) return shown(seen, before)
    after.version = (before?.version ?? 0) + 1
    after.updated_at = context.now.toISOString()
    after.title = row.title
    after.last_activity_at = ownActivity(target, change)
    real.push(change)
    if (!dry_run) note(target, after, action, fields)
    return shown(seen, after)
  })
  await refuseConflicts(target, real, dry_run)
  const isEmpty = dry_run || !real.length
  if (!isEmpty) {
    writeStatements(target, real)
    noteActivity(target, real)
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
  const about = { object: object.key, record_id: id }
  if (action === 'deleted' || action === 'restored') return context.emit(`record.${action}`, about)
  context.emit(`record.${action}`, {
    ...about,
    patch: Object.fromEntries(Object.entries(fields).map(([key, { to }]) => [key, to])),
  })
}
