import { sql } from 'kysely'
import { contextOf } from '../kernel/act-as.ts'
import { AppError } from '../kernel/app-error.ts'
import type { Caller, Context } from '../kernel/context.ts'
import { type Db, isUniqueViolation } from '../platform/db.ts'
import { inHalves } from '../platform/in-halves.ts'
import type { Job, StepTools } from './job.ts'
import { operationOf } from './operation-of.ts'

/**
 * Writes rows of a step under the job's change set. One rejected row makes the whole write fail, so the rows are then
 * written in halves until only rejected ones are left out.
 */
export function writerFor(job: Job, caller: Caller, now: Date, tx: Db) {
  let changes = 0

  const write: StepTools['write'] = async (rows, save, refused) => {
    let count = 0
    await inHalves(rows, async (some) => (count += await attempt((context) => save(context, some))), {
      isOfOne: (error) => error instanceof AppError,
      leave: async (row, error) => refused(row, error as AppError),
    })
    return count
  }

  /** Inside a savepoint, so that a rejected write leaves nothing behind. */
  async function attempt(save: (context: Context) => Promise<number>) {
    const task = { task: operationOf(job), now }
    const span = { position: job.changes + changes }
    const { context, notes, write } = contextOf(tx, caller, { ...task, notes: { id: job.change_set_id, span } })
    await sql`savepoint rows`.execute(tx)
    try {
      const changed = await save(context)
      await write()
      await sql`release savepoint rows`.execute(tx)
      changes += notes.changes.length
      return changed
    } catch (error) {
      await sql`rollback to savepoint rows`.execute(tx)
      throw (isUniqueViolation(error) && (await notes.explain?.(error, tx))) || error
    }
  }

  return { write, changes: () => changes }
}
