// Calls the APIs of providers, and says what an answer means for a message.
import type { SendResult } from '../../inbox/channels/channel.ts'
import type { Db } from '../../platform/db.ts'
import { type Answer, OutboundError, type Outgoing, type PublicFetch } from '../../platform/public-fetch.ts'
import type { Vault } from '../../platform/vault.ts'
import { readForeignJson } from './read-json.ts'

/** Where the APIs are; tests have them on the loopback. */
export type ProviderAddresses = { telegram: string; twilio: string; whatsapp: string }
export const providerAddresses: ProviderAddresses = {
  telegram: 'https://api.telegram.org',
  twilio: 'https://api.twilio.com',
  whatsapp: 'https://graph.facebook.com/v23.0',
}

/** What channels of providers need from this installation. */
export type ProviderAccess = {
  db: Db
  vault: Vault
  fetch: PublicFetch
  clock: () => Date
  addresses: ProviderAddresses
  baseUrl: URL
}

export type Called = { status: number; headers: Answer['headers']; json: Record<string, unknown>; body: Buffer }

const timeoutMs = 20_000
const mostBytes = 20 * 1024 * 1024

export async function call(fetch: PublicFetch, url: string, outgoing: Outgoing = {}): Promise<Called> {
  const { status, headers, body } = await fetch(url, { timeoutMs, mostBytes, ...outgoing })
  return {
    status,
    headers,
    body,
    // Read when it is asked for: most bodies are files of strangers, of any size and kind.
    get json() {
      return jsonOf(body)
    },
  }
}

function jsonOf(body: Buffer): Record<string, unknown> {
  try {
    const value = readForeignJson(body)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    // The status of the response says whether it worked.
    return {}
  }
}

const beforeSending = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT/

type NotSent = Exclude<SendResult, { state: 'sent' }>

/** Providers do not recognize what they get twice: what may have been sent is not sent again by itself. */
export function resultOfError(error: unknown, named: { key: string; providerId: string }): NotSent {
  if (!(error instanceof OutboundError)) throw error
  const code = String((error.cause as NodeJS.ErrnoException | undefined)?.code ?? '')
  if (error.code === 'refused' || beforeSending.test(code))
    return { state: 'again', afterSeconds: 60, reason: error.message }
  return { state: 'unknown', reason: error.message, ...named }
}

export const jsonBody = (value: object, headers: Record<string, string> = {}): Outgoing => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
})

/** A form with files, as bytes with their type. */
export async function formBody(form: FormData, headers: Record<string, string> = {}): Promise<Outgoing> {
  const encoded = new Response(form)
  return {
    method: 'POST',
    headers: { 'content-type': encoded.headers.get('content-type')!, ...headers },
    body: new Uint8Array(await encoded.arrayBuffer()),
  }
}

export const textAt = (value: unknown, ...path: string[]): string | undefined => {
  let at = value
  for (const name of path) at = (at as Record<string, unknown> | undefined)?.[name]
  return typeof at === 'string' || typeof at === 'number' ? String(at) : undefined
}
