// Lead sources as their managers see them.

import { sql } from 'kysely'
import type { leadSources } from '../../../contract/lead-sources.ts'
import type { Output } from '../../../contract/operation.ts'
import { findActorById } from '../../accounts/users/queries.ts'
import { errorsOfStored } from '../../engine/read/stored-filter.ts'
import { rightsFor } from '../../engine/rights/rights.ts'
import { type Schema, schemaOf } from '../../engine/schema/schema.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { firstIdAt } from '../../kernel/first-id.ts'
import { dayMs } from '../../platform/times.ts'
import { formIdOf } from '../../website/public-id.ts'
import { embedsOf } from './embed.ts'

export type LeadSource = Output<typeof leadSources.getLeadSource>
type Computed =
  | 'id'
  | 'form_id'
  | 'name'
  | 'owner_id'
  | 'owner_name'
  | 'is_active'
  | 'consent_version'
  | 'problem'
  | 'created_at'
  | 'leads_30d'
  | 'waiting'
  | 'failed'
  | 'spam'
  | 'last_submission_at'
  | 'embed'
/** What is stored as one value, because only forms read it. */
export type Settings = Omit<LeadSource, Computed>
export type SourceRow = {
  company_id: string
  id: string
  name: string
  owner_id: string
  is_active: boolean
  settings: Settings
  consent_version: number | null
  /** How many leads each rule of the assignment has given. */
  rule_turns: string[]
}
type Row = SourceRow & {
  owner_name: string | null
  created_at: Date
  leads_30d: number
  waiting: number
  failed: number
  spam: number
  last_submission_at: Date | null
}

export async function rowsOf(context: Context, id: string | null) {
  const { company_id } = actorOf(context)
  const month = firstIdAt(new Date(context.now.getTime() - 30 * dayMs))
  const { rows } = await sql<Row>`
    select s.*, u.name as owner_name, c.* from lead_sources s
    left join users u on u.company_id = ${company_id} and u.id = s.owner_id
    cross join lateral (
      select count(*) filter (where l.outcome = 'created' and l.id >= ${month})::int as leads_30d,
        count(*) filter (where l.state in ('received', 'unconfirmed'))::int as waiting,
        count(*) filter (where l.state = 'failed')::int as failed,
        count(*) filter (where l.state = 'spam')::int as spam, max(l.received_at) as last_submission_at
      from lead_submissions l where l.company_id = ${company_id} and l.source_id = s.id) c
    where s.company_id = ${company_id} and s.deleted_at is null and (${id}::uuid is null or s.id = ${id}::uuid)
    order by s.id`.execute(context.db)
  return rows
}

export async function findRow(context: Context, id: string) {
  const [row] = await rowsOf(context, id)
  if (!row) throw new AppError('not_found', 'Lead source not found. List the lead sources to get their IDs.')
  return row
}

export async function shown(context: Context, baseUrl: URL, rows: Row[]): Promise<LeadSource[]> {
  const schema = await schemaOf(context.db, actorOf(context))
  return Promise.all(
    rows.map(async (row) => {
      const form_id = formIdOf(row.company_id, row.id)
      const { id, name, owner_id, owner_name, is_active, consent_version, settings } = row
      const { leads_30d, waiting, failed, spam } = row
      return {
        ...settings,
        id,
        form_id,
        name,
        owner_id,
        owner_name,
        is_active,
        consent_version,
        leads_30d,
        waiting,
        failed,
        spam,
        problem: await problemOf(context, schema, row),
        created_at: row.created_at.toISOString(),
        last_submission_at: row.last_submission_at?.toISOString() ?? null,
        embed: embedsOf(schema, baseUrl, row, form_id),
      }
    }),
  )
}

/** Why its submissions cannot become leads. */
export async function problemOf(context: Context, schema: Schema, { company_id, owner_id, settings }: SourceRow) {
  const leads = schema.builtIn.get('leads')
  if (!leads || leads.archived_at) return 'The object Leads is archived. Restore it.'
  const owner = await findActorById(context.db, company_id, owner_id)
  if (!owner) return 'The owner of the form can no longer sign in. Choose another owner.'
  if (!rightsFor(owner, leads.key).create)
    return `The owner of the form, ${owner.name}, is not allowed to create leads. Choose another owner, or change the role ${owner.role}.`
  const filters = settings.assignment.flatMap(({ filter }) => (filter ? [{ object: leads, filter }] : []))
  const [error] = (await errorsOfStored(context, schema, filters)).filter((one) => one !== null)
  return error ? `An assignment filter no longer works. ${error}` : null
}
