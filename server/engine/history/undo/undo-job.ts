// Undoes more changes than one call can, newest first, in steps.
import { type JobHandler, type Problem, startJob } from '../../../jobs/job.ts'
import { actorOf, type Context } from '../../../kernel/context.ts'
import { Params, run } from '../../../kernel/statement.ts'
import type { PastChange } from './past-change.ts'
import { undo } from './undo-changes.ts'

type Input = { change_set_ids: string[] }
/** The last change that was undone. */
type Cursor = { version: number; change_set_id: string; position: number }

export const startUndoJob = (context: Context, change_set_ids: string[], total: number) =>
  startJob(context, { kind: 'undo', input: { change_set_ids }, total }).job_id

export const undoStep: JobHandler = async ({ context, job, size, write }) => {
  const { change_set_ids } = job.input as Input
  const changes = await nextChanges(context, change_set_ids, job.cursor as Cursor | null, size)
  let problems: Problem[] = []
  const isLast = changes.length < size
  const changed = await write(
    [changes],
    async (own, [some]) => {
      const part = { sets: change_set_ids, isLast, hasWritten: job.changes > 0, isWhole: true }
      const { undone, left } = await undo(own, some!, false, part)
      problems = left.map(({ record_id, field, reason }) => ({
        record_id,
        message: field ? `${field}: ${reason}` : reason,
      }))
      return undone
    },
    (_, { message }) => {
      problems = [{ message }]
    },
  )
  const last = changes.at(-1)
  const cursor = last && { version: last.order, change_set_id: last.change_set_id, position: last.position }
  return { cursor: cursor ?? null, done: changes.length, changed, problems, isLast }
}

type NextChange = PastChange & { order: number; position: number }

/** Of one change set by position, which has an index. Of several by version, which orders the changes of a record. */
function nextChanges(context: Context, ids: string[], cursor: Cursor | null, size: number) {
  const params = new Params()
  const isOne = ids.length === 1
  const key = isOne ? ['c.position'] : ['coalesce(c.version, 0)', 'c.change_set_id', 'c.position']
  const conditions = [
    `c.company_id = ${params.add(actorOf(context).company_id, 'uuid')}`,
    isOne ? `c.change_set_id = ${params.add(ids[0], 'uuid')}` : `c.change_set_id = any(${params.add(ids, 'uuid[]')})`,
  ]
  if (cursor) {
    const { version, change_set_id, position } = cursor
    const last = isOne ? [] : [params.add(version, 'bigint'), params.add(change_set_id, 'uuid')]
    conditions.push(`(${key.join(', ')}) < (${[...last, params.add(position, 'int')].join(', ')})`)
  }
  return run<NextChange>(
    context.db,
    `select c.change_set_id, c.object, c.record_id, c.action, c.fields, c.version, coalesce(c.version, 0)::int as "order", c.position,
      s.operation, s.undone_by
      from changes c join change_sets s on s.company_id = c.company_id and s.id = c.change_set_id
      where ${conditions.join(' and ')} order by ${key.map((part) => `${part} desc`).join(', ')} limit ${size}`,
    params,
  )
}
