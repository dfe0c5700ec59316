import type { deals } from '../../../contract/deals.ts'
import type { Output } from '../../../contract/operation.ts'
import { actorOf } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { dayMs } from '../../platform/times.ts'
import { recordsById } from '../read/by-id.ts'
import { stageCalled } from '../schema/pipeline-schema.ts'
import type { Target } from '../schema/target.ts'
import { noSuchRecord } from '../write/lock.ts'

type Visit = Output<typeof deals.listDealStages>['items'][number]
type Row = Omit<Visit, 'stage_name' | 'days' | 'entered_at' | 'left_at'> & { entered_at: Date; left_at: Date | null }

/** The stages that a deal has been in, oldest first. Who used which key is only for them and for Admins. */
export async function listDealStages(target: Target, id: string): Promise<Visit[]> {
  const { context, schema, object } = target
  if (!(await recordsById(context, object, [id])).has(id)) throw await noSuchRecord(target, 'id', id)
  const { company_id, user_id, is_admin } = actorOf(context)
  const params = new Params()
  const company = params.add(company_id, 'uuid')
  const rows = await run<Row>(
    context.db,
    `select c.stage, c.pipeline, c.entered_at, lead(c.entered_at) over (order by c.entered_at, c.id) as left_at,
      c.actor_id as user_id, u.name as user_name, c.api_key_id, c.change_set_id,
      case when c.principal_kind is not null then jsonb_build_object('kind', c.principal_kind, 'id', c.principal_id, 'name', c.principal_name) end as principal
      from stage_changes c left join users u on u.company_id = c.company_id and u.id = c.actor_id
      where c.company_id = ${company} and c.record_id = ${params.add(id, 'uuid')} order by c.entered_at, c.id`,
    params,
  )
  return rows.map(({ entered_at, left_at, ...row }) => ({
    ...row,
    stage_name: stageCalled(schema.pipelines, row.stage)?.name ?? row.stage,
    entered_at: entered_at.toISOString(),
    left_at: left_at?.toISOString() ?? null,
    days: Math.max(0, ((left_at ?? context.now).getTime() - entered_at.getTime()) / dayMs),
    api_key_id: is_admin || row.user_id === user_id ? row.api_key_id : null,
  }))
}
