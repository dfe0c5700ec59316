// How the inbox sends by a Twilio number.
import type { ChannelRow, Outgoing, SendResult } from '../../inbox/channels/channel.ts'
import { retryAfter } from '../../platform/retry.ts'
import { call, type ProviderAccess, resultOfError, textAt } from '../gateway/call-provider.ts'
import { noteDelivered, noteFailure } from '../gateway/health.ts'
import { keyOf } from '../gateway/items.ts'
import { addressOf } from '../gateway/public-id.ts'
import { accountOf, authorization } from './account.ts'

export async function send(parts: ProviderAccess, channel: ChannelRow, message: Outgoing): Promise<SendResult> {
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
    const reason = `Twilio: ${textAt(json, 'message') ?? `responded with ${status}`}`
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
