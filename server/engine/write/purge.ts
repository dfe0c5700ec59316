// Permanently deletes records from the trash, on request of an Admin or after the retention period.

import { sql } from 'kysely'
import { own } from '../../../contract/shared/own.ts'
import { deleteFiles } from '../../files/usage.ts'
import { type JobHandler, startJob } from '../../jobs/job.ts'
import { actAs } from '../../kernel/act-as.ts'
import { AppError } from '../../kernel/app-error.ts'
import { forEachCompany } from '../../kernel/companies.ts'
import { actorOf, type Context, type Principal } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { dayMs } from '../../platform/times.ts'
import { purgedPairs } from '../duplicates/pairs.ts'
import { type Field, type Schema, schemaOf } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { Change } from '../values/change.ts'
import { type Stored, storedColumns } from '../values/from-row.ts'
import { rowOf } from '../values/to-row.ts'
import { noSuchRecord } from './lock.ts'
import { saveChanges } from './save.ts'

/** Also removes the values from the history, which still shows who did what and when, and from the log of webhooks. */
export async function purge(target: Target, ids: string[], dry_run: boolean) {
  const { context, schema, object } = target
  const params = new Params()
  const rows = await run(
    context.db,
    `select id from records where company_id = ${params.add(actorOf(context).company_id, 'uuid')} and object_id = ${params.add(object.id, 'uuid')}
      and deleted_at is not null and id = any(${params.add(ids, 'uuid[]')}) for update`,
    params,
  )
  if (rows.length < new Set(ids).size) throw await noSuchRecord(target, 'ids')
  if (dry_run) return { purged: rows.length, job_id: null, dry_run }
  context.audit('records.purged', { data: { object: object.key, ids } })
  if ((await countLinking(context, ids)) > step)
    return {
      purged: 0,
      job_id: startJob(context, { kind: 'purge', object: object.key, input: { ids } }).job_id,
      dry_run,
    }
  await deleteForever(context, schema, ids)
  return { purged: rows.length, job_id: null, dry_run }
}

const step = 200

/** Removes links to these records, in as many steps as needed, then the records. */
export const purgeStep: JobHandler = async ({ context, job, write }) => {
  const { ids } = job.input as { ids: string[] }
  const schema = await schemaOf(context.db, actorOf(context))
  if (!actorOf(context).is_admin)
    throw new AppError('forbidden', 'Only Admins can permanently delete records, and you are no longer an Admin.')
  const unlinked = await write(
    [ids],
    async (own) => {
      const count = await takeOutOfOthers(own, schema, ids, step)
      if (count < step) await deleteForever(own, schema, ids)
      return count
    },
    (_, error) => {
      throw error
    },
  )
  const isLast = unlinked < step
  return { cursor: null, done: isLast ? ids.length : 0, changed: unlinked, total: ids.length, isLast }
}

async function countLinking(context: Context, ids: string[]) {
  const params = new Params()
  const rows = await run(
    context.db,
    `select distinct from_id from links where company_id = ${params.add(actorOf(context).company_id, 'uuid')}
      and to_id = any(${params.add(ids, 'uuid[]')}) limit ${step + 1}`,
    params,
  )
  return rows.length
}

/** Each company sets how long deleted records can be restored. */
export const pruneTrash = (db: Db, now: Date) =>
  forEachCompany(db, ({ id, trash_days }) => pruneCompany(db, id, new Date(now.getTime() - trash_days * dayMs), now))

/** In small batches, so that no one waits long. */
async function pruneCompany(db: Db, company_id: string, before: Date, now: Date) {
  for (let isMore = true; isMore; ) {
    // Object by object, as the index of the trash is sorted.
    const { rows } = await sql<{ id: string }>`
      select t.id from objects o cross join lateral (select r.id from records r where r.company_id = ${company_id}
        and r.object_id = o.id and r.deleted_at < ${before} limit ${step}) t
      where o.company_id = ${company_id} limit ${step}`.execute(db)
    const ids = rows.map(({ id }) => id)
    const inStep = (work: (context: Context, schema: Schema) => Promise<unknown>) =>
      bySystemIn(db, company_id, now, work)
    while (ids.length && (await inStep((context, schema) => takeOutOfOthers(context, schema, ids, step))) === step);
    if (ids.length) await inStep((context, schema) => deleteForever(context, schema, ids))
    isMore = rows.length === step
  }
}

function bySystemIn<T>(db: Db, company_id: string, now: Date, work: (context: Context, schema: Schema) => Promise<T>) {
  const principal: Principal = { kind: 'system', id: null, name: 'Empty the trash' }
  return transaction(db, (tx) =>
    actAs(tx, { company_id, principal, task: 'pruneTrash', now }, async (context) =>
      work(context, await schemaOf(tx, actorOf(context))),
    ),
  )
}

async function deleteForever(context: Context, schema: Schema, ids: string[]) {
  const params = new Params()
  const [company, purged] = [params.add(actorOf(context).company_id, 'uuid'), params.add(ids, 'uuid[]')]
  await takeOutOfOthers(context, schema, ids)
  await deleteFiles(context.db, actorOf(context).company_id, sql`record_id = any(${ids}::uuid[])`)
  // Merged IDs that lead nowhere any more: to purged records that were not merged themselves.
  const unreachable = `with recursive gone as (
      select i.id from unnest(${purged}) i(id) where not exists (select from record_merges m
        where m.company_id = ${company} and m.merged_id = i.id and m.ended_by is null)
      union select m.merged_id from gone g join record_merges m on m.company_id = ${company} and m.kept_id = g.id
        where m.ended_by is null and (m.merged_id = any(${purged})
          or not exists (select from records r where r.company_id = ${company} and r.id = m.merged_id)))
    select id from gone`
  await run(
    context.db,
    `with deleted as (delete from records where company_id = ${company} and id = any(${purged})),
      unlinked as (delete from links where company_id = ${company} and from_id = any(${purged})),
      unnamed as (update conversations v set participants = (select jsonb_agg(case when p ->> 'person_id' = any(${purged}::text[])
          then p || '{"person_id": null}' else p end order by place) from jsonb_array_elements(v.participants) with ordinality e(p, place))
        where v.company_id = ${company} and v.participants <> '[]' and v.id in (select k.conversation_id from conversation_links k
          where k.company_id = ${company} and k.record_id = any(${purged}))),
      unlinked_conversations as (delete from conversation_links where company_id = ${company} and record_id = any(${purged})),
      routed as (delete from lead_routings where company_id = ${company} and lead_id = any(${purged})),
      forwarded as (update lead_deliveries set log = '[]', email = null, phone = null
        where company_id = ${company} and lead_id = any(${purged})),
      unmerged as (delete from record_merges where company_id = ${company}
        and (kept_id in (${unreachable}) or merged_id = any(${purged}) and ended_by is not null)),
      sent as (delete from webhook_deliveries where company_id = ${company} and record_id = any(${purged})),
      paired as (${purgedPairs(company, purged)}),
      stored as (delete from idempotency_keys k where k.company_id = ${company} and exists
        (select 1 from unnest(${purged}) i where k.answer::text like '%' || i || '%'))
      update changes set fields = '{}' where company_id = ${company} and record_id = any(${purged})`,
    params,
  )
}

/** Removes links to the deleted records from other records, with history. Returns how many records changed. */
async function takeOutOfOthers(context: Context, schema: Schema, ids: string[], most?: number) {
  const params = new Params()
  const [company, purged] = [params.add(actorOf(context).company_id, 'uuid'), params.add(ids, 'uuid[]')]
  const rows = await run<Stored>(
    context.db,
    `select ${storedColumns} from records r where r.company_id = ${company} and r.id <> all(${purged}) and r.id in
      (select from_id from links where company_id = ${company} and to_id = any(${purged})) order by r.id${most ? ` limit ${most}` : ''} for update`,
    params,
  )
  const deleted = new Set(ids)
  for (const [object_id, list] of Map.groupBy(rows, (row) => row.object_id)) {
    const object = schema.byId.get(object_id)!
    const relations = [...object.fields, ...object.archivedFields].filter(({ type }) => type === 'relation')
    const changes = list.map((before): Change => {
      const after = { ...before, values: without(before.values, relations, deleted) }
      const row = rowOf(schema, object, after.values)
      return { before, after, row: before.deleted_at ? { ...row, uniques: [] } : row }
    })
    await saveChanges({ context, schema, object }, changes, false)
  }
  return rows.length
}

function without(values: Stored['values'], relations: Field[], deleted: Set<string>) {
  const left = { ...values }
  for (const { key, is_multi } of relations) {
    const kept = [own(left, key) ?? []].flat().filter((id) => !deleted.has(id as string))
    if (kept.length) left[key] = is_multi ? kept : kept[0]
    else delete left[key]
  }
  return left
}
