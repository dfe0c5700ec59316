// What Twilio posts, its signature, and how the inbox sends by it. https://www.twilio.com/docs/messaging
import { createHmac, timingSafeEqual } from 'node:crypto'
import { channelAbilities } from '../../../contract/channels.ts'
import type { ChannelKind, ChannelRow, Outgoing, SendResult } from '../../inbox/channels/channel.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Signed } from '../../kernel/context.ts'
import type { PublicFetch } from '../../platform/public-fetch.ts'
import type { Vault } from '../../platform/vault.ts'
import { retryAfter } from '../../webhooks/schedule.ts'
import { call, type ProviderParts, resultOfError, textAt } from '../gateway/call-provider.ts'
import { openChannel } from '../gateway/channel.ts'
import { noteDelivered, noteFailure } from '../gateway/contact.ts'
import { attempted, type Files, put } from '../gateway/files.ts'
import { type Item, keyOf } from '../gateway/items.ts'
import { addressOf } from '../gateway/public-id.ts'

export type TwilioSettings = { account_sid: string }
export type TwilioSecrets = { auth_token: string }
export type Account = { fetch: PublicFetch; base: string; account_sid: string; auth_token: string }

export const authorization = ({ account_sid, auth_token }: Pick<Account, 'account_sid' | 'auth_token'>) => ({
  authorization: `Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString('base64')}`,
})

/** A text has at most 1,600 characters, and up to ten files are named. */
const mostBytes = 64 * 1024

/** Over the address as Twilio knows it, not as a proxy passes it on. */
export function verify(auth_token: string, address: string, { body, headers }: Signed) {
  // Anyone can post this, and it must be read before it is known who did.
  if (body.length > mostBytes) throw new AppError('too_large', 'Twilio posts less than this.')
  const fields = new URLSearchParams(body.toString())
  const byName = [...Map.groupBy(fields, ([name]) => name)].sort(([a], [b]) => (a < b ? -1 : 1))
  const content =
    address +
    byName
      .map(([name, pairs]) =>
        [...new Set(pairs.map(([, value]) => value))]
          .sort()
          .map((value) => name + value)
          .join(''),
      )
      .join('')
  const wanted = Buffer.from(createHmac('sha1', auth_token).update(content).digest('base64'))
  const given = Buffer.from(String(headers['x-twilio-signature'] ?? ''))
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new AppError('invalid_signature', 'The signature is wrong. Check the address in Twilio and BASE_URL.')
  return fields
}

const states: Record<string, 'sent' | 'delivered' | 'read' | 'failed'> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  undelivered: 'failed',
  failed: 'failed',
}

/** `messageId`: ours, which the address of a state names. */
export async function itemsOf(
  account: Account,
  fields: URLSearchParams,
  messageId: string | null,
  now: Date,
): Promise<Item[]> {
  const field = (name: string) => fields.get(name) ?? ''
  const id = field('MessageSid') || field('SmsSid')
  const state = states[field('MessageStatus')]
  if (fields.has('MessageStatus')) {
    const code = field('ErrorCode')
    const reason = state === 'failed' ? `Twilio could not deliver it${code && ` (error ${code})`}.` : null
    return state ? [{ kind: 'state', messageId, id, state, reason, thread: null, at: now }] : []
  }
  const from = field('From')
  if (!id || !from) return []
  return [
    {
      kind: 'message',
      id,
      thread: from,
      direction: 'in',
      at: now,
      text: field('Body'),
      html: null,
      replyTo: null,
      isAutomatic: false,
      from: { address: from, name: null },
      to: [],
      ...(await filesOf(account, fields)),
    },
  ]
}

async function filesOf(account: Account, fields: URLSearchParams) {
  const files: Files = { files: [], missing: [] }
  for (let i = 0; i < Math.min(Number(fields.get('NumMedia') ?? 0) || 0, 10); i++) {
    const type = fields.get(`MediaContentType${i}`) ?? 'application/octet-stream'
    const name = `media-${i + 1}.${type.split('/')[1]?.replace(/[^a-z0-9]/gi, '') || 'bin'}`
    put(files, { name, type }, await attempted(() => load(account, fields.get(`MediaUrl${i}`) ?? '')))
  }
  return files
}

/** The file is where Twilio redirects to; the credentials are not for there. */
async function load(account: Account, url: string) {
  const first = await call(account.fetch, url, { headers: authorization(account) })
  const location = first.status >= 300 && first.status < 400 ? first.headers.location : undefined
  const there = location && URL.parse(location, url)
  return there ? call(account.fetch, there.href) : first
}

export function accountOf(
  { vault, fetch, addresses }: { vault: Vault; fetch: PublicFetch; addresses: ProviderParts['addresses'] },
  channel: Pick<ChannelRow, 'company_id' | 'id' | 'secrets' | 'settings'>,
): Account | undefined {
  const secrets = openChannel<TwilioSecrets>(vault, channel)
  return secrets && { fetch, base: addresses.twilio, ...(channel.settings as TwilioSettings), ...secrets }
}

export const twilioKind = (parts: ProviderParts): ChannelKind => ({
  can: channelAbilities.sms,
  keyOf: (channel, { messageId }) => ({ key: keyOf(channel, messageId), providerId: messageId }),
  send: (channel, message) => send(parts, channel, message),
})

async function send(parts: ProviderParts, channel: ChannelRow, message: Outgoing): Promise<SendResult> {
  const { db, clock, baseUrl } = parts
  const own = { key: keyOf(channel, message.messageId), providerId: message.messageId }
  const account = accountOf(parts, channel)
  if (!account) return { state: 'failed', reason: 'The token was lost. Connect the number again.' }
  const fields = new URLSearchParams({
    To: message.thread ?? message.recipients[0]!.address,
    From: channel.address,
    Body: message.text,
    StatusCallback: `${addressOf(baseUrl, channel.company_id, channel.id, 'twilio')}?message_id=${message.messageId}`,
  })
  try {
    const url = `${account.base}/2010-04-01/Accounts/${account.account_sid}/Messages.json`
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...authorization(account) }
    const {
      status,
      headers: answered,
      json,
    } = await call(parts.fetch, url, { method: 'POST', headers, body: fields.toString() })
    const reason = `Twilio: ${textAt(json, 'message') ?? `answered ${status}`}`
    const id = textAt(json, 'sid')
    if (status >= 200 && status < 300 && id) {
      await noteDelivered(db, channel, clock())
      return { state: 'sent', key: keyOf(channel, id), providerId: id, thread: fields.get('To')! }
    }
    if (status === 429)
      return { state: 'later', afterSeconds: retryAfter(answered['retry-after'], clock()) / 1000 || 5, reason }
    if (status === 401 || status === 403) {
      await noteFailure(db, channel, reason, clock(), { needsHelp: true })
      return { state: 'again', afterSeconds: 60, reason }
    }
    return status >= 500 ? { state: 'unknown', reason, ...own } : { state: 'failed', reason }
  } catch (error) {
    const result = resultOfError(error, own)
    await noteFailure(db, channel, result.reason, clock())
    return result
  }
}
