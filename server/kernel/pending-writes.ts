import { randomUUIDv7 } from 'node:crypto'
import { type Db, isUnavailable, isUniqueViolation, retrying } from '../platform/db.ts'
import type { Caller, Context, Notes } from './context.ts'
import { gather } from './gather.ts'
import { inserting, Params, run, type Statement } from './statement.ts'

export const noNotes = (): Notes => ({
  id: randomUUIDv7(),
  inserts: [],
  writes: [],
  after: [],
  changes: [],
  events: [],
  audit: [],
})

/** The part of a handler's context that records what it did. */
type Taking = Pick<
  Context,
  | 'change_set_id'
  | 'insert'
  | 'write'
  | 'afterwards'
  | 'checkedAgainst'
  | 'undoing'
  | 'explain'
  | 'changed'
  | 'emit'
  | 'audit'
>

export function taking(notes: Notes, caller: Caller): Taking {
  const company = () => caller.actor?.company_id ?? ''
  return {
    change_set_id: notes.id,
    insert: (table, rows) => notes.inserts.push({ table, rows }),
    write: (statement) => notes.writes.push(statement),
    afterwards: (statement) => notes.after.push(statement),
    checkedAgainst: (schema) => {
      notes.schema = schema
    },
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
        data: caller.principal ? { ...data, principal: caller.principal } : data,
      }),
  }
}

export type Rows = Map<string, object[]>

/** All rows that a call adds, by table. */
export function rowsOfNotes(notes: Notes, caller: Caller, operation: string, now: Date): Rows {
  const { actor, door, client, ip, request_id, principal } = caller
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
    ...(principal && {
      principal_kind: principal.kind,
      principal_id: principal.id,
      principal_name: principal.name,
    }),
  }
  const changes = notes.changes.map((change, position) => ({
    ...change,
    company_id: set.company_id,
    change_set_id: set.id,
    position: (notes.span?.position ?? 0) + position,
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
  for (const { table, rows: inserted } of notes.inserts) add(rows, table, inserted)
  const isNewSet = !notes.span?.position
  add(rows, 'change_sets', changes.length && isNewSet ? [set] : [])
  add(rows, 'changes', changes)
  add(rows, 'outbox', events)
  add(rows, 'audit_events', audit)
  return rows
}

function add(rows: Rows, table: string, added: object[]) {
  if (added.length) rows.set(table, [...(rows.get(table) ?? []), ...added])
}

/** Their senders repeat what they sent until there is an answer. The second time changes nothing. */
const sentAgain = new Set(['lead_submissions'])

type Batch = { rows: Rows; schema: Notes['schema'] }

/** Writes everything in one statement, because round trips determine the speed of a write. */
export async function writeRows(db: Db, { rows, schema }: Batch, writes: Statement[] = []) {
  const params = new Params()
  const inserts = [...rows].map(([table, list]): Statement => {
    const insert = inserting(table, list)
    return sentAgain.has(table) ? (all) => `${insert(all)} on conflict do nothing` : insert
  })
  const parts = [...writes, ...inserts].map((statement, i) => `w${i} as (${statement(params)})`)
  if (!parts.length) return
  const check = schema
    ? ` refuse_outdated_schema(${params.add(schema.company_id, 'uuid')}, ${params.add(schema.version, 'int')})`
    : ''
  await run(db, `with ${parts.join(', ')} select${check}`, params)
}

export async function writeNotes(db: Db, notes: Notes, caller: Caller, operation: string, now: Date) {
  const rows = rowsOfNotes(notes, caller, operation, now)
  const { schema } = notes
  if (!notes.inserts.length) await writeRows(db, { rows, schema }, notes.writes)
  else {
    // A new row may need a unique value that a write frees first, and the parts of one statement run in any order.
    await writeRows(db, { rows: new Map(), schema: undefined }, notes.writes)
    await writeRows(db, { rows, schema })
  }
  for (const statement of notes.after) {
    const params = new Params()
    await run(db, statement(params), params)
  }
}

/**
 * Commits calls of one company that only add rows together, if they arrive while others are being written.
 * If one fails, the others are still written.
 */
export function writingTogether(db: Db): (batch: Batch) => Promise<void> {
  const write = gather(
    async (batches: Batch[]): Promise<PromiseSettledResult<void>[]> => {
      const groups = Map.groupBy(batches, (batch) => `${companyIn(batch)} ${batch.schema?.version}`)
      const results = new Map<Batch, PromiseSettledResult<void>>()
      await Promise.all([...groups.values()].map((group) => writeGroup(db, group, results)))
      return batches.map((batch) => results.get(batch)!)
    },
    { turns: 1 },
  )
  return async (batch) => {
    const result = await write(batch)
    if (result.status === 'rejected') throw result.reason
  }
}

const companyIn = ({ rows, schema }: Batch) =>
  schema?.company_id ?? (rows.values().next().value?.[0] as { company_id?: string } | undefined)?.company_id

async function writeGroup(db: Db, group: Batch[], results: Map<Batch, PromiseSettledResult<void>>) {
  const failure = group.length > 1 ? await writeRows(db, merged(group)).catch((error) => ({ error })) : alone
  const each = failure
    ? await Promise.allSettled(group.map((batch) => writeSingle(db, batch, isUnavailable(failure.error))))
    : group.map((): PromiseSettledResult<void> => ({ status: 'fulfilled', value: undefined }))
  for (const [i, batch] of group.entries()) results.set(batch, each[i]!)
}
const alone = { error: undefined }

/** Sorted the same way in every process, so that two groups with the same unique values cannot deadlock. */
function merged(group: Batch[]): Batch {
  const all: Rows = new Map()
  for (const { rows } of group) for (const [table, list] of rows) add(all, table, list)
  all.get('unique_values')?.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  return { rows: all, schema: group[0]!.schema }
}

const ownKeys = ['records_pkey', 'change_sets_pkey']

/** After a broken connection the rows may already be committed. A violation of their primary key shows that they are. */
async function writeSingle(db: Db, batch: Batch, mayExist: boolean) {
  try {
    await retrying(() => writeRows(db, batch))
  } catch (error) {
    if (mayExist && ownKeys.some((key) => isUniqueViolation(error, key))) return
    throw error
  }
}
