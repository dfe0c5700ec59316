import { sql } from 'kysely'
import { AppError } from '../kernel/app-error.ts'
import type { Caller, Context } from '../kernel/context.ts'
import { noNotes, taking, writeNotes } from '../kernel/pending-writes.ts'
import { type Db, isUniqueViolation } from '../platform/db.ts'
import type { Job, StepTools } from './job.ts'
import { operationOf } from './operation-of.ts'

/**
 * Writes rows of a step under the job's change set. One rejected row makes the whole write fail, so the rows are then
 * written in halves until only rejected ones are left out.
 */
export function writerFor(job: Job, caller: Caller, now: Date, tx: Db) {
  let changes = 0

  const write: StepTools['write'] = async (rows, save, refused) => {
    if (!rows.length) return 0
    const tried = await attempt((context) => save(context, rows))
    if (typeof tried === 'number') return tried
    if (rows.length === 1) {
      refused(rows[0]!, tried)
      return 0
    }
    const half = Math.ceil(rows.length / 2)
    return (await write(rows.slice(0, half), save, refused)) + (await write(rows.slice(half), save, refused))
  }

  /** Inside a savepoint, so that a rejected write leaves nothing behind. */
  async function attempt(save: (context: Context) => Promise<number>): Promise<number | AppError> {
    const notes = { ...noNotes(), id: job.change_set_id, span: { position: job.changes + changes } }
    await sql`savepoint rows`.execute(tx)
    try {
      const changed = await save({ ...caller, ...taking(notes, caller), db: tx, now })
      await writeNotes(tx, notes, caller, operationOf(job), now)
      await sql`release savepoint rows`.execute(tx)
      changes += notes.changes.length
      return changed
    } catch (error) {
      await sql`rollback to savepoint rows`.execute(tx)
      const known =
        error instanceof AppError ? error : isUniqueViolation(error) ? await notes.explain?.(error, tx) : undefined
      if (known instanceof AppError) return known
      throw error
    }
  }

  return { write, changes: () => changes }
}
