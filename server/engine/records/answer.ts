import { withTitles } from '../read/fields.ts'
import type { Target } from '../schema/target.ts'
import { changedPart } from '../values/from-row.ts'
import { differing, type WrittenChanges } from '../write/change.ts'

/** Returns the whole records that were written, or only what changed. */
export async function answer(target: Target, written: WrittenChanges, wanted: 'changed' | 'record' = 'changed') {
  const { context, schema, object } = target
  const { records, changes, change_set_id, dry_run } = written
  const parts =
    wanted === 'record'
      ? records
      : records.map((record, i) => changedPart(record, Object.keys(differing(changes[i]!.before, changes[i]!.after))))
  return { records: await withTitles(context, schema, parts, object.fields), change_set_id, dry_run }
}
