// Converts a lead to a person, an organization and a deal: one transaction and one change set, which can be undone.
import { mostOpenOptions } from '../../contract/built-in/objects.ts'
import type { leads as contract } from '../../contract/leads.ts'
import type { Output, Parsed } from '../../contract/operation.ts'
import { own } from '../../contract/shared/own.ts'
import { addOption } from '../engine/objects/open-options.ts'
import { isLabel, optionLike } from '../engine/objects/options.ts'
import { recordsById } from '../engine/read/by-id.ts'
import { allows, findObject, isOwn, refuse, refuseForeign, rightsFor } from '../engine/rights/rights.ts'
import { builtInInUse, type ObjectSchema, readSchema, schemaOf } from '../engine/schema/schema.ts'
import type { Target } from '../engine/schema/target.ts'
import { builtInValue } from '../engine/values/built-in-values.ts'
import type { Stored, Values } from '../engine/values/from-row.ts'
import { defaultsOf, newRecords } from '../engine/write/create.ts'
import { readAll, refuseFaults } from '../engine/write/input.ts'
import { lock, noSuchRecord } from '../engine/write/lock.ts'
import { saveChanges } from '../engine/write/save.ts'
import { changedRecord } from '../engine/write/update.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { Params, run } from '../kernel/statement.ts'
import { transaction } from '../platform/db.ts'
import { addAbout, inUse } from './about-lead.ts'
import { domainOf, findOrganization, findPerson, given } from './find-known.ts'
import { leadsOf } from './leads-object.ts'

type Input = Parsed<typeof contract.convertLead>
type Converted = Output<typeof contract.convertLead>
type Result = { record: Stored; is_new: boolean } | null
type Work = {
  lead: Stored
  leads: Target
  dry_run: boolean
  target(key: string): Target
  text(key: string): string | undefined
}

const mostMoved = 1000

export async function convertLead(context: Context, input: Input, isOptionAdded = false): Promise<Converted> {
  if (isOptionAdded) context.emit('schema.updated', {})
  const work = await begin(context, input)
  const { leads, lead, dry_run } = work
  const organization = await organizationOf(work, input)
  const person = await personOf(work, input, organization)
  const deal = input.deal ? await dealOf(work, input.deal, person, organization) : null
  const moved = await moveWork(work, [person, organization, deal])
  await noteMessage(work, deal ?? person ?? organization)
  await save(
    leads,
    lead,
    {
      status: 'converted',
      converted_person: person?.record.id,
      converted_organization: organization?.record.id,
      converted_deal: deal?.record.id,
    },
    dry_run,
  )
  return {
    person: shown(person),
    organization: shown(organization),
    deal: shown(deal),
    moved,
    change_set_id: dry_run ? null : context.change_set_id,
    dry_run,
  }
}

const shown = (result: Result) => result && { id: result.record.id, title: result.record.title, is_new: result.is_new }

async function begin(context: Context, { id, dry_run }: Input): Promise<Work> {
  const actor = actorOf(context)
  const schema = await schemaOf(context.db, actor)
  context.checkedAgainst({ company_id: actor.company_id, version: actor.schema_version })
  const leads = { context, schema, object: findObject(schema, actor, leadsOf(schema).key) }
  const lead = (await lock(leads, [id])).get(id)
  if (!lead) throw await noSuchRecord(leads, 'id', id)
  refuseReadOnly(leads, lead)
  if (builtInValue(leads.object, lead.values, 'status') === 'converted')
    throw new AppError('conflict', 'This lead was already converted. Undo that conversion first.')
  const target = (key: string) => {
    const object = schema.builtIn.get(key)!
    return { context, schema, object: findObject(schema, actor, object.key) }
  }
  const text = (key: string) => {
    const value = builtInValue(leads.object, lead.values, key)
    return typeof value === 'string' && value.trim() ? value.trim() : undefined
  }
  return { lead, leads, dry_run, target, text }
}

function refuseReadOnly({ context, object }: Target, record: Stored) {
  const actor = actorOf(context)
  const reach = rightsFor(actor, object.key).edit
  if (!allows(reach, isOwn(actor, object, record)))
    throw (reach === 'own' ? refuseForeign : refuse)(actor, 'change', object)
}

async function organizationOf(work: Work, { organization, organization_id }: Input): Promise<Result> {
  if (!organization && !organization_id) return null
  const target = work.target('organizations')
  const [name, domain] = [work.text('company_name'), domainOf(work.text('email'))]
  const known = organization_id
    ? await given(target, organization_id, 'organization_id')
    : await findOrganization(target, domain, name)
  if (known) return { record: known, is_new: false }
  return name ? create(work, target, { name, domains: domain ? [domain] : undefined }, {}, 'organization') : null
}

async function personOf(work: Work, { person, person_id }: Input, organization: Result): Promise<Result> {
  if (!person && !person_id) return null
  const target = work.target('people')
  const [email, phone, last_name] = [work.text('email'), work.text('phone'), work.text('last_name')]
  const known = person_id
    ? await given(target, person_id, 'person_id')
    : await findPerson(target, { email, phone, last_name })
  const entered = {
    first_name: work.text('first_name'),
    last_name,
    emails: email ? [email] : undefined,
    phones: phone ? [phone] : undefined,
    source: work.text('source'),
    consent: builtInValue(work.leads.object, work.lead.values, 'consent') || undefined,
  }
  const links = { organization: organization?.record.id }
  if (!known) {
    const isNamed = email || phone || entered.first_name || entered.last_name
    return isNamed ? create(work, target, entered, links, 'person') : null
  }
  const record = await fill(work, target, known, { ...entered, ...links })
  return { record, is_new: false }
}

async function dealOf(
  work: Work,
  deal: NonNullable<Input['deal']>,
  person: Result,
  organization: Result,
): Promise<Result> {
  const target = work.target('deals')
  const name = deal.name ?? organization?.record.title ?? person?.record.title ?? work.lead.title
  const links = { organization: organization?.record.id, people: person ? [person.record.id] : undefined }
  const source = dealSource(target.object, work.text('source'))
  return create(work, target, { name: name || 'Deal', source: source?.key }, links, 'deal', deal.values)
}

/** The option of deals that is called like the source of the lead, or Other. */
function dealSource(deals: ObjectSchema, text: string | undefined) {
  const field = builtInInUse(deals, 'source')
  if (!text || !field) return undefined
  if (field.type !== 'select') return { key: text }
  return optionLike(field.options ?? [], text) ?? field.options?.find(({ key }) => key === 'other')
}

/** A source that no deal had yet becomes an option, as long as there are not too many. */
export async function addDealSource(context: Context, { id, deal, dry_run }: Input) {
  const actor = actorOf(context)
  // Not the cached one: calls that hold a connection may wait for it, and this one has none yet.
  const schema = await readSchema(context.db, actor.company_id)
  const [leads, deals] = [schema.builtIn.get('leads'), schema.builtIn.get('deals')]
  const field = deals && builtInInUse(deals, 'source')
  if (!deal || dry_run || !leads || field?.type !== 'select' || (field.options?.length ?? 0) >= mostOpenOptions)
    return false
  if (!rightsFor(actor, deals!.key).create) return false
  const lead = (await recordsById(context, leads, [id])).get(id)
  const text = lead && builtInValue(leads, lead.values, 'source')
  if (typeof text !== 'string' || !isLabel(text.trim()) || optionLike(field.options ?? [], text)) return false
  await transaction(context.db, (tx) => addOption(tx, actor.company_id, field.id, text.trim()))
  return true
}

/** `links`: to records of the same conversion, which are not in the database yet. `sent`: by the caller. */
async function create(
  work: Work,
  target: Target,
  entered: Values,
  links: Values,
  path: string,
  sent: Values = {},
): Promise<Result> {
  const actor = actorOf(target.context)
  if (!rightsFor(actor, target.object.key).create) throw refuse(actor, 'create', target.object)
  const values = { ...carriedOver(work, target.object), ...inUse(target.object, entered), ...sent }
  const [draft] = await readAll(target, [
    { values: { ...defaultsOf(target), ...values }, path: sent === values ? path : `${path}.values` },
  ])
  const owned = {
    ...draft!,
    ...inUse(target.object, links),
    ...(!('owner' in draft!) && { owner: work.lead.owner_id ?? actor.user_id }),
  }
  const { changes, faults } = await newRecords(target, [owned], [values], () => `${path}.values`)
  refuseFaults(faults)
  await saveChanges(target, changes, work.dry_run)
  const { after, row } = changes[0]!
  return { record: { ...after, title: row.title }, is_new: true }
}

/** Fields that a company added to both objects under the same key. */
function carriedOver({ leads, lead }: Work, object: ObjectSchema): Values {
  const shared = leads.object.fields.filter((field) => {
    const other = object.byKey.get(field.key)
    return other && !field.built_in_key && !other.built_in_key && other.type === field.type && !other.is_read_only
  })
  return Object.fromEntries(
    shared.flatMap(({ key, type, is_multi }) => {
      const value = own(lead.values, key)
      const isOption = (one: unknown) => object.byKey.get(key)!.options?.some((option) => option.key === one)
      const isUsable = (type !== 'select' && type !== 'multi_select') || [value].flat().every(isOption)
      return value !== undefined && isUsable && is_multi === object.byKey.get(key)!.is_multi ? [[key, value]] : []
    }),
  )
}

/** A known person keeps what Kith knows. Only empty fields are filled, if the caller may edit the person. */
async function fill(work: Work, target: Target, known: Stored, entered: Values) {
  const actor = actorOf(target.context)
  if (!allows(rightsFor(actor, target.object.key).edit, isOwn(actor, target.object, known))) return known
  const isEmpty = (value: unknown) => value === undefined || value === null || (Array.isArray(value) && !value.length)
  const added = Object.entries(inUse(target.object, entered)).filter(([key]) => isEmpty(own(known.values, key)))
  if (!added.length) return known
  const locked = (await lock(target, [known.id])).get(known.id) ?? known
  await change(target, locked, Object.fromEntries(added), work.dry_run)
  return known
}

const save = (target: Target, record: Stored, values: Values, dry_run: boolean) =>
  change(target, record, inUse(target.object, values), dry_run)

async function change(target: Target, before: Stored, draft: Values, dry_run: boolean) {
  const { change, faults } = changedRecord(target, before, draft, 'lead')
  refuseFaults(faults)
  await saveChanges(target, [change], dry_run)
}

/** Notes, activities and tasks about the lead are now also about what it became. */
async function moveWork(work: Work, results: Result[]) {
  const ids = results.flatMap((result) => (result ? [result.record.id] : []))
  const { context, schema } = work.leads
  let moved = 0
  for (const key of ['notes', 'activities', 'tasks']) {
    const object = schema.builtIn.get(key)
    const about = object && builtInInUse(object, 'about')
    if (!object || !about || object.archived_at) continue
    const target = { context, schema, object }
    const rows = await lock(target, await linkedBy(context, about.id, work.lead.id))
    const actor = actorOf(context)
    const editable = [...rows.values()].filter((row) =>
      allows(rightsFor(actor, object.key).edit, isOwn(actor, object, row)),
    )
    const changes = editable.map((row) => {
      const now = [own(row.values, about.key) ?? []].flat() as string[]
      const draft = { [about.key]: [...new Set([...now, ...ids])] }
      return changedRecord(target, row, draft, 'lead').change
    })
    if (changes.length) await saveChanges(target, changes, work.dry_run)
    moved += changes.length
  }
  return moved
}

/** Copies the lead's message to the record that people work on from now on. */
async function noteMessage({ leads, lead, dry_run, text }: Work, result: Result) {
  const [message, source, campaign] = ['message', 'source', 'campaign'].map(text)
  const actor = actorOf(leads.context)
  const notes = leads.schema.builtIn.get('notes')
  if (dry_run || !result || !(message || campaign) || !notes || !rightsFor(actor, notes.key).create) return
  const from = [
    `Converted from the lead ${lead.title}`,
    source && `source ${source}`,
    campaign && `campaign ${campaign}`,
  ]
  const body = [from.filter(Boolean).join(', '), ...(message ? [message] : [])].join('\n\n')
  const { user_id } = actor
  await addAbout(leads, 'notes', { about: [result.record.id], by: user_id, owner: user_id, values: { body } })
}

async function linkedBy(context: Context, field_id: string, to_id: string) {
  const params = new Params()
  const rows = await run<{ from_id: string }>(
    context.db,
    `select l.from_id from links l where l.company_id = ${params.add(actorOf(context).company_id, 'uuid')}
      and l.to_id = ${params.add(to_id, 'uuid')} and l.field_id = ${params.add(field_id, 'uuid')} limit ${mostMoved}`,
    params,
  )
  return rows.map(({ from_id }) => from_id)
}
