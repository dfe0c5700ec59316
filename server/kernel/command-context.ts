// Changes made by a command-line program such as npm run company, without a user.
import { type Db, transaction } from '../platform/db.ts'
import { actAs } from './act-as.ts'
import type { Context, Notes } from './context.ts'

type AuditTarget = { company_id: string; target_id: string; data?: Record<string, unknown> }
export type ByProgram = Context & { note(action: Notes['audit'][number]['action'], target: AuditTarget): void }

/** Runs `work` in a transaction. The audit log names the program instead of a user. */
export function byProgram<T>(db: Db, program: string, work: (context: ByProgram) => Promise<T>) {
  const task = { actor: null, ip: '127.0.0.1', client: program, task: program, now: new Date() }
  return transaction(db, (tx) =>
    actAs(tx, task, (context, notes) => {
      const note: ByProgram['note'] = (action, { data, ...target }) =>
        notes.audit.push({ ...target, actor_id: null, action, data: { ...data, program } })
      return work({ ...context, note })
    }),
  )
}
