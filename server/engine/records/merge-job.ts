// Merges many groups of duplicates, or one to which many records link, in a job.
import type { merges } from '../../../contract/merges.ts'
import type { Output, Parsed } from '../../../contract/operation.ts'
import { type JobHandler, type Problem, startJob } from '../../jobs/job.ts'
import { refused } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { findObject, readable, refuse, rightsFor } from '../rights/rights.ts'
import { schemaOf } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import { countLinking, type Group, type LinkPlace, linkingTo, moveLinks, nextLinks } from './merge-links.ts'
import { planMerge, saveMerge } from './merge-plan.ts'

/** `isOne`: the merge of a single call, which fails as a whole. */
type Input = { groups: Group[]; isOne?: boolean }
/** The next group, and the last of its links that was moved. */
type Cursor = { group: number; link?: LinkPlace | undefined }
/** What a step did with a group. `found`: records that are to be moved, in addition to what the job counted before. */
type Part = { isMerged: boolean; link?: LinkPlace | undefined; done: number; changed: number; found: number }

export const startMerging = (
  { context, object }: Target,
  groups: Group[],
  { total, isOne }: { total: number; isOne: boolean },
) => startJob(context, { kind: 'merge', object: object.key, input: { groups, ...(isOne && { isOne }) }, total })

export async function bulkMerge(
  context: Context,
  { object: key, groups, dry_run }: Parsed<typeof merges.bulkMergeRecords>,
): Promise<Output<typeof merges.bulkMergeRecords>> {
  const target = await targetFor(context, key)
  const ids = refuseRepeated(groups)
  const matched = await countReadable(target, ids)
  const found = { matched, not_found: ids.length - matched, dry_run }
  if (dry_run || matched < 2) return { ...found, job_id: null, change_set_id: null }
  return { ...found, ...startMerging(target, groups, { total: ids.length - groups.length, isOne: false }) }
}

/** Otherwise it would depend on the order of the groups what is merged into what. */
function refuseRepeated(groups: Group[]) {
  const seen = new Set<string>()
  for (const [i, { id, merge }] of groups.entries())
    for (const [path, one] of [['id', id], ...merge.map((other, j) => [`merge.${j}`, other])] as [string, string][]) {
      if (seen.has(one))
        throw refused(`groups.${i}.${path}`, 'This record appears twice. Put all its duplicates into one group')
      seen.add(one)
    }
  return [...seen]
}

async function countReadable({ context, object }: Target, ids: string[]) {
  const actor = actorOf(context)
  const params = new Params()
  const limit = readable(actor, object, 'r', params)
  const [row] = await run<{ count: number }>(
    context.db,
    `select count(*)::int as count from records r where r.company_id = ${params.add(actor.company_id, 'uuid')}
      and r.id = any(${params.add(ids, 'uuid[]')}) and r.object_id = ${params.add(object.id, 'uuid')}
      and r.deleted_at is null${limit && ` and ${limit}`}`,
    params,
  )
  return row!.count
}

async function targetFor(context: Context, key: string): Promise<Target> {
  const actor = actorOf(context)
  const schema = await schemaOf(context.db, actor)
  const object = findObject(schema, actor, key)
  const rights = rightsFor(actor, key)
  if (rights.edit === 'none') throw refuse(actor, 'change', object)
  if (rights.delete === 'none') throw refuse(actor, 'delete', object)
  return { context, schema, object }
}

/** Merging a group takes about as long as changing this many records. */
const costOfGroup = 10
const leastMoved = 25

export const mergeStep: JobHandler = async ({ context, job, size, write }) => {
  const { groups, isOne } = job.input as Input
  const target = await targetFor(context, job.object!)
  let { group: next, link } = (job.cursor as Cursor | null) ?? { group: 0 }
  const problems: Problem[] = []
  const sum = { done: 0, changed: 0, found: 0 }
  for (let left = size; left > 0 && next < groups.length; ) {
    const group = groups[next]!
    const after = link
    const parts: Part[] = []
    await write(
      [group],
      async (own) => {
        const part = await mergeSome({ ...target, context: own }, group, after, Math.max(left, leastMoved))
        parts.push(part)
        return part.changed
      },
      (_, error) => {
        if (isOne) throw error
        parts.length = 0
        problems.push({ record_id: group.id, message: error.message })
      },
    )
    const [part = { isMerged: true, done: group.merge.length, changed: 0, found: 0 }] = parts
    for (const key of ['done', 'changed', 'found'] as const) sum[key] += part[key]
    left -= costOfGroup + part.done
    link = part.isMerged ? undefined : part.link
    if (part.isMerged) next++
  }
  // The one of a single call was counted when it began.
  const total = isOne ? undefined : job.total! + sum.found
  const cursor: Cursor = { group: next, link }
  const { done, changed } = sum
  return { cursor, done, changed, ...(total && { total }), problems, isLast: next === groups.length }
}

/** Merges the group, or moves as many links as one step can. */
async function mergeSome(target: Target, group: Group, after: LinkPlace | undefined, most: number): Promise<Part> {
  const plan = await planMerge(target, group)
  let found = 0
  if (!after) {
    const linking = await linkingTo(target, group, most)
    if (linking.length <= most) {
      const { moved } = await saveMerge(target, group, plan, linking, false)
      const isKeptChanged = plan.change.after.version !== plan.kept.version
      const changed = moved + group.merge.length + Number(isKeptChanged)
      return { isMerged: true, done: moved + group.merge.length, changed, found: moved }
    }
    found = await countLinking(target, group)
  }
  const links = await nextLinks(target, group, after, most)
  const moved = await moveLinks(target, group, links, false)
  const last = links.at(-1)
  const link =
    last && links.length === most ? { to: last.to, field_id: last.field_id, from_id: last.from_id } : undefined
  return { isMerged: false, link, done: moved, changed: moved, found }
}
