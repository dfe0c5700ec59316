// Merges duplicates: one record stays, gets what it lacks and what linked to the others, which move to the trash.
// Everything is one change set, so that it can be undone.
import { sql } from 'kysely'
import type { Output, Parsed } from '../../../contract/operation.ts'
import type { records } from '../../../contract/records.ts'
import { own } from '../../../contract/shared/own.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import { actorOf } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { allows, isOwn, refuse, refuseForeign, rightsFor } from '../rights/rights.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { Change } from '../values/change.ts'
import type { Stored, Values } from '../values/from-row.ts'
import { changedList, isList, mostValues } from '../values/list-change.ts'
import { rowOf } from '../values/to-row.ts'
import { readAll, refuseFaults } from '../write/input.ts'
import { lock, noSuchRecord } from '../write/lock.ts'
import { saveChanges } from '../write/save.ts'
import { changedRecord } from '../write/update.ts'
import { answer } from './describe-written.ts'

type Input = Omit<Parsed<typeof records.mergeRecords>, 'object'>
type Merged = Output<typeof records.mergeRecords>

const mostMoved = 1000

export async function mergeRecords(target: Target, { id, merge, values = {}, dry_run }: Input): Promise<Merged> {
  const { object } = target
  const { kept, others } = await lockAll(target, id, merge)
  const [given] = await readAll(target, [{ values, path: 'values', before: kept }])
  const draft = { ...missingValues(target, kept, others), ...given }
  const { change, faults } = changedRecord(target, kept, withoutItself(object, draft, kept, merge), 'values')
  refuseFaults(faults)
  const changes = [change, ...others.map((other) => trashed(target, other))]
  const moved = await moveLinks(target, kept, merge, dry_run)
  const written = await saveChanges(target, changes, dry_run)
  if (!dry_run) await noteMerged(target, id, [...new Set(merge)])
  const first = { ...written, records: written.records.slice(0, 1), changes: [change] }
  const { records, change_set_id } = await answer(target, first)
  return { record: records[0]!, moved, change_set_id, dry_run }
}

async function noteMerged({ context, object }: Target, record_id: string, merged_ids: string[]) {
  const { company_id } = actorOf(context)
  const { change_set_id, now } = context
  const row = { company_id, object_id: object.id, kept_id: record_id, change_set_id, merged_at: now.toISOString() }
  context.insert(
    'record_merges',
    merged_ids.map((merged_id) => ({ ...row, merged_id })),
  )
  const { rows } = await sql<{ at: string }>`select clock_timestamp()::text as at`.execute(context.db)
  const about = { object: object.key, record_id, merged_ids }
  context.emit('record.merged', { ...about, change_set_id, at: rows[0]!.at })
}

async function lockAll(target: Target, id: string, merge: string[]) {
  const { context, object } = target
  if (merge.includes(id)) throw refused('merge', 'The record to keep cannot be one of its duplicates')
  const rows = await lock(target, [id, ...merge])
  const kept = rows.get(id)
  if (!kept) throw await noSuchRecord(target, 'id', id)
  const actor = actorOf(context)
  const { edit, delete: remove } = rightsFor(actor, object.key)
  if (!allows(edit, isOwn(actor, object, kept))) throw refusal(target, edit, 'change')
  const missing = merge.findIndex((other) => !rows.has(other))
  if (missing >= 0) throw await noSuchRecord(target, `merge.${missing}`, merge[missing])
  const others = [...new Set(merge)].map((other) => {
    const row = rows.get(other)!
    if (!allows(remove, isOwn(actor, object, row))) throw refusal(target, remove, 'delete')
    return row
  })
  return { kept, others }
}

const refusal = ({ context, object }: Target, reach: string, verb: string) =>
  (reach === 'own' ? refuseForeign : refuse)(actorOf(context), verb, object)

/** Lists are joined. Of other fields, only empty ones take the value of the first duplicate that has one. */
function missingValues({ schema, object }: Target, kept: Stored, others: Stored[]): Values {
  const draft: Values = {}
  for (const field of object.fields) {
    if (field.is_read_only) continue
    const now = own(kept.values, field.key) ?? null
    const found = others.flatMap((other) => own(other.values, field.key) ?? [])
    if (!found.length) continue
    if (isList(field)) draft[field.key] = changedList(schema, field, now, { add: found.flat() })?.slice(0, mostValues)
    else if (now === null) draft[field.key] = found[0]
  }
  if (!kept.owner_id) draft.owner = others.find(({ owner_id }) => owner_id)?.owner_id ?? null
  return draft
}

/** A record cannot link to itself: what linked to a duplicate no longer links to anything. */
function withoutItself(object: ObjectSchema, draft: Values, kept: Stored, merge: string[]): Values {
  const gone = new Set([kept.id, ...merge])
  const all: Values = { ...draft }
  for (const { key, type } of object.fields) {
    if (type !== 'relation') continue
    const value = key in draft ? draft[key] : own(kept.values, key)
    if (![value ?? []].flat().some((id) => gone.has(String(id)))) continue
    all[key] = Array.isArray(value) ? value.filter((id) => !gone.has(String(id))) : null
  }
  return all
}

function trashed({ context, schema, object }: Target, before: Stored): Change {
  const after = { ...before, deleted_at: context.now.toISOString() }
  // A record in the trash does not reserve its unique values.
  return { before, after, row: { ...rowOf(schema, object, before.values), uniques: [] } }
}

/** What links to a duplicate links to the kept record instead. */
async function moveLinks(target: Target, kept: Stored, merge: string[], dry_run: boolean) {
  const { context, schema } = target
  const linking = await linkingTo(target, merge, [kept.id, ...merge])
  if (linking.length > mostMoved) throw tooMany(linking.length)
  for (const [object_id, links] of Map.groupBy(linking, (link) => link.object_id)) {
    const object = schema.byId.get(object_id)!
    const rows = await lock({ context, schema, object }, [...new Set(links.map(({ from_id }) => from_id))])
    const changes = [...rows.values()].map((row) => moved({ context, schema, object }, row, kept.id, merge))
    if (links.some(({ from_id }) => !rows.has(from_id))) throw unreachable(object)
    await saveChanges({ context, schema, object }, changes, dry_run)
  }
  return new Set(linking.map(({ from_id }) => from_id)).size
}

function moved(target: Target, row: Stored, kept: string, merge: string[]): Change {
  const { context, object } = target
  const actor = actorOf(context)
  if (!allows(rightsFor(actor, object.key).edit, isOwn(actor, object, row))) throw unreachable(object)
  const draft: Values = {}
  for (const { key, type } of object.fields) {
    const value = type === 'relation' ? own(row.values, key) : undefined
    const isLinked = [value ?? []].flat().some((id) => merge.includes(String(id)))
    if (!isLinked) continue
    const swap = (id: unknown) => (merge.includes(String(id)) ? kept : id)
    draft[key] = Array.isArray(value) ? [...new Set(value.map(swap))] : swap(value)
  }
  return changedRecord(target, row, draft, object.key).change
}

async function linkingTo({ context, schema }: Target, to: string[], without: string[]) {
  const fields = [...schema.objects.values()]
    .filter((object) => !object.archived_at)
    .flatMap((object) => object.fields.filter(({ type }) => type === 'relation'))
  const params = new Params()
  const company = params.add(actorOf(context).company_id, 'uuid')
  return run<{ from_id: string; object_id: string }>(
    context.db,
    `select distinct l.from_id, r.object_id from links l
      join records r on r.company_id = ${company} and r.id = l.from_id and r.deleted_at is null
      where l.company_id = ${company} and l.to_id = any(${params.add(to, 'uuid[]')})
        and l.field_id = any(${params.add(
          fields.map(({ id }) => id),
          'uuid[]',
        )})
        and l.from_id <> all(${params.add(without, 'uuid[]')}) order by l.from_id limit ${mostMoved + 1}`,
    params,
  )
}

const tooMany = (count: number) => {
  const message = `More than ${(count - 1).toLocaleString('en')} records link to these duplicates`
  return new AppError('invalid_input', `${message}. Merge the other way around, or fewer at once.`, {
    errors: [{ path: 'merge', message }],
  })
}

const unreachable = ({ label_plural }: ObjectSchema) =>
  new AppError(
    'forbidden',
    `Some ${label_plural} that you cannot change link to these duplicates. Ask an Admin of your company to merge them.`,
  )
