// Destinations as they are stored, and as their managers see them.

import { sql } from 'kysely'
import type { leadDestinations } from '../../contract/lead-destinations.ts'
import type { Output } from '../../contract/operation.ts'
import { findActorById } from '../accounts/users/queries.ts'
import { rightsFor } from '../engine/rights/rights.ts'
import { type ObjectSchema, type Schema, schemaOf } from '../engine/schema/schema.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { firstIdAt } from '../kernel/first-id.ts'
import type { Db } from '../platform/db.ts'
import { templateFault } from '../platform/template.ts'
import { dayMs } from '../platform/times.ts'
import type { Vault } from '../platform/vault.ts'
import { namesOf } from './lead-values.ts'

export type LeadDestination = Output<typeof leadDestinations.getLeadDestination>
type Kinds = { [Kind in 'http' | 'email' | 'members' | 'kith']: NonNullable<LeadDestination[Kind]> }
export type Kind = keyof Kinds
export type SettingsOf<K extends Kind> = Kinds[K]
export type Secrets = { headers: Record<string, string>; authorization: string | null; api_key: string | null }
export type DestinationRow = {
  company_id: string
  id: string
  name: string
  kind: Kind
  settings: Kinds[Kind]
  returns: LeadDestination['returns']
  secrets: Buffer | null
  header_names: string[]
  authentication: LeadDestination['authentication']
  owner_id: string
  turns: string
  deleted_at: Date | null
}
type Row = DestinationRow & {
  owner_name: string | null
  created_at: Date
  routes: number
  accepted_30d: number
  rejected_30d: number
  waiting: number
  unknown: number
  last_sent_at: Date | null
}

/** Whether the price of a lead is known only when it is accepted. */
export const namesPrice = ({ settings }: Pick<DestinationRow, 'settings'>) =>
  'price_path' in settings && settings.price_path !== null

/** Destinations from before this could be chosen send every value. */
export const valuesIn = (settings: object) =>
  'values' in settings && settings.values === 'contact' ? 'contact' : 'all'

export const placeOf = ({ company_id, id }: { company_id: string; id: string }) =>
  `lead_destinations.secrets ${company_id} ${id}`

export const secretsOf = (vault: Vault, row: DestinationRow): Secrets =>
  row.secrets ? JSON.parse(vault.open(row.secrets, placeOf(row))) : { headers: {}, authorization: null, api_key: null }

export async function rowsOf(context: Context, id: string | null) {
  const { company_id } = actorOf(context)
  const month = firstIdAt(new Date(context.now.getTime() - 30 * dayMs))
  const { rows } = await sql<Row>`
    select d.*, u.name as owner_name, c.*,
      (select count(*)::int from lead_routes r where r.company_id = ${company_id}
        and r.settings @> jsonb_build_object('targets', jsonb_build_array(jsonb_build_object('destination_id', d.id)))) as routes
    from lead_destinations d
    left join users u on u.company_id = ${company_id} and u.id = d.owner_id
    cross join lateral (
      select count(*) filter (where l.state = 'accepted' and l.id >= ${month})::int as accepted_30d,
        count(*) filter (where l.state in ('rejected', 'duplicate') and l.id >= ${month})::int as rejected_30d,
        count(*) filter (where l.state in ('sending', 'waiting'))::int as waiting,
        count(*) filter (where l.state = 'unknown')::int as unknown, max(l.created_at) as last_sent_at
      from lead_deliveries l where l.company_id = ${company_id} and l.destination_id = d.id) c
    where d.company_id = ${company_id} and d.deleted_at is null and (${id}::uuid is null or d.id = ${id}::uuid)
    order by d.id`.execute(context.db)
  return rows
}

export async function findRow(context: Context, id: string) {
  const [row] = await rowsOf(context, id)
  if (!row) throw new AppError('not_found', 'Destination not found. List the destinations to get their IDs.')
  return row
}

/** By ID or by name; an error lists those that there are. */
export async function findNamed(context: Context, asked: string) {
  const all = await rowsOf(context, null)
  const named = all.filter(({ name }) => name.toLowerCase() === asked.trim().toLowerCase())
  const found = all.find(({ id }) => id === asked) ?? (named.length === 1 ? named[0] : undefined)
  if (found) return found
  const list = all.slice(0, 20).map(({ id, name }) => `${name} (${id})`)
  throw new AppError(
    'not_found',
    `Destination not found. ${list.length ? `Destinations: ${list.join(', ')}` : 'Create one first.'}`,
  )
}

/** For sending, also one that was deleted while a lead was on its way. */
export async function readDestinations(db: Db, company_id: string, ids: string[]) {
  const { rows } = await sql<DestinationRow>`
    select * from lead_destinations where company_id = ${company_id} and id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export const listShown = async (context: Context) => shown(context, await rowsOf(context, null))
export const getShown = async (context: Context, id: string) => (await shown(context, [await findRow(context, id)]))[0]!

async function shown(context: Context, rows: Row[]): Promise<LeadDestination[]> {
  const schema = await schemaOf(context.db, actorOf(context))
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      kind: row.kind,
      name: row.name,
      returns: row.returns,
      http: null,
      email: null,
      members: null,
      kith: null,
      [row.kind]: row.kind === 'email' ? { ...row.settings, values: valuesIn(row.settings) } : row.settings,
      header_names: row.header_names,
      authentication: row.authentication,
      owner_id: row.owner_id,
      owner_name: row.owner_name,
      created_at: row.created_at.toISOString(),
      routes: row.routes,
      accepted_30d: row.accepted_30d,
      rejected_30d: row.rejected_30d,
      waiting: row.waiting,
      unknown: row.unknown,
      last_sent_at: row.last_sent_at?.toISOString() ?? null,
      problem: await problemOf(context.db, schema, row),
    })),
  )
}

/** Why nothing can be sent to it. */
export async function problemOf(db: Db, schema: Schema, row: DestinationRow): Promise<string | null> {
  const leads = schema.builtIn.get('leads')
  if (row.deleted_at) return 'The destination was deleted.'
  if (!leads || leads.archived_at) return 'The object Leads is archived. Restore it.'
  const owner = await findActorById(db, row.company_id, row.owner_id)
  if (!owner) return 'Its owner can no longer sign in. Save it again to become its owner.'
  if (rightsFor(owner, leads.key).read !== 'all')
    return 'Its owner cannot read all leads. Save it again to become its owner.'
  if (row.kind === 'kith' && !row.secrets) return 'The API key is missing. Enter it.'
  if (row.authentication !== 'none' && !row.secrets) return 'Its authentication was lost. Enter it again.'
  return templateErrors(leads, row)[0]?.message ?? null
}

/** Every template, with where it is. */
export function templateErrors(leads: ObjectSchema, { kind, settings }: Pick<DestinationRow, 'kind' | 'settings'>) {
  const names = namesOf(leads)
  const faults = templatesIn(kind, settings).flatMap(({ path, text, context }) => {
    const message = templateFault(text, context, names)
    return message ? [{ path, message }] : []
  })
  return faults
}

type Template = { path: string; text: string; context: Parameters<typeof templateFault>[1] }

function templatesIn(kind: Kind, settings: Kinds[Kind]): Template[] {
  if (kind === 'http') {
    const { url, body, content_type } = settings as Kinds['http']
    return [
      { path: 'http.url', text: url, context: 'url' },
      { path: 'http.body', text: body, context: content_type },
    ]
  }
  if (kind === 'email') {
    const { subject, body } = settings as Kinds['email']
    return [
      { path: 'email.subject', text: subject, context: 'line' },
      { path: 'email.body', text: body, context: 'text' },
    ]
  }
  if (kind !== 'kith') return []
  const { values } = settings as Kinds['kith']
  return Object.entries(values).map(([key, text]) => ({ path: `kith.values.${key}`, text, context: 'text' as const }))
}
