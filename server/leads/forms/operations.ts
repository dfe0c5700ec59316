import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { leadForms } from '../../../contract/lead-forms.ts'
import { type leadSources, mostSources } from '../../../contract/lead-sources.ts'
import { leads } from '../../../contract/leads.ts'
import { scoredBy } from '../../engine/built-in/leads/score.ts'
import { recordsById } from '../../engine/read/by-id.ts'
import { findObject, refuse, rightsFor } from '../../engine/rights/rights.ts'
import { schemaOf } from '../../engine/schema/schema.ts'
import { renewSubscriptions } from '../../engine/subscriptions/save.ts'
import { lockInTrash, noSuchRecord } from '../../engine/write/lock.ts'
import { restoreRecords, trashRecords } from '../../engine/write/trash.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { lockToAdd, refuseMore } from '../../kernel/limits.ts'
import { type Handlers, prepared } from '../../kernel/run.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { defined } from '../../platform/defined.ts'
import type { Vault } from '../../platform/vault.ts'
import { addDealSource, convertLead } from '../convert.ts'
import { pathTo } from '../lead-path.ts'
import { leadsOf } from '../leads-object.ts'
import { addSubmission, agreedTo, emailOf, nameOf, utmOf } from './accept-submission.ts'
import { checkChange, checkOwner, checkSettings, ownFilter, usualFields } from './check-source.ts'
import { publicForm } from './form.ts'
import { formOperations } from './form-operations.ts'
import { findRow, rowsOf, type Settings, shown } from './source.ts'
import type { Rates } from './spam.ts'
import { details, findSubmission, listSubmissions, shown as shownSubmission } from './submission.ts'

type Services = { baseUrl: URL; vault: Vault; mailer: Mailer; formRates: Rates }
type All = typeof leadSources & typeof leads & typeof leadForms

export const leadOperations = (services: Services): Handlers<All> => ({
  ...formOperations(services),
  ...sourceOperations(services),

  listLeadSubmissions: listSubmissions,
  getLeadSubmission: async (context, { id }) => details(await findSubmission(context, id)),

  async processLeadSubmission(context, { id, values }) {
    const { state, source_id, body } = await findSubmission(context, id)
    if (state !== 'failed' && state !== 'received')
      throw new AppError(
        'conflict',
        `Only submissions that failed can be processed again. This one is ${words[state]}.`,
      )
    if (values) await correct(context, id, { ...body.values, ...values })
    return queue(context, id, source_id)
  },

  async markNotSpam(context, { id }) {
    const { state, source_id, lead_id } = await findSubmission(context, id)
    if (state !== 'spam') throw new AppError('conflict', `This submission is ${words[state]}, not spam.`)
    if (!lead_id) return queue(context, id, source_id)
    const target = await leadTarget(context)
    if (!(await lockInTrash(target, [lead_id])).size) return queue(context, id, source_id)
    await restoreRecords(target, [lead_id], false)
    return setState(context, id, 'lead')
  },

  async markSpam(context, { id }) {
    const { state, outcome, lead_id } = await findSubmission(context, id)
    if (state !== 'failed' && (state !== 'lead' || outcome !== 'created'))
      throw new AppError(
        'conflict',
        outcome
          ? 'This submission was added to an existing lead. Change that lead instead.'
          : `This submission is ${words[state]}.`,
      )
    const target = await leadTarget(context)
    const known = lead_id ? await recordsById(context, target.object, [lead_id]) : new Map()
    if (known.size) await trashRecords(target, [...known.keys()], false)
    return setState(context, id, 'spam')
  },

  async submitLead(context, { id: asked, values, page, referrer, consent_version }) {
    const actor = actorOf(context)
    const schema = await schemaOf(context.db, actor)
    const object = leadsOf(schema)
    if (!rightsFor(actor, object.key).create) throw refuse(actor, 'create', object)
    const all = await rowsOf(context, null)
    const source = all.find(({ id }) => id === asked) ?? only(all.filter((one) => isCalled(one, asked)))
    if (!source?.is_active) throw await noSource(context)
    const source_id = source.id
    const [email, name] = [emailOf(schema, values), nameOf(schema, values)]
    const utm = utmOf(page)
    const path = pathTo(context, services.baseUrl, source_id)
    const id = addSubmission(context, source, {
      state: source.settings.double_opt_in && email ? 'unconfirmed' : 'received',
      via: 'api',
      token_id: null,
      email,
      name,
      body: { values, path, door: context.door },
      page: page ?? null,
      referrer: referrer ?? null,
      first_utm: utm,
      last_utm: utm,
      consent_version: agreedTo(source, consent_version),
      spam_score: 0,
      spam_reasons: [],
    })
    const received_at = context.now.toISOString()
    return {
      id,
      source_id,
      source_name: source.name,
      received_at,
      email,
      name,
      page: page ?? null,
      state: source.settings.double_opt_in && email ? ('unconfirmed' as const) : ('received' as const),
      outcome: null,
      reason: null,
      lead_id: null,
      spam_score: 0,
      spam_reasons: [],
      via: 'api' as const,
      processed_at: null,
    }
  },

  convertLead: prepared(leads.convertLead, addDealSource, convertLead),

  async getLeadScore(context, { id }) {
    const target = await leadTarget(context)
    const lead = (await recordsById(context, target.object, [id])).get(id)
    if (!lead) throw await noSuchRecord(target, 'id', id)
    return { items: scoredBy(target, lead) }
  },

  getLeadSettings: readSettings,

  async updateLeadSettings(context, { response_minutes, score_rules }) {
    const { company_id } = actorOf(context)
    const schema = await schemaOf(context.db, actorOf(context))
    await renewSubscriptions(context.db, company_id)
    if (response_minutes !== undefined)
      await sql`update companies set lead_response_minutes = ${response_minutes} where id = ${company_id}`.execute(
        context.db,
      )
    if (score_rules) {
      const object = leadsOf(schema)
      const rules = []
      for (const [i, rule] of score_rules.entries())
        rules.push({
          ...rule,
          filter: await ownFilter(context, schema, object, rule.filter, `score_rules.${i}.filter`),
        })
      await sql`update companies set lead_score_rules = ${JSON.stringify(rules)}::jsonb where id = ${company_id}`.execute(
        context.db,
      )
      context.emit('lead_settings.updated', {})
    }
    context.audit('lead_settings.updated', {
      data: { fields: Object.keys(defined({ response_minutes, score_rules })) },
    })
    return readSettings(context)
  },
})

const words = {
  received: 'waiting to be processed',
  unconfirmed: 'waiting for its sender to confirm',
  lead: 'already a lead',
  failed: 'marked as failed',
  spam: 'spam',
  expired: 'unconfirmed and expired',
}

/** What was sent first is kept beside it. */
async function correct(context: Context, id: string, values: Record<string, unknown>) {
  const actor = actorOf(context)
  const schema = await schemaOf(context.db, actor)
  const [email, name] = [emailOf(schema, values), nameOf(schema, values)]
  await sql`update lead_submissions set email = ${email}, name = ${name},
      body = jsonb_set(jsonb_set(body, '{as_sent}', coalesce(body -> 'as_sent', body -> 'values', 'null')),
        '{values}', ${JSON.stringify(values)}::jsonb)
    where company_id = ${actor.company_id} and id = ${id}`.execute(context.db)
}

async function queue(context: Context, id: string, source_id: string) {
  const { company_id } = actorOf(context)
  await sql`update lead_submissions set state = 'received', reason = null, attempts = 0, next_attempt_at = ${context.now}
    where company_id = ${company_id} and id = ${id}`.execute(context.db)
  context.emit('lead.received', { submission_id: id, source_id })
  return shownSubmission(await findSubmission(context, id))
}

async function leadTarget(context: Context) {
  const actor = actorOf(context)
  const schema = await schemaOf(context.db, actor)
  return { context, schema, object: findObject(schema, actor, leadsOf(schema).key) }
}

async function setState(context: Context, id: string, state: 'lead' | 'spam') {
  await sql`update lead_submissions set state = ${state}
    where company_id = ${actorOf(context).company_id} and id = ${id}`.execute(context.db)
  return shownSubmission(await findSubmission(context, id))
}

const isCalled = ({ name, is_active }: { name: string; is_active: boolean }, asked: string) =>
  is_active && name.toLowerCase() === asked.trim().toLowerCase()
const only = <T>(list: T[]) => (list.length === 1 ? list[0] : undefined)

async function noSource(context: Context) {
  const open = (await rowsOf(context, null)).filter(({ is_active }) => is_active)
  const list = open.map(({ id, name }) => `${name} (${id})`).join(', ')
  return new AppError('not_found', `Lead source not found. ${list ? `Sources: ${list}` : 'Create one first.'}`)
}

async function readSettings({ db, ...context }: Context) {
  const company = await db
    .selectFrom('companies')
    .select(['lead_response_minutes', 'lead_score_rules'])
    .where('id', '=', actorOf(context).company_id)
    .executeTakeFirstOrThrow()
  return { response_minutes: company.lead_response_minutes, score_rules: company.lead_score_rules as never }
}

const sourceOperations = ({ baseUrl, mailer }: Services): Handlers<typeof leadSources> => ({
  listLeadSources: async (context) => ({ items: await shown(context, baseUrl, await rowsOf(context, null)) }),

  async createLeadSource(context, { name, owner_id, ...given }) {
    const { company_id, user_id } = actorOf(context)
    const schema = await schemaOf(context.db, actorOf(context))
    await lockToAdd(context, 'lead sources')
    const known = await rowsOf(context, null)
    refuseMore(known.length, mostSources, 'lead sources')
    const owner = owner_id ?? user_id
    await checkOwner(context, owner)
    const language = given.language ?? (schema.language as 'en-US')
    const complete = { ...given, language, fields: given.fields ?? usualFields(leadsOf(schema), language) }
    const settings = await checkSettings(context, schema, complete, mailer)
    const id = randomUUIDv7()
    await context.db
      .insertInto('lead_sources')
      .values({
        company_id,
        id,
        name,
        owner_id: owner,
        settings: JSON.stringify(settings),
        created_by: user_id,
        created_at: context.now,
        consent_version: settings.consent ? 1 : null,
      })
      .execute()
    if (settings.consent) await addConsent(context, id, 1, settings.consent.text)
    context.audit('lead_source.created', { target_id: id, data: { name } })
    return readSource(context, baseUrl, id)
  },

  getLeadSource: (context, { id }) => readSource(context, baseUrl, id),

  async previewLeadForm(context, { id, name: _, owner_id: __, ...given }) {
    const schema = await schemaOf(context.db, actorOf(context))
    const row = await findRow(context, id)
    const settings = { ...row.settings, ...defined(given) } as Settings
    const consent_version = settings.consent && (row.consent_version ?? 1)
    return publicForm(schema, { ...row, settings, consent_version }, '')
  },

  async updateLeadSource(context, { id, name, owner_id, is_active, ...given }) {
    const { company_id } = actorOf(context)
    const schema = await schemaOf(context.db, actorOf(context))
    await sql`select 1 from lead_sources where company_id = ${company_id} and id = ${id} for update`.execute(context.db)
    const row = await findRow(context, id)
    const isOnlyPaused = is_active === false && !Object.keys(defined({ name, owner_id, ...given })).length
    if (owner_id && owner_id !== row.owner_id) await checkOwner(context, owner_id)
    else if (!isOnlyPaused) await checkChange(context, row.owner_id)
    const wanted = { ...row.settings, ...defined(given) } as Settings
    const settings = await checkSettings(context, schema, wanted, mailer)
    const version = await nextConsent(context, id, settings)
    const changes = defined({ name, owner_id, is_active })
    await context.db
      .updateTable('lead_sources')
      .set({ ...changes, settings: JSON.stringify(settings), consent_version: version })
      .where('company_id', '=', company_id)
      .where('id', '=', id)
      .execute()
    const fields = Object.keys({ ...changes, ...defined(given) })
    context.audit('lead_source.updated', { target_id: id, data: { name: name ?? row.name, fields } })
    return readSource(context, baseUrl, id)
  },

  async deleteLeadSource(context, { id }) {
    const { name } = await findRow(context, id)
    await context.db
      .updateTable('lead_sources')
      .set({ deleted_at: context.now, is_active: false })
      .where('company_id', '=', actorOf(context).company_id)
      .where('id', '=', id)
      .execute()
    context.audit('lead_source.deleted', { target_id: id, data: { name } })
    return {}
  },

  async listConsentTexts(context, { id }) {
    await findRow(context, id)
    const { company_id } = actorOf(context)
    const { rows } = await sql<{ version: number; text: string; created_at: Date; created_by_name: string | null }>`
      select t.version, t.text, t.created_at, u.name as created_by_name from lead_consent_texts t
      left join users u on u.company_id = ${company_id} and u.id = t.created_by
      where t.company_id = ${company_id} and t.source_id = ${id} order by t.version desc`.execute(context.db)
    return { items: rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() })) }
  },
})

const readSource = async (context: Context, baseUrl: URL, id: string) =>
  (await shown(context, baseUrl, [await findRow(context, id)]))[0]!

/** A changed text is a new version. Without a consent text, no version is shown, but earlier ones are kept. */
async function nextConsent(context: Context, id: string, { consent }: Settings) {
  if (!consent) return null
  const { company_id } = actorOf(context)
  const { rows } = await sql<{ version: number; text: string }>`select version, text from lead_consent_texts
    where company_id = ${company_id} and source_id = ${id} order by version desc limit 1`.execute(context.db)
  const [newest] = rows
  if (newest && newest.text === consent.text) return newest.version
  const version = (newest?.version ?? 0) + 1
  await addConsent(context, id, version, consent.text)
  return version
}

const addConsent = (context: Context, source_id: string, version: number, text: string) => {
  const { company_id, user_id } = actorOf(context)
  return context.db
    .insertInto('lead_consent_texts')
    .values({ company_id, source_id, version, text, created_at: context.now, created_by: user_id })
    .execute()
}
