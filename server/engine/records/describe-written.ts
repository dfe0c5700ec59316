import { actorOf } from '../../kernel/context.ts'
import { withTitles } from '../read/fields.ts'
import { seenBy } from '../rights/rights.ts'
import type { Target } from '../schema/target.ts'
import { differing, type WrittenChanges } from '../values/change.ts'
import { changedPart, type Shown, shown } from '../values/from-row.ts'

/** Returns the whole records that were written, or only what changed; of a preview, with the values before and after. */
export async function answer(target: Target, written: WrittenChanges, wanted: 'changed' | 'record' = 'changed') {
  const { context, schema, object } = target
  const { records, changes, change_set_id, dry_run } = written
  const named = (parts: Shown[]) => withTitles(context, schema, parts, object.fields)
  if (wanted === 'record') return { records: await named(records), change_set_id, dry_run }
  const keys = changes.map(({ before, after }) => Object.keys(differing(before, after)))
  const after = records.map((record, i) => changedPart(record, keys[i]!))
  if (!dry_run) return { records: await named(after), change_set_id, dry_run }
  const seen = seenBy(actorOf(context), object)
  const before = changes.map(({ before, after }, i) => changedPart(shown(seen, before ?? after), keys[i]!))
  const all = await named([...before, ...after])
  const previews = records.map((_, i) => {
    const [from, to] = [all[i]!, all[records.length + i]!]
    if (!changes[i]!.before) return to
    return { ...to, ...Object.fromEntries(keys[i]!.map((key) => [key, { from: from[key], to: to[key] }])) }
  })
  return { records: previews, change_set_id, dry_run }
}
