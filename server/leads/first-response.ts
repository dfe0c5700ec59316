// The first response to a lead: the first call or email to it that a user or an agent logged, or message that was sent.
// Leads that wait too long are reported to their owners once.
import { sql } from 'kysely'
import { momentText } from '../../contract/filter/days.ts'
import type { EventPayload } from '../../contract/shared/events.ts'
import { builtInInUse, schemaOf } from '../engine/schema/schema.ts'
import { type Stored, storedColumns } from '../engine/values/from-row.ts'
import { forEachCompany } from '../kernel/companies.ts'
import { smallestId } from '../kernel/first-id.ts'
import { emitIn, type OutboxEvent } from '../kernel/outbox.ts'
import { Params, run } from '../kernel/statement.ts'
import type { Db } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { changeLeads } from './write-as-kith.ts'

/** Kinds of activities that reach the lead. */
const reaching = ['call', 'email']

export async function noteFirstResponses(db: Db, { company_id, payload }: OutboxEvent, now: Date) {
  const { record_ids } = payload as EventPayload<'activity.changed'>
  if (!record_ids.length) return
  await changeLeads(db, company_id, { task: 'noteFirstResponse', now }, async (schema, tx) => {
    const [leads, activities] = [schema.builtIn.get('leads')!, schema.builtIn.get('activities')]
    const first = builtInInUse(leads, 'first_response_at')
    const kind = activities && builtInInUse(activities, 'kind')
    const about = activities && builtInInUse(activities, 'about')
    const direction = activities && builtInInUse(activities, 'direction')
    if (!first || !kind || !about) return []
    const params = new Params()
    const company = params.add(company_id, 'uuid')
    const rows = await run<Stored & { responded_at: string }>(
      tx,
      `select ${storedColumns}, greatest(least(a.at, m.at), r.created_at) as responded_at from records r cross join lateral (
          select min(a.last_activity_at) as at from links l join records a on a.company_id = ${company} and a.id = l.from_id
          where l.company_id = ${company} and l.to_id = r.id and l.field_id = ${params.add(about.id, 'uuid')}
            and a.deleted_at is null and a.created_by is not null
            and a.last_activity_at >= date_trunc('minute', r.created_at) and a.last_activity_at <= ${params.add(now.toISOString(), 'timestamptz')}
            and a.values ->> ${params.add(kind.key, 'text')} = any(${params.add(reaching, 'text[]')})
            and coalesce(a.values ->> ${params.add(direction?.key ?? '', 'text')}, '') <> 'incoming') a
        cross join lateral (
          select min(m.at) as at from conversation_links k
          join conversations c on c.company_id = ${company} and c.id = k.conversation_id
          join channels h on h.company_id = ${company} and h.id = c.channel_id and (h.owner_id is null or h.is_shared)
          join messages m on m.company_id = ${company} and m.conversation_id = c.id and m.direction = 'out'
            and m.state in ('sent', 'delivered', 'read') and not m.is_automatic
          where k.company_id = ${company} and k.record_id = r.id and m.at >= date_trunc('minute', r.created_at)) m
        where r.company_id = ${company} and r.id = any(${params.add(record_ids, 'uuid[]')})
          and r.object_id = ${params.add(leads.id, 'uuid')} and r.deleted_at is null
          and r.values ->> ${params.add(first.key, 'text')} is null and (a.at is not null or m.at is not null)
        order by r.id for update of r`,
      params,
    )
    return rows.map(({ responded_at, ...lead }) => ({
      lead,
      values: { [first.key]: new Date(responded_at).toISOString() },
    }))
  })
}

/** In case an owner is set, or a process is late, a moment after a lead is due. */
const lookBackMs = 10 * 60_000
const reportStep = 500
const reportedUntil = 'leads reported until'

/** From the last report on, so that an outage loses none. An event has the same ID each time, and so its notification. */
export async function reportOverdue(db: Db, now: Date, log: Log) {
  const { rows } = await sql<{ value: string }>`
    select value from installation where name = ${reportedUntil}`.execute(db)
  const last = Math.min(now.getTime(), rows[0] ? Date.parse(rows[0].value) : now.getTime())
  const since = new Date(last - lookBackMs)
  await forEachCompany(db, async ({ id, schema_version, lead_response_minutes }) => {
    if (lead_response_minutes === null) return
    await reportOf(db, { company_id: id, schema_version }, { since, now }).catch((err) =>
      log.error({ err, company_id: id }, 'overdue leads could not be reported'),
    )
  })
  await sql`insert into installation (name, value) values (${reportedUntil}, ${now.toISOString()})
    on conflict (name) do update set value = excluded.value`.execute(db)
}

async function reportOf(
  db: Db,
  company: { company_id: string; schema_version: number },
  { since, now }: { since: Date; now: Date },
) {
  const { company_id } = company
  const schema = await schemaOf(db, company)
  const leads = schema.builtIn.get('leads')
  const [due, first] = ['response_due_at', 'first_response_at'].map((key) => leads && builtInInUse(leads, key))
  if (!leads || !due?.slot || !first) return
  let after = { due: momentText(since.getTime()), id: smallestId }
  for (let found = reportStep; found === reportStep; ) {
    const params = new Params()
    const rows = await run<{ id: string; owner_id: string; due: string }>(
      db,
      `select r.id, r.owner_id, r.${due.slot} as due from records r
        where r.company_id = ${params.add(company_id, 'uuid')} and r.object_id = ${params.add(leads.id, 'uuid')}
          and r.deleted_at is null and r.${due.slot} <= ${params.add(momentText(now.getTime()), 'text')}
          and (r.${due.slot}, r.id) > (${params.add(after.due, 'text')}, ${params.add(after.id, 'uuid')})
          and r.owner_id is not null and r.values ->> ${params.add(first.key, 'text')} is null
        order by r.${due.slot}, r.id limit ${reportStep}`,
      params,
    )
    found = rows.length
    if (!found) return
    after = rows.at(-1)!
    const about = { event: 'lead.overdue', company_id, at: now } as const
    await emitIn(
      db,
      rows.map(({ id, owner_id, due }) => ({
        ...about,
        id: eventId(id, due),
        payload: { record_ids: [id], user_id: owner_id },
      })),
    )
  }
}

/** The same for each report of a lead, so that its owner is notified once. */
const eventId = (lead_id: string, due: string) => {
  const hex = new Date(due).getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${lead_id.slice(15)}`
}
