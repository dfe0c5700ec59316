// How records in the trash are listed: their order, and who deleted them.

import type { Parsed } from '../../../contract/operation.ts'
import type { records } from '../../../contract/records.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { actorOf, type Reader } from '../../kernel/context.ts'
import { readCursor, writeCursor } from '../../kernel/cursor.ts'
import { Params, run } from '../../kernel/statement.ts'
import { objectsIn } from '../names/find-titles.ts'
import { openAmong, ownOnly } from '../rights/readable-among.ts'
import { findObject } from '../rights/rights.ts'
import type { Schema } from '../schema/schema.ts'
import { containsAll } from '../search/conditions.ts'
import { termsOf } from '../search/terms.ts'
import { isoTime, type Shown } from '../values/from-row.ts'
import { plainSort, type Sort } from './page.ts'

export const lastDeletedFirst: Sort = plainSort('r.deleted_at', 'timestamptz', true, true)

type Deleter = {
  deleted_by: string | null
  deleted_with: { api_key_name: string | null; client: string | null } | null
}

/** Adds who last deleted each record. Callers who may see the change also see its API key and client. */
export async function withDeleters<T extends Pick<Shown, 'id'>>(
  context: Reader,
  records: T[],
): Promise<(T & Deleter)[]> {
  if (!records.length) return []
  const actor = actorOf(context)
  const params = new Params()
  const ids = params.add(
    records.map(({ id }) => id),
    'uuid[]',
  )
  const rows = await run<{ record_id: string; actor_id: string | null; deleted_with: Deleter['deleted_with'] }>(
    context.db,
    `select distinct on (c.record_id) c.record_id, s.actor_id,
      case when s.api_key_id is not null and (s.actor_id = ${params.add(actor.user_id, 'uuid')} or ${actor.is_admin === true})
        then json_build_object('api_key_name', k.name, 'client', s.client) end as deleted_with
      from changes c
      join change_sets s on s.company_id = c.company_id and s.id = c.change_set_id
      left join api_keys k on k.company_id = s.company_id and k.id = s.api_key_id
      where c.company_id = ${params.add(actor.company_id, 'uuid')} and c.record_id = any(${ids})
      and c.action = 'deleted' order by c.record_id, c.change_set_id desc`,
    params,
  )
  const deleters = new Map(rows.map((row) => [row.record_id, row]))
  return records.map((record) => {
    const { actor_id = null, deleted_with = null } = deleters.get(record.id) ?? {}
    return { ...record, deleted_by: actor_id, deleted_with }
  })
}

type TrashInput = Parsed<typeof records.listTrash>
type Row = { id: string; object_id: string; title: string; deleted_at: string }

/** Deleted records of all objects that the caller may read, page by page. The trash has only those of the last days. */
export async function listTrash(context: Reader, schema: Schema, { q, object, deleted_by, limit, cursor }: TrashInput) {
  const actor = actorOf(context)
  const objects = openAmong(actor, object ? [findObject(schema, actor, object)] : objectsIn(schema))
  const terms = q ? termsOf(q, schema) : []
  if (!objects.length || (q && !terms.length)) return { items: [], next_cursor: null }
  const params = new Params()
  const ids = objects.map(({ id }) => id)
  const company = params.add(actor.company_id, 'uuid')
  const conditions = [
    `r.company_id = ${company} and r.object_id = o.id and r.deleted_at is not null`,
    ...ownOnly(actor, objects, 'r', params),
    ...(terms.length ? [containsAll(terms, 'r', params)] : []),
    ...(deleted_by
      ? [
          `(select s.actor_id from changes c join change_sets s on s.company_id = ${company} and s.id = c.change_set_id
            where c.company_id = ${company} and c.record_id = r.id and c.action = 'deleted'
            order by c.change_set_id desc limit 1) = ${params.add(deleted_by, 'uuid')}`,
        ]
      : []),
    ...(cursor === undefined ? [] : [after(cursor, params)]),
  ]
  const order = 'r.deleted_at desc, r.id desc'
  const rows = await run<Row>(
    context.db,
    `select r.id, r.object_id, r.title, r.deleted_at::text from unnest(${params.add(ids, 'uuid[]')}) o(id)
      cross join lateral (select r.id, r.object_id, r.title, r.deleted_at from records r
        where ${conditions.join(' and ')} order by ${order} limit ${limit + 1}) r
      order by ${order} limit ${limit + 1}`,
    params,
  )
  const shown = rows.slice(0, limit)
  const items = await withDeleters(context, shown)
  return {
    items: items.map(({ object_id, deleted_at, ...item }) => ({
      object: schema.byId.get(object_id)!.key,
      ...item,
      deleted_at: isoTime(deleted_at),
    })),
    next_cursor: rows.length > limit ? cursorOf(shown.at(-1)!) : null,
  }
}

const cursorOf = ({ deleted_at, id }: Row) => writeCursor(`${deleted_at} ${id}`)

function after(cursor: string, params: Params) {
  const [at, id] = readCursor(cursor, placeIn)
  return `(r.deleted_at, r.id) < (${params.add(at, 'timestamptz')}, ${params.add(id, 'uuid')})`
}

function placeIn(text: string): [at: string, id: string] | undefined {
  const [, at, id] = /^(.*) (\S+)$/.exec(text) ?? []
  return at && id && isId(id) && !Number.isNaN(Date.parse(at)) ? [at, id] : undefined
}
