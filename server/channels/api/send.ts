// How the inbox sends by an API channel: the message is posted to the gateway, which recognizes what it gets twice.
import type { output } from 'zod'
import type { OutgoingMessage } from '../../../contract/gateways.ts'
import type { ChannelRow, Outgoing, SendResult } from '../../inbox/channels/channel.ts'
import type { Db } from '../../platform/db.ts'
import { type Answer, OutboundError, type PublicFetch } from '../../platform/public-fetch.ts'
import { retryAfter } from '../../platform/retry.ts'
import { signatureHeaders } from '../../platform/standard-webhooks.ts'
import type { Vault } from '../../platform/vault.ts'
import { version } from '../../platform/version.ts'
import { noteDelivered, noteFailure, noteWorking } from '../gateway/health.ts'
import { keyOf } from '../gateway/items.ts'
import { readForeignJson } from '../gateway/read-json.ts'
import { type ApiSettings, keysOf } from './secret.ts'

export type ApiServices = { db: Db; vault: Vault; fetch: PublicFetch; clock: () => Date }

const timeoutMs = 20_000
const mostAnswerBytes = 64 * 1024

export const outgoingJson = (channel_id: string, message: Outgoing): output<typeof OutgoingMessage> => ({
  type: 'message',
  id: message.messageId,
  channel_id,
  conversation_id: message.conversationId,
  thread: message.thread,
  to: message.recipients.map(({ address, name }) => ({ address, name })),
  from: { name: message.from.name },
  text: message.text,
  reply_to: message.replyTo,
  files: message.files.map(({ name, type, content }) => ({
    name,
    type,
    size: content.length,
    content: Buffer.from(content).toString('base64'),
  })),
  at: message.at.toISOString(),
})

/** A person who sends it again means it: the gateway must not take it for the same. */
const postId = ({ messageId, resends }: Outgoing) => (resends ? `${messageId}-${resends}` : messageId)

export async function send(parts: ApiServices, channel: ChannelRow, message: Outgoing): Promise<SendResult> {
  const { db, clock } = parts
  const again = async (reason: string): Promise<SendResult> => {
    await noteFailure(db, channel, reason, clock())
    return { state: 'again', afterSeconds: 0, reason }
  }
  const { webhook_url } = channel.settings as ApiSettings
  if (!webhook_url) return { state: 'again', afterSeconds: 0, reason: 'Waiting for the gateway to fetch it.' }
  try {
    const body = JSON.stringify(outgoingJson(channel.id, message))
    const answer = await post(parts, channel, webhook_url, postId(message), body)
    if (!answer) return again('The secret of this channel was lost. Rotate it on the channel page.')
    if (answer.status === 429 || answer.status === 503) {
      const waitMs = retryAfter(answer.headers['retry-after'], clock())
      if (waitMs)
        return {
          state: 'later',
          afterSeconds: waitMs / 1000,
          reason: `The gateway responded with ${answer.status}: rate limited. Retrying later.`,
        }
    }
    const said = readAnswer(answer)
    if (answer.status === 400 || answer.status === 413 || answer.status === 422)
      return { state: 'failed', reason: said.reason ?? `The gateway refused the message (${answer.status}).` }
    if (answer.status < 200 || answer.status > 299) return again(wordsFor(answer.status))
    if (said.state === 'failed') {
      await noteWorking(db, channel, 'sending', clock())
      return { state: 'failed', reason: said.reason ?? 'The gateway could not send it.' }
    }
    await noteDelivered(db, channel, clock())
    const id = said.id ?? message.messageId
    return {
      state: 'sent',
      key: keyOf(channel, id),
      providerId: id,
      ...(said.thread !== undefined && { thread: said.thread }),
      ...((said.state === 'delivered' || said.state === 'read') && { final: said.state }),
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return again(error.message)
  }
}

/** Undefined: there is no secret to sign with. */
export async function post(
  { vault, fetch, clock }: ApiServices,
  channel: ChannelRow,
  url: string,
  id: string,
  body: string,
) {
  const now = clock()
  const keys = keysOf(vault, channel, now)
  if (!keys.length) return undefined
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': `Kith/${version}`,
      ...signatureHeaders(keys, id, now, body),
    },
    body,
    timeoutMs,
    firstBytes: mostAnswerBytes,
  })
}

type Said = { id?: string; state?: string; thread?: string; reason?: string }

/** An answer without anything of interest is one, too. */
function readAnswer({ body }: Answer): Said {
  try {
    const value = readForeignJson(body) as Record<string, unknown>
    const text = (name: string, most: number) => {
      const found = value[name]
      return (typeof found === 'string' && found) || typeof found === 'number'
        ? { [name]: String(found).slice(0, most) }
        : {}
    }
    return { ...text('id', 300), ...text('state', 20), ...text('thread', 300), ...text('reason', 500) }
  } catch {
    // Receivers may answer with anything.
    return {}
  }
}

export function wordsFor(status: number) {
  if (status < 400)
    return `The gateway responded with ${status}, a redirect. Redirects are not followed: enter the final URL.`
  if (status === 401 || status === 403)
    return `The gateway responded with ${status}: it rejected the signature. Check its secret and clock.`
  if (status === 404) return 'The gateway responded with 404. Check the webhook URL.'
  return `The gateway responded with ${status}. Check its log.`
}
