// What merging changes on the duplicates and on the record that is kept.
import { sql } from 'kysely'
import { own } from '../../../contract/shared/own.ts'
import { refused } from '../../kernel/app-error.ts'
import { actorOf } from '../../kernel/context.ts'
import { allows, isOwn, refuse, refuseForeign, rightsFor } from '../rights/rights.ts'
import type { Field, ObjectSchema } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { Change } from '../values/change.ts'
import type { Stored, Values } from '../values/from-row.ts'
import { changedList, isList, mostValues } from '../values/list-change.ts'
import { rowOf } from '../values/to-row.ts'
import { readAll, refuseFaults } from '../write/input.ts'
import { lock, noSuchRecord } from '../write/lock.ts'
import { saveChanges } from '../write/save.ts'
import { changedRecord } from '../write/update.ts'
import { type Group, type Linking, moveLinks } from './merge-links.ts'

/** `change`: of the record that is kept, the first of the changes. */
export type MergePlan = { kept: Stored; change: Change; changes: Change[] }

/** Locks the records, and refuses the merge if the caller may not do it. */
export async function planMerge(target: Target, group: Group): Promise<MergePlan> {
  const { kept, others } = await lockAll(target, group)
  const [given] = await readAll(target, [{ values: group.values ?? {}, path: 'values', before: kept }])
  const draft = { ...missingValues(target, kept, others), ...given }
  const { change, faults } = changedRecord(target, kept, withoutItself(target.object, draft, kept, group), 'values')
  refuseFaults(faults)
  return { kept, change, changes: [change, ...others.map((other) => trashed(target, other))] }
}

export async function saveMerge(
  target: Target,
  group: Group,
  { change, changes }: MergePlan,
  linking: Linking[],
  dry_run: boolean,
) {
  const moved = await moveLinks(target, group, linking, dry_run)
  const { records, ...written } = await saveChanges(target, changes, dry_run)
  if (!dry_run) await noteMerged(target, group)
  return { written: { ...written, records: records.slice(0, 1), changes: [change] }, moved }
}

async function noteMerged({ context, object }: Target, { id: kept_id, merge }: Group) {
  const { company_id } = actorOf(context)
  const { change_set_id, now } = context
  const about = { company_id, object_id: object.id, kept_id, change_set_id, merged_at: now.toISOString() }
  context.insert(
    'record_merges',
    merge.map((merged_id) => ({ ...about, merged_id })),
  )
  const { rows } = await sql<{ at: string }>`select clock_timestamp()::text as at`.execute(context.db)
  const payload = { object: object.key, record_id: kept_id, merged_ids: merge, change_set_id }
  context.emit('record.merged', { ...payload, at: rows[0]!.at })
}

async function lockAll(target: Target, { id, merge }: Group) {
  const { context, object } = target
  if (merge.includes(id)) throw refused('merge', 'The record to keep cannot be one of its duplicates')
  const rows = await lock(target, [id, ...merge])
  const kept = rows.get(id)
  if (!kept) throw await noSuchRecord(target, 'id', id)
  const missing = merge.findIndex((other) => !rows.has(other))
  if (missing >= 0) throw await noSuchRecord(target, `merge.${missing}`, merge[missing])
  const actor = actorOf(context)
  const { edit, delete: remove } = rightsFor(actor, object.key)
  if (!allows(edit, isOwn(actor, object, kept))) throw refusal(target, edit, 'change')
  const others = merge.map((other) => rows.get(other)!)
  if (others.some((row) => !allows(remove, isOwn(actor, object, row)))) throw refusal(target, remove, 'delete')
  return { kept, others }
}

const refusal = ({ context, object }: Target, reach: string, verb: string) =>
  (reach === 'own' ? refuseForeign : refuse)(actorOf(context), verb, object)

/** Lists are joined. Of other fields, only empty ones take the value of the first duplicate that has one. */
function missingValues({ schema, object }: Target, kept: Stored, others: Stored[]): Values {
  const draft: Values = {}
  for (const field of object.fields) {
    if (field.is_read_only && !isOutcome(object, field)) continue
    const now = own(kept.values, field.key) ?? null
    const found = others.flatMap((other) => own(other.values, field.key) ?? [])
    if (!found.length) continue
    if (isList(field)) draft[field.key] = changedList(schema, field, now, { add: found.flat() })?.slice(0, mostValues)
    else if (now === null || (isMark(object, field) && found.includes(true)))
      draft[field.key] = isMark(object, field) ? found.includes(true) : found[0]
  }
  if (!kept.owner_id) draft.owner = others.find(({ owner_id }) => owner_id)?.owner_id ?? null
  return draft
}

/** A person who asked not to be contacted did so under each of their records. */
const isMark = ({ built_in_key }: ObjectSchema, field: Field) =>
  built_in_key === 'people' && field.built_in_key === 'do_not_contact'

const outcomes = new Set(['sending', 'delivered_to', 'delivered_at', 'revenue'])
/** Read-only, but not computed from the other fields of the lead. */
const isOutcome = ({ built_in_key }: ObjectSchema, field: Field) =>
  built_in_key === 'leads' && outcomes.has(field.built_in_key ?? '')

/** A record cannot link to itself: what linked to a duplicate no longer links to anything. */
function withoutItself(object: ObjectSchema, draft: Values, kept: Stored, { merge }: Group): Values {
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
