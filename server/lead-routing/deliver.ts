// Sends one lead to one destination, and says what became of it.
import { leadPathHeader } from '../../contract/leads.ts'
import { dateFormat } from '../../contract/shared/date-format.ts'
import { type ObjectSchema, type Schema, schemaOfCompany } from '../engine/schema/schema.ts'
import type { Stored } from '../engine/values/from-row.ts'
import type { Reader } from '../kernel/context.ts'
import { pathOf } from '../leads/lead-path.ts'
import { leadMail } from '../mail/email-texts.ts'
import { MailError } from '../mail/mail-error.ts'
import type { Mailer } from '../mail/mailer.ts'
import { bom, inTable, toCsv } from '../platform/csv.ts'
import { OutboundError, type PublicFetch } from '../platform/public-fetch.ts'
import { retryAfter } from '../platform/retry.ts'
import { keptBytes, masked, shownBody, shownHeaders } from '../platform/shown-requests.ts'
import { render, type TemplateValues } from '../platform/template.ts'
import type { Vault } from '../platform/vault.ts'
import { version } from '../platform/version.ts'
import { type DestinationRow, type SettingsOf, secretsOf, valuesIn } from './destination.ts'
import { sendable, valuesOf } from './lead-values.ts'
import { type Meaning, meaningOf } from './read-response.ts'
import { returnLink } from './return-link.ts'

export type Services = { vault: Vault; mailer: Mailer; fetch: PublicFetch; baseUrl: URL }
export type SentRequest = { method: string; url: string; headers: Record<string, string>; body: string }
export type GivenAnswer = { status: number | null; headers: Record<string, string>; body: string; ms: number }
export type Sent = Meaning & { request: SentRequest; answer: GivenAnswer | null; retryAfterMs: number }
/** `real`: with its secrets. `shown`: without them. */
type Prepared = { real: SentRequest; shown: SentRequest; timeoutMs: number }

type LeadToSend = { leads: ObjectSchema; lead: Stored; delivery_id: string }

/** The request as it would be sent. */
export async function requestFor(
  context: Reader,
  services: Services,
  row: DestinationRow,
  about: LeadToSend,
): Promise<Prepared> {
  const { leads, lead, delivery_id } = about
  const return_link = returnLink(services, row, delivery_id, context.now)
  const values = await valuesOf(
    context,
    leads,
    lead,
    { delivery_id, return_link },
    row.kind === 'email' ? 'labels' : 'keys',
  )
  if (row.kind === 'email') {
    const given = await schemaOfCompany(context.db, row.company_id)
    return mailRequest(row.settings as SettingsOf<'email'>, leads, values, receivedLine(lead, given))
  }
  if (row.kind === 'http') return httpRequest(services.vault, row, leads, values, delivery_id)
  const path = await pathOf(context.db, services.baseUrl, { company_id: row.company_id, id: lead.id })
  return kithRequest(services.vault, row, leads, values, { delivery_id, path })
}

/** Not for users in turn, which need no request. */
export async function send(
  context: Reader,
  services: Services,
  row: DestinationRow,
  about: LeadToSend,
  signal: AbortSignal,
): Promise<Sent> {
  const prepared = await requestFor(context, services, row, about)
  return row.kind === 'email'
    ? sendMail(context, services, row, about, prepared)
    : sendRequest(services, row, prepared, context.now, signal)
}

const types = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  xml: 'application/xml',
  text: 'text/plain; charset=utf-8',
}

function httpRequest(
  vault: Vault,
  row: DestinationRow,
  leads: ObjectSchema,
  values: TemplateValues,
  delivery_id: string,
): Prepared {
  const { method, url, content_type, body, timeout_seconds } = row.settings as SettingsOf<'http'>
  const { headers: custom, authorization } = secretsOf(vault, row)
  const own = {
    'user-agent': `Kith/${version}`,
    'idempotency-key': delivery_id,
    ...(method !== 'GET' && { 'content-type': types[content_type] }),
  }
  const content =
    method === 'GET' ? '' : body.trim() ? render(body, content_type, values) : everything(leads, values, content_type)
  const secret: Record<string, string> = { ...custom, ...(authorization && { authorization }) }
  const request = { method, url: render(url, 'url', values), body: content }
  return withSecrets(request, own, secret, timeout_seconds * 1000)
}

/** Without a template: every field that has a value, and the link to return the lead. */
function everything(leads: ObjectSchema, values: TemplateValues, content_type: keyof typeof types) {
  const names = [...sendable(leads).map(({ key }) => key), 'lead_id', 'created_at', 'return_link']
  const given = names.flatMap((name) => (values[name]!.raw === null ? [] : [[name, values[name]!] as const]))
  if (content_type === 'json') return JSON.stringify(Object.fromEntries(given.map(([name, { raw }]) => [name, raw])))
  if (content_type === 'form') return new URLSearchParams(given.map(([name, { text }]) => [name, text])).toString()
  return given.map(([name, { text }]) => `${name}: ${text}`).join('\n')
}

/** What leads are called in every Kith. */
const common = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'company_name',
  'message',
  'campaign',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
]

function kithRequest(
  vault: Vault,
  row: DestinationRow,
  leads: ObjectSchema,
  values: TemplateValues,
  { delivery_id, path }: { delivery_id: string; path: string[] },
): Prepared {
  const settings = row.settings as SettingsOf<'kith'>
  const { api_key } = secretsOf(vault, row)
  const given = Object.keys(settings.values).length
    ? Object.entries(settings.values).map(([key, template]) => [key, render(template, 'text', values)] as const)
    : common.flatMap((key) => {
        const field = leads.builtIn.get(key)
        const text = field && values[field.key]?.text
        return text ? [[key, text] as const] : []
      })
  const filled = Object.fromEntries(given.filter(([, text]) => text !== ''))
  const request = {
    method: 'POST',
    url: `${new URL(settings.url).origin}/api/v1/lead-sources/${settings.source_id}/submissions`,
    body: JSON.stringify({ values: filled }),
  }
  const own = {
    'user-agent': `Kith/${version}`,
    'content-type': types.json,
    'idempotency-key': delivery_id,
    ...(path.length && { [leadPathHeader]: path.join(' ') }),
  }
  return withSecrets(request, own, { 'x-api-key': api_key ?? '' }, 15_000)
}

function withSecrets(
  request: Omit<SentRequest, 'headers'>,
  own: Record<string, string>,
  secret: Record<string, string>,
  timeoutMs: number,
): Prepared {
  return {
    real: { ...request, headers: { ...own, ...secret } },
    shown: { ...request, headers: { ...own, ...masked(secret) } },
    timeoutMs,
  }
}

async function sendRequest(
  { fetch }: Services,
  row: DestinationRow,
  { real, shown: request, timeoutMs }: Prepared,
  now: Date,
  signal: AbortSignal,
): Promise<Sent> {
  const began = performance.now()
  const mapping =
    row.kind === 'http' ? (row.settings as SettingsOf<'http'>) : { rules: [], reason_path: 'detail', price_path: null }
  try {
    const { method, headers, body } = real
    const outgoing = {
      method: method as 'POST',
      headers,
      ...(body && { body }),
      timeoutMs,
      firstBytes: keptBytes,
      signal,
    }
    const { status, ms, ...given } = await fetch(real.url, outgoing)
    const text = shownBody(given.body)
    const answer = { status, headers: shownHeaders(given.headers), body: text, ms }
    const meaning = meaningOf(mapping, status, text)
    const retryAfterMs = meaning.result === 'again' ? retryAfter(given.headers['retry-after'], now) : 0
    return { ...meaning, request, answer, retryAfterMs }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const answer = { status: null, headers: {}, body: '', ms: Math.round(performance.now() - began) }
    const isSent = mayHaveArrived(error)
    const reason = isSent ? `${error.message} The lead may have arrived.` : error.message
    return { result: isSent ? 'unknown' : 'failed', reason, price: null, request, answer, retryAfterMs: 0 }
  }
}

/** Errors that happen before anything is sent. All others leave open whether the request has arrived. */
const beforeSending =
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENOTFOUND|EAI_\w+|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_\w+|ERR_SSL_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+)$/

function mayHaveArrived({ code, cause }: OutboundError) {
  if (code === 'refused') return false
  return !beforeSending.test(String((cause as NodeJS.ErrnoException | undefined)?.code ?? ''))
}

function mailRequest(
  settings: SettingsOf<'email'>,
  leads: ObjectSchema,
  values: TemplateValues,
  received: string,
): Prepared {
  const { to, subject, body } = settings
  const isContact = valuesIn(settings) === 'contact'
  const given = (isContact ? contactFields(leads) : sendable(leads)).flatMap(({ key, label }) =>
    values[key]?.text ? [`${label}: ${values[key].text}`] : [],
  )
  const lines = isContact ? [...given, received] : given
  const text = body.trim() ? render(body, 'text', values) : lines.join('\n')
  const request = {
    method: 'EMAIL',
    url: to.join(', '),
    headers: { subject: render(subject, 'line', values).slice(0, 300) },
    body: text,
  }
  return { real: request, shown: request, timeoutMs: 0 }
}

/** What a partner needs to reach the lead, and what the lead wrote. */
const contact = ['first_name', 'last_name', 'email', 'phone', 'company_name', 'message', 'page']

const contactFields = (leads: ObjectSchema) =>
  contact.flatMap((name) => sendable(leads).find(({ built_in_key }) => built_in_key === name) ?? [])

function receivedLine({ created_at }: Stored, { language, time_zone }: Pick<Schema, 'language' | 'time_zone'>) {
  const format = dateFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: time_zone })
  return `Received: ${format.format(new Date(created_at))} (${time_zone})`
}

async function sendMail(
  context: Reader,
  { mailer, vault, baseUrl }: Services,
  row: DestinationRow,
  about: LeadToSend,
  { shown: request }: Prepared,
): Promise<Sent> {
  const { delivery_id } = about
  const { to, attach_csv } = row.settings as SettingsOf<'email'>
  const began = performance.now()
  const link = row.returns.days ? returnLink({ vault, baseUrl }, row, delivery_id, context.now) : null
  const csv = attach_csv ? await csvOf(context, about, valuesIn(row.settings) === 'contact') : null
  const answerOf = (body: string) => ({ status: null, headers: {}, body, ms: Math.round(performance.now() - began) })
  let sent = 0
  try {
    for (const [i, address] of to.entries()) {
      const mail = leadMail({
        to: address,
        id: `${delivery_id}-${i}`,
        subject: request.headers.subject!,
        words: request.body,
        link,
      })
      await mailer.send(context.db, row.company_id, csv ? { ...mail, attachment: csv } : mail)
      sent++
    }
    const answer = answerOf('The mail server accepted the email.')
    return { result: 'accepted', reason: null, price: null, request, answer, retryAfterMs: 0 }
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    // Some recipients have it already, so it is not sent again.
    const result = sent ? 'unknown' : error.isPermanent ? 'failed' : 'again'
    return { result, reason: error.message, price: null, request, answer: answerOf(error.message), retryAfterMs: 0 }
  }
}

async function csvOf(context: Reader, { leads, lead, delivery_id }: LeadToSend, isContact: boolean) {
  const values = await valuesOf(context, leads, lead, { delivery_id, return_link: '' }, 'labels')
  const fields = (isContact ? contactFields(leads) : sendable(leads)).filter(({ key }) => values[key]?.text)
  const rows = [fields.map(({ label }) => label), fields.map(({ key }) => inTable(values[key]!.text))]
  return { name: 'lead.csv', type: 'text/csv; charset=utf-8', content: bom + toCsv(rows) }
}
