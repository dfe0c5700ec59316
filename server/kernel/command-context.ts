// Changes made by a command-line program such as npm run company, without a user.
import { randomUUID } from 'node:crypto'
import { type Db, transaction } from '../platform/db.ts'
import type { Context, Notes } from './context.ts'
import { noNotes, taking, writeNotes } from './pending-writes.ts'

type AuditTarget = { company_id: string; target_id: string; data?: Record<string, unknown> }
export type ByProgram = Context & { note(action: Notes['audit'][number]['action'], target: AuditTarget): void }

/** Runs `work` in a transaction. The audit log names the program instead of a user. */
export function byProgram<T>(db: Db, program: string, work: (context: ByProgram) => Promise<T>) {
  const now = new Date()
  const caller = {
    door: 'automation' as const,
    request_id: randomUUID(),
    ip: '127.0.0.1',
    client: program,
    actor: null,
    web: null,
  }
  return transaction(db, async (tx) => {
    const notes = noNotes()
    const note: ByProgram['note'] = (action, { data, ...target }) =>
      notes.audit.push({ ...target, actor_id: null, action, data: { ...data, program } })
    const result = await work({ ...caller, ...taking(notes, caller), note, db: tx, now })
    await writeNotes(tx, notes, caller, program, now)
    return result
  })
}
