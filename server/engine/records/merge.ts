// Merges duplicates: one record stays, gets what it lacks and what linked to the others, which move to the trash.
// Everything is one change set, so that it can be undone.
import type { merges } from '../../../contract/merges.ts'
import type { Output, Parsed } from '../../../contract/operation.ts'
import { actorOf } from '../../kernel/context.ts'
import { seenBy } from '../rights/rights.ts'
import type { Target } from '../schema/target.ts'
import { type Stored, shown } from '../values/from-row.ts'
import { rowOf } from '../values/to-row.ts'
import { saveChanges } from '../write/save.ts'
import { answer } from './describe-written.ts'
import { startMerging } from './merge-job.ts'
import { countLinking, type Group, linkingTo } from './merge-links.ts'
import { type MergePlan, planMerge, saveMerge } from './merge-plan.ts'

type Input = Omit<Parsed<typeof merges.mergeRecords>, 'object'>
type Merged = Output<typeof merges.mergeRecords>

/** More are moved by a job. */
const mostMoved = 1000

export async function mergeRecords(target: Target, { id, merge, values, dry_run }: Input): Promise<Merged> {
  const group: Group = { id, merge: [...new Set(merge)], ...(values && { values }) }
  const plan = await planMerge(target, group)
  const linking = await linkingTo(target, group, mostMoved)
  if (linking.length > mostMoved) return mergeInJob(target, group, plan, dry_run)
  const { written, moved } = await saveMerge(target, group, plan, linking, dry_run)
  const { records, change_set_id } = await answer(target, written)
  return { record: records[0]!, moved, change_set_id, job_id: null, dry_run }
}

async function mergeInJob(target: Target, group: Group, plan: MergePlan, dry_run: boolean): Promise<Merged> {
  const moved = await countLinking(target, group)
  if (!dry_run) {
    const started = startMerging(target, [group], { total: moved + group.merge.length, isOne: true })
    return { record: unchanged(target, plan.kept), moved, ...started, dry_run }
  }
  const written = { ...(await saveChanges(target, plan.changes, dry_run)), changes: [plan.change] }
  const { records } = await answer(target, { ...written, records: written.records.slice(0, 1) })
  return { record: records[0]!, moved, change_set_id: null, job_id: null, dry_run }
}

/** Its fields follow when the job is done. */
function unchanged({ context, schema, object }: Target, kept: Stored) {
  const { id, version } = kept
  const { title } = rowOf(schema, object, kept.values)
  return { ...shown(seenBy(actorOf(context), object), kept, new Set()), id, version, title }
}
