import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Caller, Context, Notes } from './context.ts'
import type { Db } from './db.ts'

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
  const sets = changes.length ? [set] : []
  const writes = notes.writes.map((statement, i) => sql`${sql.raw(`w${i}`)} as (${statement}), `)
  await sql`
    with ${sql.join(writes, sql``)} change_set as (insert into change_sets select * from jsonb_populate_recordset(null::change_sets, ${JSON.stringify(sets)}::jsonb)),
    change as (insert into changes select * from jsonb_populate_recordset(null::changes, ${JSON.stringify(changes)}::jsonb)),
    event as (insert into outbox select * from jsonb_populate_recordset(null::outbox, ${JSON.stringify(events)}::jsonb))
    insert into audit_events select * from jsonb_populate_recordset(null::audit_events, ${JSON.stringify(audit)}::jsonb)
  `.execute(db)
}
