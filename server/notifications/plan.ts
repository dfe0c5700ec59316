// Decides which notifications an event creates, and for whom.

import { sql } from 'kysely'
import type { NotificationKind } from '../../contract/notifications.ts'
import { currentEvent, type EventName, type EventPayload } from '../../contract/shared/events.ts'
import { findActorById, grantsOf } from '../accounts/users/queries.ts'
import { recordsById } from '../engine/read/by-id.ts'
import { schemaOf } from '../engine/schema/schema.ts'
import type { OutboxEvent } from '../kernel/outbox.ts'
import type { Db } from '../platform/db.ts'
import { findAdmins } from './admins.ts'
import type { NotificationData } from './notification-text.ts'
import {
  channelFailing,
  conversationAssigned,
  conversationMentioned,
  conversationNoticed,
  conversationOverdue,
  messageNotSent,
  messageReceived,
  proposalMade,
} from './plan-inbox.ts'
import { assigned, changedByAgent, duplicatesMerged, mentioned, recordsExported, replied } from './plan-records.ts'

export type PlannedNotification = {
  [Kind in NotificationKind]: {
    kind: Kind
    data: NotificationData[Kind]
    to: string[]
    actor_id: string | null
    /** Events with the same key share one notification, which is updated. Without it, each event has its own. */
    key?: string
    /** Its count is added to that of the notification it renews. */
    isAdded?: true
  }
}[NotificationKind]
type PlanFor<Name extends EventName> = (
  db: Db,
  event: OutboxEvent,
  payload: EventPayload<Name>,
) => Promise<PlannedNotification | null>

const plans: { [Name in EventName]?: PlanFor<Name> } = {
  async 'user.invited'(db, { company_id, actor_id }, { user_id }) {
    const user = await findUser(db, company_id, user_id)
    if (!user) return null
    const admins = await findAdmins(db, company_id)
    const to = admins.filter((id) => id !== actor_id && id !== user_id)
    return { kind: 'user_invited', data: { user_id, name: user.name }, to, actor_id }
  },

  async 'user.joined'(db, { company_id }, { user_id, invited_by }) {
    const user = invited_by && (await findUser(db, company_id, user_id))
    if (!user) return null
    return { kind: 'user_joined', data: { user_id, name: user.name }, to: [invited_by], actor_id: user_id }
  },

  'record.assigned': assigned,
  'record.mentioned': mentioned,
  'note.replied': replied,
  'record.changed_by_agent': changedByAgent,
  'duplicates.merged': duplicatesMerged,

  async 'user.role_changed'(_db, { actor_id }, { user_id, role }) {
    return { kind: 'role_changed', data: { role }, to: [user_id], actor_id }
  },

  async 'api_key.created'(db, { company_id, actor_id }, { api_key_id, user_id }) {
    const key = await db
      .selectFrom('api_keys')
      .select('name')
      .where('company_id', '=', company_id)
      .where('id', '=', api_key_id)
      .executeTakeFirst()
    const owner = await findUser(db, company_id, user_id)
    if (!key || !owner) return null
    const { name } = key
    if (owner.kind !== 'agent') return { kind: 'api_key_added', data: { name }, to: [user_id], actor_id }
    const data = { name, agent: { id: user_id, name: owner.name } }
    return { kind: 'api_key_added', data, to: await findAdmins(db, company_id), actor_id }
  },

  'records.exported': recordsExported,

  // Also notifies the Admin who made the change, in case someone else used their account.
  async 'mail.changed'(db, { company_id, actor_id }, { host }) {
    return { kind: 'mail_changed', data: { host }, to: await findAdmins(db, company_id), actor_id }
  },

  async 'webhook.disabled'(db, { company_id }, { webhook_id, reason }) {
    const { rows } = await sql<{ name: string; owner_id: string; target_url: string }>`
      select s.name, s.owner_id, w.target_url from webhooks w
      join subscriptions s on s.company_id = ${company_id} and s.id = w.id
      where w.company_id = ${company_id} and w.id = ${webhook_id}`.execute(db)
    const [webhook] = rows
    if (!webhook) return null
    const data = { webhook_id, description: webhook.name, host: new URL(webhook.target_url).host, reason }
    const to = [...new Set([webhook.owner_id, ...(await findAdmins(db, company_id))])]
    return { kind: 'webhook_disabled', data, to, actor_id: null }
  },

  async 'lead.submitted'(db, { company_id }, { source_id, lead_id }) {
    const { rows } = await sql<{
      to: string[]
      source: string
      object: string
      title: string
      owner_id: string | null
    }>`
      select coalesce(s.settings -> 'notify_user_ids', '[]') as to, s.name as source, o.key as object, r.title, r.owner_id
      from lead_sources s, records r join objects o on o.company_id = ${company_id} and o.id = r.object_id
      where s.company_id = ${company_id} and s.id = ${source_id} and r.company_id = ${company_id} and r.id = ${lead_id}
        and r.deleted_at is null`.execute(db)
    const [found] = rows
    if (!found?.to.length) return null
    const { source, object, title } = found
    const readers = await readersAmong(db, { company_id, object, lead_id }, found.to)
    const to = readers.filter((id) => id !== found.owner_id)
    return { kind: 'lead_submitted', data: { object, record_id: lead_id, title, source }, to, actor_id: null }
  },

  /** Once for each source until it is read: if its owner left, every submission fails. */
  async 'lead.failed'(db, { company_id }, { submission_id, source_id }) {
    const { rows } = await sql<{ source: string; reason: string; to: string[] }>`
      select s.name as source, l.reason, coalesce(s.settings -> 'notify_user_ids', '[]') || to_jsonb(s.owner_id) as to
      from lead_submissions l join lead_sources s on s.company_id = ${company_id} and s.id = l.source_id
      where l.company_id = ${company_id} and l.id = ${submission_id} and l.state = 'failed'`.execute(db)
    const [found] = rows
    if (!found) return null
    const actors = await Promise.all(found.to.map((id) => findActorById(db, company_id, id)))
    const managers = actors.flatMap((actor) =>
      actor?.kind === 'person' && grantsOf(actor).includes('leads.manage') ? actor.user_id : [],
    )
    const notified = await db
      .selectFrom('notifications')
      .select('user_id')
      .where('company_id', '=', company_id)
      .where('kind', '=', 'lead_failed')
      .where('read_at', 'is', null)
      .where(sql`data ->> 'source_id'`, '=', source_id)
      .execute()
    const all = new Set(managers.length ? managers : await findAdmins(db, company_id))
    const to = [...all].filter((id) => !notified.some(({ user_id }) => user_id === id))
    const { source, reason } = found
    return { kind: 'lead_failed', data: { source_id, source, submission_id, reason }, to, actor_id: null }
  },

  async 'lead.overdue'(db, { company_id }, { record_ids, user_id }) {
    const { rows } = await sql<{ object: string; label: string; title: string }>`
      select o.key as object, o.label_plural as label, r.title from records r
      join objects o on o.company_id = ${company_id} and o.id = r.object_id
      where r.company_id = ${company_id} and r.id = ${record_ids[0]!} and r.deleted_at is null`.execute(db)
    const [found] = rows
    const [record_id] = await readersAmong(db, { company_id, object: found?.object ?? '', lead_id: record_ids[0]! }, [
      user_id,
    ])
    if (!found || !record_id) return null
    const data = { ...found, count: 1, record_id: record_ids[0]! }
    return { kind: 'lead_overdue', data, to: [user_id], actor_id: null }
  },

  async 'lead.unplaced'(db, { company_id }, { lead_id }) {
    const { rows } = await sql<{ to: string[]; object: string; title: string }>`
      select coalesce(c.lead_sending -> 'nobody_user_ids', '[]') as to, o.key as object, r.title from companies c, records r
      join objects o on o.company_id = ${company_id} and o.id = r.object_id
      where c.id = ${company_id} and r.company_id = ${company_id} and r.id = ${lead_id} and r.deleted_at is null`.execute(
      db,
    )
    const [found] = rows
    if (!found?.to.length) return null
    const { object, title } = found
    const to = await readersAmong(db, { company_id, object, lead_id }, found.to)
    return { kind: 'lead_not_taken', data: { object, record_id: lead_id, title }, to, actor_id: null }
  },

  async 'lead.not_accepted'(db, { company_id }, { lead_id, delivery_id, user_ids }) {
    const { rows } = await sql<{
      object: string
      title: string
      destination: string
      state: string
      reason: string | null
    }>`
      select o.key as object, r.title, n.name as destination, d.state, d.reason from lead_deliveries d
      join lead_destinations n on n.company_id = ${company_id} and n.id = d.destination_id
      join records r on r.company_id = ${company_id} and r.id = d.lead_id and r.deleted_at is null
      join objects o on o.company_id = ${company_id} and o.id = r.object_id
      where d.company_id = ${company_id} and d.id = ${delivery_id}`.execute(db)
    const [found] = rows
    if (!found) return null
    const to = await readersAmong(db, { company_id, object: found.object, lead_id }, user_ids)
    return { kind: 'lead_not_accepted', data: { ...found, record_id: lead_id }, to, actor_id: null }
  },

  async 'lead.return_requested'(db, { company_id }, { return_id }) {
    const { rows } = await sql<{
      lead_id: string
      title: string | null
      object: string | null
      destination: string
      owner_id: string
    }>`
      select b.lead_id, r.title, o.key as object, n.name as destination, n.owner_id from lead_returns b
      join lead_destinations n on n.company_id = ${company_id} and n.id = b.destination_id
      left join records r on r.company_id = ${company_id} and r.id = b.lead_id
      left join objects o on o.company_id = ${company_id} and o.id = r.object_id
      where b.company_id = ${company_id} and b.id = ${return_id}`.execute(db)
    const [found] = rows
    if (!found) return null
    const { lead_id, object, destination, owner_id } = found
    const [reader] = object ? await readersAmong(db, { company_id, object, lead_id }, [owner_id]) : []
    const title = (reader && found.title) ?? ''
    return { kind: 'lead_returned', data: { title, destination }, to: [owner_id], actor_id: null }
  },

  'conversation.assigned': conversationAssigned,
  'conversation.mentioned': conversationMentioned,
  'conversation.overdue': conversationOverdue,
  'conversation.flagged': conversationNoticed,
  'message.received': messageReceived,
  'message.not_sent': messageNotSent,
  'proposal.made': proposalMade,
  'channel.failing': channelFailing,

  async 'user.account_changed'(_db, { actor_id }, { user_id, what }) {
    return { kind: 'account_changed', data: { what }, to: [user_id], actor_id }
  },
}

export const planNotification = async (db: Db, event: OutboxEvent) =>
  (await plans[currentEvent(event.event)]?.(db, event, event.payload as never)) ?? null

/** Those who may read the lead. */
async function readersAmong(
  db: Db,
  about: { company_id: string; object: string; lead_id: string },
  user_ids: string[],
) {
  const found: string[] = []
  for (const id of user_ids) {
    const actor = await findActorById(db, about.company_id, id)
    const schema = actor && (await schemaOf(db, actor))
    const object = schema?.objects.get(about.object)
    if (object && (await recordsById({ actor: actor ?? null, db }, object, [about.lead_id])).size) found.push(id)
  }
  return found
}

const findUser = (db: Db, company_id: string, id: string) =>
  db
    .selectFrom('users')
    .select(['name', 'kind'])
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .executeTakeFirst()
