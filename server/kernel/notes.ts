import { randomUUIDv7 } from 'node:crypto'
import type { Caller, Context, Notes } from './context.ts'
import type { Db } from './db.ts'
import { inserting, Params, run } from './statement.ts'

export const noNotes = (): Notes => ({ id: randomUUIDv7(), writes: [], changes: [], events: [], audit: [] })

/** The part of a handler's context that remembers what it did. */
type Taking = Pick<Context, 'change_set_id' | 'write' | 'undoing' | 'explain' | 'changed' | 'emit' | 'audit'>

export function taking(notes: Notes, caller: Caller): Taking {
  const company = () => caller.actor?.company_id ?? ''
  return {
    change_set_id: notes.id,
    write: (statement) => notes.writes.push(statement),
    undoing: (id) => {
      notes.undo_of = id
    },
    explain: (words) => {
      notes.explain = words
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

/** Writes change set, changes, events and audit rows in one statement: round trips decide the speed of a write. */
export async function writeNotes(db: Db, notes: Notes, caller: Caller, operation: string, now: Date) {
  if (!notes.writes.length && !notes.changes.length && !notes.events.length && !notes.audit.length) return
  const { actor, door, client, ip, request_id } = caller
  const at = now.toISOString()
  const by = { door, api_key_id: actor?.api_key_id ?? null, request_id, at }
  const set = {
    id: notes.id,
    undo_of: notes.undo_of ?? null,
    company_id: actor?.company_id,
    actor_id: actor?.user_id,
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
    actor_id: actor?.user_id ?? null,
    request_id,
    at,
  }))
  const audit = notes.audit.map((entry) => ({ ...entry, id: randomUUIDv7(), ip, ...by }))
  const tables = { change_sets: changes.length ? [set] : [], changes, outbox: events, audit_events: audit }
  const params = new Params()
  const own = Object.entries(tables).flatMap(([table, rows]) => (rows.length ? [inserting(table, rows)] : []))
  const statements = [...notes.writes, ...own].map((statement, i) => `w${i} as (${statement(params)})`)
  await run(db, `with ${statements.join(', ')} select`, params)
}
