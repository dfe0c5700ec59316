// Submissions as their managers see them.

import { sql } from 'kysely'
import type { leads, submissionStates } from '../../../contract/leads.ts'
import type { Output, Parsed } from '../../../contract/operation.ts'
import { idsWithMerged } from '../../engine/names/merged.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context, type Door } from '../../kernel/context.ts'
import { pageFrom, readIdCursor } from '../../kernel/page.ts'
import { iso } from '../../platform/times.ts'
import { honeypotOf } from './form.ts'

export type Submission = {
  company_id: string
  id: string
  source_id: string
  received_at: Date
  state: (typeof submissionStates)[number]
  outcome: 'created' | 'updated' | 'noted' | null
  reason: string | null
  lead_id: string | null
  email: string | null
  name: string | null
  via: 'script' | 'page' | 'html' | 'api'
  /** `door`: how a submission with an API key came; older ones do not say. */
  body: { values: Record<string, unknown>; door?: Door }
  page: string | null
  referrer: string | null
  first_utm: Record<string, string>
  last_utm: Record<string, string>
  consent_version: number | null
  consent_at: Date | null
  confirmed_at: Date | null
  replied_at: Date | null
  ip: string | null
  user_agent: string | null
  spam_score: number
  spam_reasons: string[]
  processed_at: Date | null
  attempts: number
}
type Row = Submission & { source_name: string; consent_text: string | null; owner_name: string | null }
type Shown = Output<typeof leads.processLeadSubmission>

const columns = (company_id: string) => sql`l.*, s.name as source_name, (select u.name from records r
  join users u on u.company_id = ${company_id} and u.id = r.owner_id
  where r.company_id = ${company_id} and r.id = l.lead_id) as owner_name, (select t.text from lead_consent_texts t
  where t.company_id = ${company_id} and t.source_id = l.source_id and t.version = l.consent_version) as consent_text`

export async function listSubmissions(context: Context, asked: Parsed<typeof leads.listLeadSubmissions>) {
  const { company_id } = actorOf(context)
  const { source_id = null, state = null, lead_id = null, limit, cursor } = asked
  const ofLead = lead_id === null ? sql`true` : sql`l.lead_id = any(${idsWithMerged(company_id, lead_id)})`
  const { rows } = await sql<Row>`
    select ${columns(company_id)} from lead_submissions l
    join lead_sources s on s.company_id = ${company_id} and s.id = l.source_id
    where l.company_id = ${company_id} and (${source_id}::uuid is null or l.source_id = ${source_id}::uuid)
      and (${state}::text is null or l.state = ${state}::text) and ${ofLead}
      and (${cursor === undefined}::boolean or l.id < ${cursor === undefined ? null : readIdCursor(cursor)}::uuid)
    order by l.id desc limit ${limit + 1}`.execute(context.db)
  const page = pageFrom(rows, limit)
  return { items: page.rows.map(shown), next_cursor: page.next_cursor }
}

export async function findSubmission(context: Context, id: string) {
  const { company_id } = actorOf(context)
  const { rows } = await sql<Row>`
    select ${columns(company_id)} from lead_submissions l
    join lead_sources s on s.company_id = ${company_id} and s.id = l.source_id
    where l.company_id = ${company_id} and l.id = ${id}`.execute(context.db)
  if (!rows[0]) throw new AppError('not_found', 'Submission not found. List the submissions to get their IDs.')
  return rows[0]
}

export const shown = (row: Row): Shown => ({
  id: row.id,
  source_id: row.source_id,
  source_name: row.source_name,
  received_at: row.received_at.toISOString(),
  state: row.state,
  outcome: row.outcome,
  reason: row.reason,
  lead_id: row.lead_id,
  email: row.email,
  name: row.name,
  spam_score: row.spam_score,
  spam_reasons: row.spam_reasons,
  via: row.via,
  page: row.page,
  processed_at: iso(row.processed_at),
})

export const details = (row: Row): Output<typeof leads.getLeadSubmission> => ({
  ...shown(row),
  values: Object.fromEntries(Object.entries(row.body.values).filter(([key]) => key !== honeypotOf(row.source_id))),
  referrer: row.referrer,
  first_utm: row.first_utm,
  last_utm: row.last_utm,
  consent_version: row.consent_version,
  consent_text: row.consent_text,
  consent_at: iso(row.consent_at),
  confirmed_at: iso(row.confirmed_at),
  replied_at: iso(row.replied_at),
  owner_name: row.owner_name,
  network: row.ip,
  user_agent: row.user_agent,
})
