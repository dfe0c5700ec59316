// Lists change sets, newest first, with up to `max_changes` changes each.
import type { changes } from '../../../contract/changes.ts'
import type { Output, Parsed } from '../../../contract/operation.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { pageFrom, readIdCursor } from '../../kernel/page.ts'
import { escapeLike, Params, run } from '../../kernel/statement.ts'
import { schemaOf } from '../schema/schema.ts'
import { mayReadRecord, visibleChanges } from './visible-changes.ts'

type ListInput = Parsed<typeof changes.listChanges>
type ChangeSet = Output<typeof changes.listChanges>['items'][number]
type Row = Omit<ChangeSet, 'at' | 'other_changes'> & { at: Date; total: number }

/** `sets` and `changes`: further conditions on change_sets `s` and changes `c`. */
export type Only = { sets: Statements; changes?: Statements; ofOthers?: true }
type Statements = (params: Params) => string[]

/** `only.ofOthers`: also what others changed, because `only.changes` limits it to what the caller may know. */
export async function listChanges(context: Context, asked: ListInput, only?: Only) {
  const actor = actorOf(context)
  const isWhole = actor.is_admin || only?.ofOthers === true || (await mayReadHistory(context, asked))
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  const conditions = conditionsOf(asked, params, company)
  if (!isWhole) conditions.push(`s.actor_id = ${params.add(actor.user_id, 'uuid')}`)
  if (only) conditions.push(...only.sets(params))
  const visible = [
    ...visibleChanges(actor, await schemaOf(context.db, actor), 'c', params),
    ...(only?.changes?.(params) ?? []),
  ]
  const inSet = [`c.company_id = ${company}`, 'c.change_set_id = s.id', ...visible].join(' and ')
  const ofRecord = asked.record_id ? ` and c.record_id = ${params.add(asked.record_id, 'uuid')}` : ''
  const rows = await run<Row>(
    context.db,
    `select s.id, s.at, s.operation, s.actor_id, u.name as actor_name,
      case when s.principal_kind is not null then jsonb_build_object('kind', s.principal_kind, 'id', s.principal_id, 'name', s.principal_name) end as principal,
      s.door as via, s.door, s.api_key_id, k.name as api_key_name,
      s.client, s.request_id, s.undo_of, s.undone_by,
      (select count(*)::int from changes c where ${inSet}) as total,
      case when s.operation = 'mergeRecords' then (${mergedSql(company, inSet)}) end as merged,
      (select coalesce(jsonb_agg(to_jsonb(x) - 'position' order by x.position), '[]') from (
        select c.position, c.object, c.record_id, c.action, ${fieldsSql(asked)} as fields from changes c where ${inSet}${ofRecord}
        order by c.position limit ${params.add(asked.max_changes, 'int')}) x) as changes
      from ${changeSets(asked, params, company)}
      left join users u on u.company_id = ${company} and u.id = s.actor_id
      left join api_keys k on k.company_id = ${company} and k.id = s.api_key_id
      where ${conditions.join(' and ')} order by s.id desc limit ${params.add(asked.limit + 1, 'int')}`,
    params,
  )
  const page = pageFrom(rows, asked.limit)
  const items = page.rows.filter(({ changes }) => changes.length).map((row) => shown(context, row))
  return { items, next_cursor: page.next_cursor, scope: isWhole ? ('all' as const) : ('own' as const) }
}

/** How many records were merged, and into which one. */
const mergedSql = (company: string, inSet: string) =>
  `select jsonb_build_object('object', min(c.object), 'count', count(*),
      'record_id', case when min(m.kept_id::text) = max(m.kept_id::text) then min(m.kept_id::text) end)
    from record_merges m join changes c on c.record_id = m.merged_id and ${inSet}
    where m.company_id = ${company} and m.change_set_id = s.id having count(*) > 0`

/** For an overview: the fields that changed, with empty values. Of a new record, that is no news. */
const fieldsSql = ({ values }: ListInput) =>
  values === false
    ? `(select coalesce(jsonb_object_agg(key, '{"from": null, "to": null}'::jsonb), '{}')
        from jsonb_object_keys(c.fields) key where c.action <> 'created')`
    : 'c.fields'

/** Only Admins see which keys and clients others use, so only they can filter by them. */
async function mayReadHistory(context: Context, { record_id, api_key_id, client }: ListInput) {
  return record_id !== undefined && !api_key_id && !client && mayReadRecord(context, record_id)
}

/**
 * The change sets of a record are found through its changes, then read one by one. `offset 0` keeps PostgreSQL from
 * scanning every change set of the company instead.
 */
function changeSets({ record_id }: ListInput, params: Params, company: string) {
  if (!record_id) return 'change_sets s'
  return `(select distinct t.change_set_id as id from changes t
      where t.company_id = ${company} and t.record_id = ${params.add(record_id, 'uuid')}) own
    cross join lateral (select * from change_sets x where x.company_id = ${company} and x.id = own.id offset 0) s`
}

function conditionsOf(asked: ListInput, params: Params, company: string) {
  const { actor_id, api_key_id, by_key, by_kith, client, first_id, last_id, since, until, cursor } = asked
  return [
    `s.company_id = ${company}`,
    actor_id && `s.actor_id = ${params.add(actor_id, 'uuid')}`,
    api_key_id && `s.api_key_id = ${params.add(api_key_id, 'uuid')}`,
    by_key !== undefined && `s.api_key_id is ${by_key ? 'not ' : ''}null`,
    by_kith !== undefined && `coalesce(s.principal_kind, '') ${by_kith ? '=' : '<>'} 'system'`,
    client && `s.client ilike ${params.add(`${escapeLike(client)}%`)}`,
    first_id && `s.id >= ${params.add(first_id, 'uuid')}`,
    last_id && `s.id <= ${params.add(last_id, 'uuid')}`,
    since && `s.at >= ${params.add(since, 'timestamptz')}`,
    until && `s.at < ${params.add(until, 'timestamptz')}`,
    cursor !== undefined && `s.id < ${params.add(readIdCursor(cursor), 'uuid')}`,
  ].filter((condition) => !!condition)
}

/** Everyone who can read a record sees who changed it, but not with which key and client. */
function shown(context: Context, { total, at, ...set }: Row): ChangeSet {
  const { is_admin, user_id } = actorOf(context)
  const isOpen = is_admin || set.actor_id === user_id
  return {
    ...set,
    ...(!isOpen && { api_key_id: null, api_key_name: null, client: null }),
    at: at.toISOString(),
    other_changes: total - set.changes.length,
  }
}
