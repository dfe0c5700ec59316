// Reads changes to records as events: who made them, what changed, and the record as it was after the change.
import { own } from '../../../contract/shared/own.ts'
import { actorOf, type Patch, type Reader } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { type Titled, titlesOf } from '../names/find-titles.ts'
import { relatedIds } from '../read/fields.ts'
import type { Schema } from '../schema/schema.ts'
import type { Action } from '../schema/subscription.ts'
import { type Stored, storedColumns, type Values } from '../values/from-row.ts'
import { titleOf } from '../values/title.ts'
import { visibleChanges } from './visible-changes.ts'

export type EventRow = {
  object: string
  record_id: string
  version: number | null
  change_set_id: string
  position: number
  action: Action
  fields: Patch
  at: Date
  actor_id: string | null
  actor_name: string | null
  door: string
  api_key_id: string | null
  api_key_name: string | null
  client: string | null
  principal_kind: string | null
  principal_id: string | null
  principal_name: string | null
  bulk: boolean
  /** The record as it is now. */
  current: Stored | null
  /** The values that later changes replaced. */
  replaced: Values | null
  /** Records that the record is linked to, as far as the reader may see them. */
  related: Map<string, Titled>
}

/** Jobs are bulk changes from their first step on, before a second record is changed. */
const bulkOperations = ['bulkUpdateRecords', 'bulkDeleteRecords', 'importRecords']

type EventQuery = { where(params: Params): (string | false | undefined)[]; order: 'asc' | 'desc'; limit: number | null }

/** `where`: conditions on changes `c` and change sets `s`. Only changes to records that the caller may read now. */
export async function readEventRows(context: Reader, schema: Schema, { where, order, limit }: EventQuery) {
  const actor = actorOf(context)
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  const conditions = [
    `c.company_id = ${company}`,
    `c.object = any(${params.add([...schema.objects.keys()], 'text[]')})`,
    ...where(params).filter((condition) => !!condition),
    ...visibleChanges(actor, schema, 'c', params),
  ]
  const rows = await run<EventRow>(
    context.db,
    `select c.object, c.record_id, c.version::int as version, c.change_set_id, c.position, c.action, c.fields, s.at,
      s.actor_id, u.name as actor_name, s.door, s.api_key_id, k.name as api_key_name, s.client,
      s.principal_kind, s.principal_id, s.principal_name,
      s.operation = any(${params.add(bulkOperations, 'text[]')}) or c.position > 0 or exists (select 1 from changes m
        where m.company_id = ${company} and m.change_set_id = c.change_set_id and m.position = 1) as bulk,
      (select to_jsonb(n) from (select ${storedColumns} from records r where r.company_id = ${company} and r.id = c.record_id) n) as current,
      (select jsonb_object_agg(d.key, d.value) from (
        select distinct on (e.key) e.key, e.value->'from' as value from changes m, jsonb_each(m.fields) e
        where m.company_id = ${company} and m.record_id = c.record_id and m.version > c.version
        order by e.key, m.version) d) as replaced
      from changes c
      join change_sets s on s.company_id = ${company} and s.id = c.change_set_id
      left join users u on u.company_id = ${company} and u.id = s.actor_id
      left join api_keys k on k.company_id = ${company} and k.id = s.api_key_id
      where ${conditions.join(' and ')}
      order by c.change_set_id ${order}, c.position ${order} limit ${params.add(limit, 'int')}`,
    params,
  )
  const ids = rows.flatMap((row) => {
    const after = recordAfter(schema, row)
    return after ? relatedIds(after.values, schema.objects.get(row.object)!.fields) : []
  })
  const related = new Map((await titlesOf(context, schema, [...new Set(ids)])).map((record) => [record.id, record]))
  return rows.map((row) => ({ ...row, related }))
}

/** The record after the change: as it is now, without what later changes did. */
export function recordAfter(schema: Schema, { current, replaced, version, object, action, at }: EventRow) {
  if (!current || version === null || current.version === version) return current
  const { owner, ...values } = replaced ?? {}
  const then = { ...current.values, ...values }
  return {
    ...current,
    values: then,
    title: titleOf(schema.objects.get(object)!, then),
    version,
    updated_at: at.toISOString(),
    deleted_at: action === 'deleted' ? at.toISOString() : null,
    owner_id: own(replaced ?? {}, 'owner') === undefined ? current.owner_id : (owner as string | null),
  }
}

/** The record before the change; undefined if the change created it. */
export function recordBefore(after: Stored, { fields, action }: EventRow): Stored | undefined {
  if (action === 'created') return undefined
  const { owner, ...changed } = Object.fromEntries(Object.entries(fields).map(([key, { from }]) => [key, from]))
  return {
    ...after,
    values: { ...after.values, ...changed },
    owner_id: owner === undefined ? after.owner_id : (owner as string | null),
  }
}
