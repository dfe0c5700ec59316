import { sql } from 'kysely'
import type { Output } from '../../contract/operation.ts'
import type { Hours, Targets, workingHours } from '../../contract/working-hours.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import type { Handlers } from '../kernel/run.ts'
import { defined } from '../platform/defined.ts'
import { isOpenAt } from '../platform/working-time.ts'
import { noTargets, plansOf } from './queries.ts'

type Shown = Output<typeof workingHours.getWorkingHours>

export const workingHoursOperations: Handlers<typeof workingHours> = {
  getWorkingHours: shown,

  async updateWorkingHours(context, changes) {
    const { company_id } = actorOf(context)
    const before = (await plansOf(context.db, company_id)).rows.get(company_id)
    await save(context, company_id, {
      hours: null,
      ...before,
      targets: before?.targets ?? noTargets,
      ...defined(changes),
    })
    return shown(context)
  },

  async updateChannelHours(context, { id: channel_id, ...changes }) {
    const { company_id } = actorOf(context)
    const channel = (await channelsOf(context)).find(({ id }) => id === channel_id)
    if (!channel) throw new AppError('not_found', 'Team channel not found. Personal mailboxes have no working hours.')
    const before = (await plansOf(context.db, company_id)).rows.get(channel_id)
    await save(context, channel_id, { hours: null, targets: null, ...before, ...defined(changes) }, channel.name)
    return shown(context)
  },
}

type Changes = { hours?: Hours | null | undefined; targets?: Targets | null | undefined }

async function save(context: Context, scope_id: string, { hours, targets }: Changes, channel?: string) {
  const { company_id } = actorOf(context)
  await sql`insert into inbox_hours (company_id, scope_id, hours, targets, updated_at)
    values (${company_id}, ${scope_id}, ${json(hours)}::jsonb, ${json(targets)}::jsonb, ${context.now})
    on conflict (company_id, scope_id) do update
      set hours = excluded.hours, targets = excluded.targets, updated_at = excluded.updated_at`.execute(context.db)
  // Response targets of leads are set by the schema that every write reads.
  if (scope_id === company_id)
    await sql`update companies set schema_version = schema_version + 1 where id = ${company_id}`.execute(context.db)
  context.audit('working_hours.updated', { target_id: scope_id, data: { ...(channel && { channel }), hours, targets } })
  context.emit('working_hours.changed', {})
}

const json = (value: unknown) => (value ? JSON.stringify(value) : null)

async function shown(context: Context): Promise<Shown> {
  const { company_id } = actorOf(context)
  const plans = await plansOf(context.db, company_id)
  const channels = await channelsOf(context)
  return {
    hours: plans.company.schedule.hours,
    targets: plans.company.targets,
    time_zone: plans.time_zone,
    is_open: isOpenAt(plans.company.schedule, context.now),
    channels: channels.map(({ id, name }) => ({
      channel_id: id,
      name,
      hours: plans.rows.get(id)?.hours ?? null,
      targets: plans.rows.get(id)?.targets ?? null,
      is_open: isOpenAt(plans.of(id).schedule, context.now),
    })),
  }
}

async function channelsOf(context: Context) {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from channels where company_id = ${actorOf(context).company_id} and owner_id is null
      and deleted_at is null order by lower(name), id`.execute(context.db)
  return rows
}
