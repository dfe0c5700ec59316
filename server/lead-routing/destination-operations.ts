import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { leadDestinations, mostDestinations } from '../../contract/lead-destinations.ts'
import type { Parsed } from '../../contract/operation.ts'
import { findUser } from '../accounts/users/queries.ts'
import { recordsById } from '../engine/read/by-id.ts'
import { schemaOf } from '../engine/schema/schema.ts'
import { AppError, referenced, refuseAll, refused } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { lockToAdd, refuseMore } from '../kernel/limits.ts'
import { pageIn } from '../kernel/page.ts'
import { type Handlers, prepared } from '../kernel/run.ts'
import { leadsOf } from '../leads/leads-object.ts'
import { OutboundError } from '../platform/public-fetch.ts'
import type { Vault } from '../platform/vault.ts'
import { requestFor, type Services as SendServices, send } from './deliver.ts'
import {
  type DestinationRow,
  findRow,
  getShown,
  type Kind,
  listShown,
  namesPrice,
  placeOf,
  rowsOf,
  type Secrets,
  type SettingsOf,
  secretsOf,
  templateErrors,
  valuesIn,
} from './destination.ts'
import { sampleLead } from './lead-values.ts'
import { refusePartialReaders } from './refuse-partial-readers.ts'
import { readRoutes } from './route.ts'

export type Services = SendServices & { outbound: { check(url: string): unknown } }
type DestinationInput = Parsed<typeof leadDestinations.updateLeadDestination>
const kinds = ['http', 'email', 'members', 'kith'] as const

export const destinationOperations = (services: Services): Handlers<typeof leadDestinations> => ({
  listLeadDestinations: async (context, page) => pageIn(await listShown(context), page),

  async createLeadDestination(context, given) {
    const { company_id, user_id } = actorOf(context)
    await lockToAdd(context, 'lead destinations')
    refuseMore((await rowsOf(context, null)).length, mostDestinations, 'destinations')
    const chosen = kinds.filter((kind) => given[kind])
    if (chosen.length !== 1) throw refused('http', 'Send the settings of one kind: http, email, members or kith')
    const kind = chosen[0]!
    const place = { company_id, id: randomUUIDv7() }
    const settings = await checked(context, services, kind, withValues(given[kind]!, kind, 'contact'))
    const none: Secrets = { headers: {}, authorization: null, api_key: null }
    const sealed = sealedSecrets(services.vault, place, kind, mergedSecrets(none, given), given)
    await context.db
      .insertInto('lead_destinations')
      .values({
        ...place,
        name: given.name,
        kind,
        owner_id: user_id,
        created_by: user_id,
        created_at: context.now,
        settings: JSON.stringify(settings),
        returns: JSON.stringify(given.returns),
        ...sealed,
      })
      .execute()
    note(context, 'lead_destination.created', place.id, given.name)
    return getShown(context, place.id)
  },

  getLeadDestination: (context, { id }) => getShown(context, id),

  async updateLeadDestination(context, given) {
    const { company_id, user_id } = actorOf(context)
    const row = await findRow(context, given.id)
    const other = kinds.find((kind) => kind !== row.kind && given[kind])
    if (other) throw refused(other, `The kind of a destination cannot be changed. Create another one`)
    const wanted = given[row.kind] && withValues(given[row.kind]!, row.kind, valuesIn(row.settings))
    const settings = await checked(context, services, row.kind, wanted ?? row.settings)
    if (namesPrice({ settings }) && !namesPrice(row)) await refuseOpenBudgets(context, row)
    const secrets = mergedSecrets(keptSecrets(services.vault, row, settings, given), given)
    const sealed = sealedSecrets(services.vault, { company_id, id: row.id }, row.kind, secrets, given, row)
    await context.db
      .updateTable('lead_destinations')
      .set({
        settings: JSON.stringify(settings),
        returns: JSON.stringify(given.returns ?? row.returns),
        ...sealed,
        name: given.name ?? row.name,
        owner_id: user_id,
      })
      .where('company_id', '=', company_id)
      .where('id', '=', row.id)
      .execute()
    note(context, 'lead_destination.updated', row.id, given.name ?? row.name)
    return getShown(context, row.id)
  },

  async deleteLeadDestination(context, { id }) {
    const { company_id } = actorOf(context)
    const { name, routes } = await findRow(context, id)
    if (routes)
      throw new AppError(
        'conflict',
        `${routes === 1 ? 'A route uses' : `${routes} routes use`} ${name}. Change them first.`,
      )
    await sql`update lead_destinations set deleted_at = ${context.now}, secrets = null
      where company_id = ${company_id} and id = ${id}`.execute(context.db)
    note(context, 'lead_destination.deleted', id, name)
    return {}
  },

  testLeadDestination: prepared(
    leadDestinations.testLeadDestination,
    async (context, { id, lead_id, dry_run }) => {
      const row = await findRow(context, id)
      if (row.kind === 'members')
        throw new AppError('conflict', 'User destinations assign leads, so there is no request to test.')
      const schema = await schemaOf(context.db, actorOf(context))
      const leads = leadsOf(schema)
      const found = lead_id
        ? (await recordsById(context, leads, [lead_id])).get(lead_id)
        : sampleLead(leads, context.now)
      if (!found) throw refused('lead_id', 'Lead not found')
      const about = { leads, lead: found, delivery_id: randomUUIDv7() }
      const nothing = { answer: null, result: null, reason: null, price: null }
      if (dry_run) return { ...nothing, request: (await requestFor(context, services, row, about)).shown }
      const { retryAfterMs: _, ...sent } = await send(context, services, row, about, new AbortController().signal)
      return sent
    },
    async (context, { id, dry_run }, sent) => {
      if (!dry_run) {
        const { name } = await findRow(context, id)
        context.audit('lead_destination.tested', { target_id: id, data: { name, result: sent.result } })
      }
      return sent
    },
  ),
})

const withValues = (settings: object, kind: Kind, values: 'contact' | 'all') =>
  kind === 'email' ? { values, ...settings } : settings

/** The checked settings. The user who saves a destination becomes its owner. */
async function checked(context: Context, { outbound, mailer }: Services, kind: Kind, settings: object) {
  const actor = actorOf(context)
  const schema = await schemaOf(context.db, actor)
  const leads = leadsOf(schema)
  await refusePartialReaders(context)
  const given = settings as SettingsOf<Kind>
  refuseAll(templateErrors(leads, { kind, settings: given }))
  if (kind === 'http' || kind === 'kith') checkUrl(outbound, `${kind}.url`, (given as SettingsOf<'http' | 'kith'>).url)
  if (kind === 'members')
    for (const [i, id] of (given as SettingsOf<'members'>).user_ids.entries())
      await referenced(`members.user_ids.${i}`, () => findUser(context, id))
  if (kind === 'email' && !(await mailer.canSend(context.db, actor.company_id)))
    throw refused('email', 'Set up a mail server first, under Company, Mail')
  return given
}

/** A budget holds only if the highest price of a lead is known. */
async function refuseOpenBudgets(context: Context, { company_id, id, name }: DestinationRow) {
  const open = (await readRoutes(context.db, company_id)).find(({ settings }) =>
    settings.targets.some(
      ({ destination_id, caps, max_price }) =>
        destination_id === id && caps.budget !== null && (max_price ?? null) === null,
    ),
  )
  if (open)
    throw refused(
      'http.price_path',
      `The route ${open.name} has a budget for ${name}. Enter a maximum price there first`,
    )
}

/** A value must not decide which server gets the lead. */
function checkUrl(outbound: Services['outbound'], path: string, url: string) {
  const [start = ''] = url.split('{{')
  const plain = url.replace(/\{\{[^{}]*\}\}/g, 'x')
  const isHostFixed = /^https?:\/\/[^/?#]+[/?#]/.test(start) || !url.includes('{{')
  if (!isHostFixed) throw refused(path, 'Write the host without {{ }}')
  try {
    outbound.check(plain)
  } catch (error) {
    if (error instanceof OutboundError) throw refused(path, error.message.replace(/\.$/, ''))
    throw error
  }
}

/** Stored values go only to the server that they were entered for. */
function keptSecrets(vault: Vault, row: DestinationRow, settings: SettingsOf<Kind>, given: DestinationInput): Secrets {
  const stored = secretsOf(vault, row)
  const originOf = (one: SettingsOf<Kind>) => ('url' in one ? new URL(one.url.split('{{')[0]!).origin : '')
  if (originOf(row.settings) === originOf(settings)) return stored
  const replaced = Object.keys(given.headers ?? {}).map((name) => name.toLowerCase())
  const left = Object.keys(stored.headers).filter((name) => !replaced.includes(name.toLowerCase()))
  if (left.length)
    throw refused(
      'headers',
      `The address has a new host, so enter these headers again or remove them: ${left.join(', ')}`,
    )
  if (stored.authorization && !given.authentication)
    throw refused('authentication', 'The address has a new host, so enter the authentication again')
  if (stored.api_key && !given.api_key) throw refused('api_key', 'The address has a new host, so enter its API key')
  return { headers: {}, authorization: null, api_key: null }
}

function mergedSecrets(
  stored: Secrets,
  { headers = {}, authentication, api_key }: Pick<DestinationInput, 'headers' | 'authentication' | 'api_key'>,
): Secrets {
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  const kept = Object.entries(stored.headers).filter(([name]) => !names.includes(name.toLowerCase()))
  const added = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null)
  return {
    headers: Object.fromEntries([...kept, ...added]),
    authorization: authentication ? authorizationOf(authentication) : stored.authorization,
    api_key: api_key ?? stored.api_key,
  }
}

function authorizationOf(given: NonNullable<DestinationInput['authentication']>) {
  if (given.type === 'bearer') return `Bearer ${given.token}`
  if (given.type === 'basic') return `Basic ${Buffer.from(`${given.user}:${given.password}`).toString('base64')}`
  return null
}

function sealedSecrets(
  vault: Vault,
  place: { company_id: string; id: string },
  kind: Kind,
  secrets: Secrets,
  { authentication }: Pick<DestinationInput, 'authentication'>,
  before?: DestinationRow,
) {
  const header_names = Object.keys(secrets.headers)
  if (header_names.length > 20) throw refused('headers', 'Use at most 20 headers')
  if (kind !== 'http' && (header_names.length || authentication))
    throw refused('headers', 'Only http has headers and authentication')
  if (kind === 'kith' && !secrets.api_key) throw refused('api_key', 'Enter an API key of the other Kith')
  const isEmpty = !header_names.length && !secrets.authorization && !secrets.api_key
  const type = authentication?.type ?? before?.authentication ?? 'none'
  return {
    secrets: isEmpty ? null : vault.seal(JSON.stringify(secrets), placeOf(place)),
    header_names,
    authentication: kind === 'kith' ? 'api_key' : secrets.authorization ? type : 'none',
  }
}

type Noted = 'created' | 'updated' | 'deleted'
function note(context: Context, action: `lead_destination.${Noted}`, target_id: string, name: string) {
  context.emit('lead_sending.changed', {})
  context.audit(action, { target_id, data: { name } })
}
