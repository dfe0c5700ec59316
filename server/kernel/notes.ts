import { randomUUIDv7 } from 'node:crypto'
import type { Caller, Context, Notes } from './context.ts'
import type { Db } from './db.ts'
import { gather } from './gather.ts'
import { inserting, Params, run, type Statement } from './statement.ts'

export const noNotes = (): Notes => ({
  id: randomUUIDv7(),
  inserts: [],
  writes: [],
  changes: [],
  events: [],
  audit: [],
})

/** The part of a handler's context that remembers what it did. */
type Taking = Pick<Context, 'change_set_id' | 'insert' | 'write' | 'undoing' | 'explain' | 'changed' | 'emit' | 'audit'>

export function taking(notes: Notes, caller: Caller): Taking {
  const company = () => caller.actor?.company_id ?? ''
  return {
    change_set_id: notes.id,
    insert: (table, rows) => notes.inserts.push({ table, rows }),
    write: (statement) => notes.writes.push(statement),
    undoing: (id) => {
      notes.undo_of = id
    },
    explain: (words) => {
      const earlier = notes.explain
      notes.explain = async (error, db) => (await earlier?.(error, db)) ?? words(error, db)
    },
    changed: (change) => notes.changes.push(change),
    emit: (event, payload, company_id = company()) => notes.events.push({ company_id, event, payload }),
    audit: (action, { target_id = null, data = {}, by } = {}) =>
      notes.audit.push({
        company_id: by?.company_id ?? company(),
        actor_id: by?.user_id ?? caller.actor?.user_id ?? null,
        action,
        target_id,
        data,
      }),
  }
}

export type Rows = Map<string, object[]>

/** Everything that a call adds, by table. */
export function rowsOfNotes(notes: Notes, caller: Caller, operation: string, now: Date): Rows {
  const { actor, door, client, ip, request_id } = caller
  const at = now.toISOString()
  const by = { door, api_key_id: actor?.api_key_id ?? null, request_id, at }
  const set = {
    id: notes.id,
    undo_of: notes.undo_of ?? null,
    company_id: actor?.company_id,
    actor_id: actor?.user_id || null,
    operation,
    client,
    ...by,
  }
  const changes = notes.changes.map((change, position) => ({
    ...change,
    company_id: set.company_id,
    change_set_id: set.id,
    position,
  }))
  const events = notes.events.map((event) => ({
    ...event,
    id: randomUUIDv7(),
    actor_id: actor?.user_id || null,
    request_id,
    at,
  }))
  const audit = notes.audit.map((entry) => ({ ...entry, id: randomUUIDv7(), ip, ...by }))
  const rows: Rows = new Map()
  for (const { table, rows: own } of notes.inserts) add(rows, table, own)
  add(rows, 'change_sets', changes.length ? [set] : [])
  add(rows, 'changes', changes)
  add(rows, 'outbox', events)
  add(rows, 'audit_events', audit)
  return rows
}

function add(rows: Rows, table: string, more: object[]) {
  if (more.length) rows.set(table, [...(rows.get(table) ?? []), ...more])
}

/** All in one statement: round trips decide the speed of a write. */
export async function writeRows(db: Db, rows: Rows, writes: Statement[] = []) {
  const params = new Params()
  const inserts = [...rows].map(([table, own]) => inserting(table, own))
  const parts = [...writes, ...inserts].map((statement, i) => `w${i} as (${statement(params)})`)
  if (parts.length) await run(db, `with ${parts.join(', ')} select`, params)
}

export async function writeNotes(db: Db, notes: Notes, caller: Caller, operation: string, now: Date) {
  const rows = rowsOfNotes(notes, caller, operation, now)
  if (!notes.inserts.length) return writeRows(db, rows, notes.writes)
  // What a new row takes over must be free by then, and the parts of one statement have no order.
  await writeRows(db, new Map(), notes.writes)
  await writeRows(db, rows)
}

/** Calls that only add rows, and come at the same moment, are committed together; one that fails takes no other along. */
export function writingTogether(db: Db): (rows: Rows) => Promise<void> {
  const write = gather(
    async (calls: Rows[]): Promise<PromiseSettledResult<void>[]> => {
      if (calls.length > 1) {
        const all: Rows = new Map()
        for (const rows of calls) for (const [table, own] of rows) add(all, table, own)
        const isDone = await writeRows(db, all).then(
          () => true,
          () => false,
        )
        if (isDone) return calls.map(() => ({ status: 'fulfilled', value: undefined }))
      }
      return Promise.allSettled(calls.map((rows) => writeRows(db, rows)))
    },
    { turns: 1 },
  )
  return async (rows) => {
    const result = await write(rows)
    if (result.status === 'rejected') throw result.reason
  }
}
