// Updates the last activity of organizations in the background, and of records when a planned activity takes place.

import type { EventPayload } from '../../../contract/shared/events.ts'
import { forEachCompany } from '../../kernel/companies.ts'
import type { OutboxEvent } from '../../kernel/outbox.ts'
import type { BackgroundTasks } from '../../kernel/queue.ts'
import { Params, run, type Statement } from '../../kernel/statement.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { organizationsOf, raise, recalculate } from '../built-in/activities/last-activity.ts'
import { type Schema, schemaOfCompany } from '../schema/schema.ts'

const step = 100
/** Longer than the interval of the job, in case the worker is late. */
const lookBackMs = 30 * 60 * 1000

export const activityTasks: BackgroundTasks = {
  update_organization_activity: {
    async run({ db, now }, { company_id, payload }: OutboxEvent) {
      const { record_ids, organization_ids } = payload as EventPayload<'activity.changed'>
      const schema = await schemaOfCompany(db, company_id)
      const ids = await organizationsOf(db, company_id, schema, record_ids)
      await updateOrganizations(db, company_id, schema, [...ids, ...organization_ids], now)
    },
  },

  reach_planned_activities: {
    cron: '*/10 * * * *',
    run: ({ db, now }) => forEachCompany(db, ({ id }) => reachPlanned(db, id, now)),
  },
}

/** Sorted by id and in small batches, because concurrent jobs may update the same organizations. */
async function updateOrganizations(db: Db, company_id: string, schema: Schema, ids: string[], now: Date) {
  const all = [...new Set(ids)].sort()
  for (let from = 0; from < all.length; from += step)
    await execute(db, recalculate({ company_id }, schema, all.slice(from, from + step), now))
}

const execute = (db: Db, statement: Statement) =>
  transaction(db, (tx) => {
    const params = new Params()
    return run(tx, statement(params), params)
  })

async function reachPlanned(db: Db, company_id: string, now: Date) {
  const schema = await schemaOfCompany(db, company_id)
  const activities = schema.builtIn.get('activities')
  if (!activities) return
  const params = new Params()
  const rows = await run<{ to_id: string; at: string }>(
    db,
    `select l.to_id, max(r.last_activity_at)::text as at from records r join links l on l.company_id = r.company_id and l.from_id = r.id
      where r.company_id = ${params.add(company_id, 'uuid')} and r.object_id = ${params.add(activities.id, 'uuid')} and r.deleted_at is null
      and r.last_activity_at > ${params.add(new Date(now.getTime() - lookBackMs).toISOString(), 'timestamptz')}
      and r.last_activity_at <= ${params.add(now.toISOString(), 'timestamptz')} group by l.to_id`,
    params,
  )
  if (!rows.length) return
  const raised = new Map(rows.map(({ to_id, at }) => [to_id, new Date(at).toISOString()]))
  await execute(db, raise({ company_id }, schema, raised))
  const organizations = await organizationsOf(db, company_id, schema, [...raised.keys()])
  await updateOrganizations(db, company_id, schema, organizations, now)
}
