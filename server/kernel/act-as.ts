// The context of work that no call asked for, and the notes that it writes.
import { randomUUIDv7 } from 'node:crypto'
import type { Db } from '../platform/db.ts'
import { type Actor, bySystem, type Caller, type Context, type Notes, type Principal } from './context.ts'
import { noNotes, taking, writeNotes } from './pending-writes.ts'

export type Task = {
  /** What the change set and the audit log call it. */
  task: string
  now: Date
  principal?: Principal
  request_id?: string
  door?: Caller['door']
  ip?: string
  client?: string
  notes?: Partial<Notes>
} & (
  | { /** Acts as the system of this company. */ company_id: string }
  | { /** Null: no one, for work that neither writes records nor reads the schema. */ actor: Actor | null }
)

/** `write` stores the notes. `by`: who is named as the author, if not the actor. */
export type Acting = { context: Context; notes: Notes; write(by?: Actor): Promise<void> }

/** For a caller that exists already. */
export function contextOf(
  tx: Db,
  caller: Caller,
  { task, now, notes: given }: Pick<Task, 'task' | 'now' | 'notes'>,
): Acting {
  const notes = { ...noNotes(), ...given }
  return {
    context: { ...caller, ...taking(notes, caller), db: tx, now },
    notes,
    write: (by) => writeNotes(tx, notes, by ? { ...caller, actor: by } : caller, task, now),
  }
}

export async function contextFor(tx: Db, task: Task): Promise<Acting> {
  const { door = 'automation', ip = '', client = null, request_id = randomUUIDv7(), principal } = task
  const caller = 'actor' in task ? withoutCall(task.actor) : await systemOf(tx, task.company_id, task.task)
  return contextOf(tx, { ...caller, door, ip, client, request_id, ...(principal && { principal }) }, task)
}

/** Runs `work` and writes its notes. */
export async function actAs<T>(tx: Db, task: Task, work: (context: Context, notes: Notes) => Promise<T>): Promise<T> {
  const { context, notes, write } = await contextFor(tx, task)
  const result = await work(context, notes)
  await write()
  return result
}

async function systemOf(db: Db, company_id: string, task: string) {
  const company = db.selectFrom('companies').select('schema_version').where('id', '=', company_id)
  return bySystem(company_id, (await company.executeTakeFirstOrThrow()).schema_version, task)
}

const withoutCall = (actor: Actor | null): Caller => ({
  door: 'automation',
  request_id: randomUUIDv7(),
  ip: '',
  client: null,
  actor,
  web: null,
})
