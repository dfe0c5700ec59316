import { actorOf } from '../../kernel/context.ts'
import { allows, isOwn, refuse, refuseForeign, rightsFor } from '../rights/rights.ts'
import type { Target } from '../schema/target.ts'
import type { WrittenChanges } from '../values/change.ts'
import type { Stored } from '../values/from-row.ts'
import { rowOf } from '../values/to-row.ts'
import { lock, lockInTrash, noSuchRecord } from './lock.ts'
import { saveChanges } from './save.ts'

export async function trashRecords(target: Target, ids: string[], dry_run: boolean): Promise<WrittenChanges> {
  const rows = await lock(target, ids)
  const deleted_at = target.context.now.toISOString()
  const changes = (await changesOf(target, ids, rows, 'delete')).map((change) => ({
    ...change,
    after: { ...change.before, deleted_at },
    // A record in the trash does not reserve its unique values.
    row: { ...change.row, uniques: [] },
  }))
  return { ...(await saveChanges(target, changes, dry_run)), changes }
}

export async function restoreRecords(target: Target, ids: string[], dry_run: boolean): Promise<WrittenChanges> {
  const rows = await lockInTrash(target, ids)
  const changes = (await changesOf(target, ids, rows, 'restore')).map((change) => ({
    ...change,
    after: { ...change.before, deleted_at: null },
  }))
  return { ...(await saveChanges(target, changes, dry_run)), changes }
}

async function changesOf(target: Target, ids: string[], rows: Map<string, Stored>, verb: string) {
  const { context, schema, object } = target
  const actor = actorOf(context)
  const reach = rightsFor(actor, object.key).delete
  const unique = [...new Set(ids)]
  const missing = unique.findIndex((id) => !rows.has(id))
  if (missing >= 0) throw await noSuchRecord(target, `ids.${missing}`, unique[missing])
  return unique.map((id, i) => {
    const path = `ids.${i}`
    const before = rows.get(id)!
    if (!allows(reach, isOwn(actor, object, before)))
      throw (reach === 'own' ? refuseForeign : refuse)(actor, verb, object)
    return { before, row: rowOf(schema, object, before.values), path }
  })
}
