import { sql } from 'kysely'
import { type Db, isUniqueViolation } from '../platform/db.ts'
import { AppError } from './app-error.ts'
import type { Notes } from './context.ts'

const noted = ['inserts', 'writes', 'after', 'changes', 'events', 'audit'] as const

/** If the work is refused, nothing of it is done, the transaction goes on, and the reason is returned. */
export async function orNothing(tx: Db, notes: Notes, work: () => Promise<void>): Promise<AppError | undefined> {
  const before = noted.map((name) => notes[name].length)
  await sql`savepoint action`.execute(tx)
  try {
    await work()
    await sql`release savepoint action`.execute(tx)
    return undefined
  } catch (error) {
    if (!(error instanceof AppError || isUniqueViolation(error))) throw error
    // The innermost one with this name is rolled back, and then forgotten.
    await sql`rollback to savepoint action`.execute(tx)
    await sql`release savepoint action`.execute(tx)
    const known = error instanceof AppError ? error : await notes.explain?.(error, tx)
    if (!(known instanceof AppError)) throw error
    for (const [i, name] of noted.entries()) notes[name].length = before[i]!
    return known
  }
}
