// When deals of existing companies entered their stages, as far as their history says.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import type { Field, ObjectSchema } from '../../schema/schema.ts'

export type DealFields = { company_id: string; deals: ObjectSchema; pipeline: Field; stage: Field }

export async function backfillStageHistory(db: Db, fields: DealFields) {
  const { company_id, deals, pipeline, stage } = fields
  // A stage that pipelines shared is now that of the deal's pipeline.
  const stageOf = (key: RawBuilder<unknown>) => sql`left join lateral (
    select s.key, p.key as pipeline from stages s join pipelines p on p.company_id = ${company_id} and p.id = s.pipeline_id
    where s.company_id = ${company_id} and (s.key = ${key} or (s.shared_key = ${key} and p.key = r.values ->> ${pipeline.key}))
    order by p.key = r.values ->> ${pipeline.key} desc nulls last limit 1) st on true`
  await sql`insert into stage_changes (company_id, id, record_id, stage, pipeline, entered_at, actor_id, api_key_id,
      principal_kind, principal_id, principal_name, change_set_id)
    select ${company_id}, ${idFrom(sql`lpad(to_hex(row_number() over (order by s.id)), 8, '0')`)}, r.id, coalesce(st.key, c.fields -> ${stage.key} ->> 'to'), st.pipeline, s.at,
      s.actor_id, s.api_key_id, s.principal_kind, s.principal_id, s.principal_name, s.id
    from changes c
    join change_sets s on s.company_id = ${company_id} and s.id = c.change_set_id
    join records r on r.company_id = ${company_id} and r.id = c.record_id
    ${stageOf(sql`c.fields -> ${stage.key} ->> 'to'`)}
    where c.company_id = ${company_id} and c.object = ${deals.key} and c.fields ? ${stage.key}`.execute(db)
  // Deals whose history is gone, or that were created before there was one.
  await sql`insert into stage_changes (company_id, id, record_id, stage, pipeline, entered_at)
    select ${company_id}, ${idFrom(sql`'00ffffff'`)}, r.id, r.values ->> ${stage.key}, r.values ->> ${pipeline.key},
      case when last.entered_at is null then r.created_at else r.updated_at end
    from records r left join lateral (${lastChange(company_id)}) last on true
    where r.company_id = ${company_id} and r.object_id = ${deals.id} and r.values ? ${stage.key}
    and r.values ->> ${stage.key} is distinct from last.stage`.execute(db)
  const entered = deals.builtIn.get('stage_entered_at')
  if (!entered) return
  const time = sql`to_char(last.entered_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  await sql`with entered as materialized (
      select r.id, ${time} as at, jsonb_build_object(${entered.key}::text, ${time}) as patch
      from records r join lateral (${lastChange(company_id)}) last on true
      where r.company_id = ${company_id} and r.object_id = ${deals.id} and r.values ? ${stage.key})
    update records t set values = t.values || e.patch,
      ${entered.slot ? sql`${sql.ref(entered.slot)} = e.at` : sql`match = t.match || e.patch`}
    from entered e where t.company_id = ${company_id} and t.id = e.id`.execute(db)
}

/** IDs decide between changes of the same millisecond. These precede those of all later changes. */
const idFrom = (prefix: RawBuilder<unknown>) =>
  sql`overlay(gen_random_uuid()::text placing ${prefix} from 1 for 8)::uuid`

const lastChange = (company_id: string) => sql`select c.stage, c.entered_at from stage_changes c
  where c.company_id = ${company_id} and c.record_id = r.id order by c.entered_at desc, c.id desc limit 1`
