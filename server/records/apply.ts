// What a change of records is: told to the history and the outbox, and handed over to be written.
import { isDeepStrictEqual } from 'node:util'
import { own } from '../../contract/own.ts'
import { actorOf, type Context, type Patch } from '../kernel/context.ts'
import type { ObjectSchema, Schema } from '../objects/schema.ts'
import { noteActivity, ownActivity } from './last-activity.ts'
import { put } from './put.ts'
import { seenBy } from './rights.ts'
import type { Row } from './row.ts'
import { type Shown, type Stored, shown } from './stored.ts'
import { refuseTaken } from './taken.ts'

export type Target = { context: Context; schema: Schema; object: ObjectSchema }
export type Written = { records: Shown[]; change_set_id: string | null; dry_run: boolean }
/** `path`: where the caller named the record, for what is said of it. */
export type Change = { before: Stored | undefined; after: Stored; row: Row; path?: string }

/** Notes what changes and hands over the statements that make it so. */
export async function apply(target: Target, changes: Change[], dry_run: boolean): Promise<Written> {
  const { context, schema, object } = target
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
  await refuseTaken(target, real, dry_run)
  const isEmpty = dry_run || !real.length
  if (!isEmpty) {
    put(target, real, schema)
    noteActivity(target, real)
  }
  return { records, change_set_id: isEmpty ? null : context.change_set_id, dry_run }
}

function actionOf({ before, after }: Change) {
  if (!before) return 'created' as const
  if (!before.deleted_at === !after.deleted_at) return 'updated' as const
  return after.deleted_at ? ('deleted' as const) : ('restored' as const)
}

export function differing(before: Stored | undefined, after: Stored): Patch {
  const patch: Patch = {}
  for (const key of new Set([...Object.keys(before?.values ?? {}), ...Object.keys(after.values)])) {
    const [from, to] = [own(before?.values ?? {}, key) ?? null, own(after.values, key) ?? null]
    if (!isDeepStrictEqual(from, to)) patch[key] = { from, to }
  }
  if ((before?.owner_id ?? null) !== after.owner_id)
    patch.owner = { from: before?.owner_id ?? null, to: after.owner_id }
  return patch
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
