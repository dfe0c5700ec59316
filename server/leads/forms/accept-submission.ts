// Takes a submission as it came. What becomes of it is decided later, so that nothing that was accepted can get lost.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { type leadForms, mostSubmissionLength } from '../../../contract/lead-forms.ts'
import { spamPoints } from '../../../contract/leads.ts'
import type { Parsed } from '../../../contract/operation.ts'
import type { FieldError } from '../../../contract/shared/errors.ts'
import { own } from '../../../contract/shared/own.ts'
import { email as emailShape } from '../../../contract/shared/shapes.ts'
import { type Schema, schemaOf } from '../../engine/schema/schema.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Context } from '../../kernel/context.ts'
import type { Vault } from '../../platform/vault.ts'
import { readFormId } from '../../website/public-id.ts'
import { isSolved } from '../../website/puzzle.ts'
import { submissionKey, tokenUse } from '../../website/token-use.ts'
import { type FormToken, newFormToken, readFormToken, type TokenFault } from '../../website/visitor-token.ts'
import { fieldsOf, honeypotOf, type PublicField } from './form.ts'
import { textsIn } from './form-texts.ts'
import type { SourceRow } from './source.ts'
import { type Rates, spamScore, suspicious } from './spam.ts'

export type Sent = Parsed<typeof leadForms.submitForm>
export type Form = { source: SourceRow; schema: Schema; company_name: string }
type Services = { baseUrl: URL; vault: Vault; rates: Rates }

/** The form. Unless `mayBeClosed`, it is open. Pages of sites that are not listed get an error that they cannot read. */
export async function findForm(context: Context, form_id: string, baseUrl: URL, mayBeClosed = false): Promise<Form> {
  const named = readFormId(form_id)
  if (!named) throw noForm()
  const { company_id, source_id } = named
  const { rows } = await sql<SourceRow & { schema_version: number; company_name: string }>`
    select s.company_id, s.id, s.name, s.owner_id, s.is_active, s.settings, s.consent_version, s.rule_turns,
      c.schema_version, c.name as company_name
    from lead_sources s join companies c on c.id = ${company_id}
    where s.company_id = ${company_id} and s.id = ${source_id} and s.deleted_at is null`.execute(context.db)
  const [row] = rows
  if (!row) throw noForm()
  const { schema_version, company_name, ...source } = row
  admitOrigin(context, source, baseUrl)
  if (!source.is_active && !mayBeClosed) throw new AppError('not_found', textsIn(source.settings.language).closed)
  return { source, company_name, schema: await schemaOf(context.db, { company_id, schema_version }) }
}

const noForm = () => new AppError('not_found', 'Form not found. It may have been deleted.')

/** A browser that hides the origin sends `null`. It may send a form, but its page cannot read the response. */
function admitOrigin({ visit }: Context, { settings }: SourceRow, baseUrl: URL) {
  const origin = visit?.origin
  if (!origin || origin === 'null' || origin === baseUrl.origin) return
  if (!settings.allowed_origins.includes(origin))
    throw new AppError('foreign_origin', 'This site cannot use the form. Add it to the allowed sites of the form.')
  visit.allow()
}

type Via = 'script' | 'page' | 'html'
/** `token`: to send it again with, after a puzzle or a second click. */
export type Accepted = { kind: 'accepted' } | { kind: 'suspicious'; token: FormToken }

export async function accept(
  context: Context,
  { source, schema }: Form,
  sent: Sent,
  via: Via,
  services: Services,
): Promise<Accepted> {
  const { vault, rates, baseUrl } = services
  const wait = rates.wait(source.id, context.ip)
  if (wait) throw new AppError('too_many_requests', `Too many submissions. Retry in ${wait} s.`, { retryAfter: wait })
  const token = sent.kith_token ? readFormToken(vault, sent.kith_token, source.id) : undefined
  const fields = fieldsOf(schema, source.settings)
  refuseInvalid(source, fields, sent)
  const key = token && submissionKey(token, sent)
  const use = token && key ? await tokenUse(context.db, source.company_id, token, key) : null
  if (use === 'same_content') return { kind: 'accepted' }
  const fault = token ? (token.fault ?? (use === 'other_content' ? 'used' : null)) : withoutToken(sent, via)
  const texts = textsOf(source, fields, sent)
  const longest = texts.reduce((most, { text }) => (text.length > most.length ? text : most), '')
  const { score, reasons } = spamScore({
    token,
    fault,
    isTrapFilled: filled(own(sent.values, honeypotOf(source.id))),
    hasHiddenOrigin: via !== 'page' && context.visit?.origin === 'null',
    isFrequent: rates.isFrequent(source.id, context.ip),
    isRepeated: rates.isRepeated(source.id, context.ip, longest, context.now),
    texts,
    now: context.now,
  })
  const isFresh = token && use === null
  const isWorth = score < suspicious || score >= spamPoints || (isFresh && (await hasWorked(token, sent, context.now)))
  if (!isWorth)
    return { kind: 'suspicious', token: isFresh ? token : newFormToken(vault, source.id, context.now, { fault }) }
  const isSpam = score >= spamPoints
  const state = isSpam
    ? 'spam'
    : source.settings.double_opt_in && emailOf(schema, sent.values)
      ? 'unconfirmed'
      : 'received'
  const { kith_token: _, ...body } = sent
  addSubmission(context, source, {
    state,
    via,
    token_id: key ?? null,
    spam_score: score,
    spam_reasons: reasons,
    email: emailOf(schema, sent.values),
    name: nameOf(schema, sent.values),
    body,
    page: sent.kith_page ?? pageOf(context, sent, via, baseUrl),
    referrer: sent.kith_referrer ?? null,
    first_utm: utmOf(sent.kith_first_page ?? sent.kith_page),
    last_utm: utmOf(sent.kith_page),
    consent_version: agreedTo(source, sent.kith_consent),
  })
  return { kind: 'accepted' }
}

function withoutToken({ kith_token }: Sent, via: Via): TokenFault {
  if (kith_token) return 'invalid'
  return via === 'html' ? 'plain' : 'missing'
}

/** Without a script, the browser says at most which site it was. */
function pageOf({ visit }: Context, { form_id }: Sent, via: Via, baseUrl: URL) {
  if (via === 'page') return `${baseUrl.origin}/public/forms/${form_id}`
  return visit?.origin && visit.origin !== 'null' ? visit.origin : null
}

type New = {
  state: string
  via: Via | 'api'
  token_id: string | null
  email: string | null
  name: string | null
  body: object
  page: string | null
  referrer: string | null
  first_utm: object
  last_utm: object
  consent_version: number | null
  spam_score: number
  spam_reasons: string[]
}

/** Also makes sure that it is processed. The same content with the same token is not added again. */
export function addSubmission(context: Context, source: Pick<SourceRow, 'company_id' | 'id'>, row: New) {
  const { company_id } = source
  const id = randomUUIDv7()
  const now = context.now.toISOString()
  const consent_at = row.consent_version ? now : null
  const isWaiting = row.state === 'received' || row.state === 'unconfirmed'
  const by = { ip: context.ip, user_agent: context.client }
  const waiting = { next_attempt_at: isWaiting ? now : null, attempts: 0 }
  const about = { company_id, id, source_id: source.id, received_at: now, consent_at }
  context.insert('lead_submissions', [{ ...about, ...row, ...by, ...waiting }])
  if (isWaiting) context.emit('lead.received', { submission_id: id, source_id: source.id }, company_id)
  return id
}

const filled = (value: string | string[] | undefined) => [value ?? ''].flat().some((text) => text.trim() !== '')

const hasWorked = async (token: FormToken, { kith_work }: Sent, now: Date) =>
  token.isConfirmed || (kith_work !== undefined && (await isSolved(token, kith_work, now)))

/** Only what was typed decides, never what is in Kith. */
function refuseInvalid(
  { settings, consent_version }: SourceRow,
  fields: PublicField[],
  { values, kith_consent }: Sent,
) {
  const texts = textsIn(settings.language)
  const length = Object.values(values).reduce((sum, value) => sum + [value].flat().join('').length, 0)
  if (length > mostSubmissionLength) throw new AppError('too_large', 'This form is too long. Shorten your answers.')
  const errors: FieldError[] = fields.flatMap((field) => {
    const message = faultOf(field, own(values, field.name), texts)
    return message ? [{ path: `values.${field.name}`, message }] : []
  })
  const { consent } = settings
  if (consent?.is_required && consent_version && !kith_consent)
    errors.push({ path: 'kith_consent', message: texts.agree })
  if (!errors.length) return
  throw new AppError('invalid_input', errors.map(({ message }) => message).join(' '), { errors })
}

function faultOf(field: PublicField, value: string | string[] | undefined, texts: ReturnType<typeof textsIn>) {
  if (!filled(value)) return field.is_required ? texts.required : undefined
  const given = [value!].flat().filter((text) => text.trim() !== '')
  if (field.type === 'email' && !emailShape.safeParse(given[0]).success) return texts.email
  if (field.type === 'number' && !Number.isFinite(Number(given[0]!.replace(',', '.')))) return texts.invalid
  const known = new Set(field.choices.map(({ value }) => value))
  if ((field.type === 'select' || field.type === 'multiselect') && !given.every((one) => known.has(one)))
    return texts.choice
  return undefined
}

/** Without the addresses of the company's own sites, which forms may fill in. */
const textsOf = ({ settings }: SourceRow, fields: PublicField[], { values }: Sent) =>
  fields
    .filter(({ type }) => type === 'text' || type === 'textarea')
    .map(({ name }) => {
      const text = [own(values, name) ?? ''].flat().join(' ')
      return { name, text: settings.allowed_origins.reduce((rest, origin) => rest.replaceAll(origin, ''), text) }
    })

export type Values = Record<string, unknown>

const builtIn = (schema: Schema, values: Values, key: string) => {
  const field = schema.builtIn.get('leads')?.builtIn.get(key)
  return String([own(values, field?.key ?? '') ?? ''].flat()[0] ?? '').trim()
}

export function emailOf(schema: Schema, values: Values) {
  const read = emailShape.safeParse(builtIn(schema, values, 'email'))
  return read.success ? read.data : null
}

export const nameOf = (schema: Schema, values: Values) =>
  ['first_name', 'last_name']
    .map((key) => builtIn(schema, values, key))
    .filter(Boolean)
    .join(' ')
    .slice(0, 200) ||
  builtIn(schema, values, 'company_name').slice(0, 200) ||
  null

/** The version that was shown, which may be an earlier one. */
export function agreedTo(
  { consent_version: current }: Pick<SourceRow, 'consent_version'>,
  given: string | number | undefined,
) {
  const version = Number(given)
  if (!current || !given) return null
  return Number.isInteger(version) && version >= 1 && version <= current ? version : current
}

const utmNames = ['source', 'medium', 'campaign', 'term', 'content']

/** From the address of the page. No cookie is set or read. */
export function utmOf(page: string | undefined): Record<string, string> {
  const query = page ? URL.parse(page)?.searchParams : undefined
  return Object.fromEntries(
    utmNames.flatMap((name) => {
      const value = query?.get(`utm_${name}`)?.slice(0, 500)
      return value ? [[name, value]] : []
    }),
  )
}
