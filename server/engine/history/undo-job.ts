// Undoes more changes than one call can, newest first, in steps.
import { type JobHandler, type Problem, startJob } from '../../jobs/job.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { type PastChange, undo } from './undo.ts'

const stepSize = 200

type Input = { change_set_ids: string[] }
/** The last change that was undone. */
type Cursor = { version: number; change_set_id: string; position: number }

export const startUndoJob = (context: Context, change_set_ids: string[], total: number) =>
  startJob(context, { kind: 'undo', input: { change_set_ids }, total })

export const undoStep: JobHandler = async ({ context, job, write }) => {
  const { change_set_ids } = job.input as Input
  const changes = await nextChanges(context, change_set_ids, job.cursor as Cursor | null)
  let problems: Problem[] = []
  const changed = await write(
    [changes],
    async (own, [some]) => {
      const { undone, left } = await undo(own, some!, false, change_set_ids)
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
  return { cursor: cursor ?? null, done: changes.length, changed, problems, isLast: changes.length < stepSize }
}

/** By version, which orders the changes of a record. The other columns only break ties. */
async function nextChanges(context: Context, ids: string[], cursor: Cursor | null) {
  const params = new Params()
  const company = params.add(actorOf(context).company_id, 'uuid')
  const after = cursor
    ? ` and (coalesce(c.version, 0), c.change_set_id, c.position) < (${params.add(cursor.version, 'bigint')}, ${params.add(cursor.change_set_id, 'uuid')}, ${params.add(cursor.position, 'int')})`
    : ''
  return run<PastChange & { order: number; position: number }>(
    context.db,
    `select c.change_set_id, c.object, c.record_id, c.action, c.fields, coalesce(c.version, 0)::int as "order", c.position
      from changes c where c.company_id = ${company} and c.change_set_id = any(${params.add(ids, 'uuid[]')})${after}
      order by coalesce(c.version, 0) desc, c.change_set_id desc, c.position desc limit ${stepSize}`,
    params,
  )
}
