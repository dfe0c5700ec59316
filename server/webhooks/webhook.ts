// Webhooks as their managers see them. Admins see all, others only their own, because the log contains what was sent.
import { sql } from 'kysely'
import type { Output } from '../../contract/operation.ts'
import type { webhooks } from '../../contract/webhooks.ts'
import { errorsOfStored } from '../engine/read/stored-filter.ts'
import { type Schema, schemaOf } from '../engine/schema/schema.ts'
import type { Subscription } from '../engine/schema/subscription.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { firstIdAt } from '../kernel/first-id.ts'
import { dayMs, iso } from '../platform/times.ts'

export type Webhook = Output<typeof webhooks.getWebhook>
export type WebhookRow = Pick<
  Subscription,
  'id' | 'owner_id' | 'object_id' | 'filter' | 'filter_on' | 'skip_bulk' | 'event_types'
> & {
  description: string
  is_active: boolean
  target_url: string
  send_fields: string[] | null
  header_names: string[]
  headers: Buffer | null
  secret: Buffer | null
  is_ordered: boolean
  disabled_at: Date | null
  disabled_reason: string | null
  failing_since: Date | null
  retry_at: Date | null
  old_secret_expires_at: Date | null
  created_at: Date
  last_attempt_at: Date | null
  last_status: number | null
  owner_name: string | null
  waiting: number
  delivered_24h: number
  failed_24h: number
}

async function rowsOf(context: Context, id: string | null) {
  const { company_id, user_id, is_admin } = actorOf(context)
  const yesterday = firstIdAt(new Date(context.now.getTime() - dayMs))
  const { rows } = await sql<WebhookRow>`
    select s.owner_id, s.object_id, s.filter, s.filter_on, s.skip_bulk, s.event_types, s.name as description, s.is_active,
      w.*, u.name as owner_name, d.waiting, d.delivered_24h, d.failed_24h
    from webhooks w
    join subscriptions s on s.company_id = ${company_id} and s.id = w.id
    left join users u on u.company_id = ${company_id} and u.id = s.owner_id
    cross join lateral (
      select count(*) filter (where d.next_attempt_at is not null)::int as waiting,
        count(*) filter (where d.state = 'delivered' and d.id >= ${yesterday})::int as delivered_24h,
        count(*) filter (where d.state <> 'delivered' and d.reason is not null and d.id >= ${yesterday})::int as failed_24h
      from webhook_deliveries d
      where d.company_id = ${company_id} and d.webhook_id = w.id
        and (d.next_attempt_at is not null or d.id >= ${yesterday})) d
    where w.company_id = ${company_id} and (${id}::uuid is null or w.id = ${id}::uuid)
      and (${is_admin}::boolean or s.owner_id = ${user_id})
    order by w.id`.execute(context.db)
  return rows
}

export async function findRow(context: Context, id: string) {
  const [row] = await rowsOf(context, id)
  if (!row) throw new AppError('not_found', 'Webhook not found. Only Admins see the webhooks of others.')
  return row
}

export const listShown = async (context: Context) => shown(context, await rowsOf(context, null))

export async function getShown(context: Context, id: string) {
  const [webhook] = await shown(context, [await findRow(context, id)])
  return webhook!
}

async function shown(context: Context, rows: WebhookRow[]): Promise<Webhook[]> {
  const schema = await schemaOf(context.db, actorOf(context))
  const errors = await filterErrors(context, schema, rows)
  return rows.map((row, i) => ({
    id: row.id,
    target_url: row.target_url,
    description: row.description,
    events: row.event_types ?? [],
    object: row.object_id && (schema.byId.get(row.object_id)?.key ?? null),
    filter: row.filter,
    filter_error: errors[i]!,
    filter_on: row.filter_on,
    fields: row.send_fields,
    header_names: row.header_names,
    skip_bulk: row.skip_bulk,
    is_ordered: row.is_ordered,
    state: row.disabled_at ? 'disabled' : row.is_active ? 'active' : 'paused',
    disabled_at: iso(row.disabled_at),
    disabled_reason: row.disabled_reason,
    failing_since: iso(row.failing_since),
    retry_at: iso(row.retry_at),
    old_secret_expires_at:
      row.old_secret_expires_at && row.old_secret_expires_at > context.now ? iso(row.old_secret_expires_at) : null,
    owner_id: row.owner_id,
    owner_name: row.owner_name,
    created_at: iso(row.created_at)!,
    waiting: row.waiting,
    delivered_24h: row.delivered_24h,
    failed_24h: row.failed_24h,
    last_attempt_at: iso(row.last_attempt_at),
    last_status: row.last_status,
  }))
}

async function filterErrors(context: Context, schema: Schema, rows: WebhookRow[]) {
  const kept = rows.flatMap(({ filter, object_id }) => {
    const object = schema.byId.get(object_id ?? '')
    return filter && object ? [{ object, filter }] : []
  })
  const errors = await errorsOfStored(context, schema, kept)
  return rows.map(({ filter, object_id }) => (filter && schema.byId.has(object_id ?? '') ? errors.shift()! : null))
}
