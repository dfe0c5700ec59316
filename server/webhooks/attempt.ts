// One attempt to deliver an event, and what came of it, in words.
import type { Output } from '../../contract/operation.ts'
import type { webhooks } from '../../contract/webhooks.ts'
import { OutboundError, type PublicFetch } from '../platform/public-fetch.ts'
import { retryAfter } from '../platform/retry.ts'
import { keptBytes, masked, shownBody, shownHeaders } from '../platform/shown-requests.ts'
import { signatureHeaders } from '../platform/standard-webhooks.ts'
import { version } from '../platform/version.ts'
import type { Delivery, Endpoint } from './endpoint.ts'

type LogEntry = Output<typeof webhooks.getWebhookDelivery>['log'][number]
export type Attempt = Omit<LogEntry, 'number' | 'next_attempt_at'> & {
  retryAfterMs: number
  /** The receiver does not want this event, ever. */
  isAborted: boolean
  /** The receiver does not want any event, ever. */
  isGone: boolean
}

const timeoutMs = 15_000

export async function attempt(
  fetch: PublicFetch,
  endpoint: Endpoint,
  delivery: Delivery,
  at: Date,
  signal: AbortSignal,
): Promise<Attempt> {
  const { keys, headers: custom, target_url } = endpoint
  const own = {
    'content-type': 'application/json',
    'user-agent': `Kith/${version}`,
    ...signatureHeaders(keys, delivery.event_id, at, delivery.body),
  }
  const sent = { at: at.toISOString(), request_headers: { ...masked(custom), ...own } }
  const began = performance.now()
  try {
    const headers = { ...custom, ...own }
    const outgoing = { method: 'POST' as const, headers, body: delivery.body, timeoutMs, firstBytes: keptBytes, signal }
    const { status, ms, ...answer } = await fetch(target_url, outgoing)
    return {
      ...sent,
      ms,
      status,
      is_success: isSuccess(status),
      reason: reasonFor(status),
      response_headers: shownHeaders(answer.headers),
      response_body: shownBody(answer.body),
      retryAfterMs: isSuccess(status) ? 0 : retryAfter(answer.headers['retry-after'], at),
      isAborted: !isSuccess(status) && answer.headers['webhook-delivery'] === 'abort-message',
      isGone: status === 410,
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const ms = Math.round(performance.now() - began)
    const nothing = { status: null, is_success: false, response_headers: {}, response_body: '' }
    return { ...sent, ...nothing, ms, reason: error.message, retryAfterMs: 0, isAborted: false, isGone: false }
  }
}

const isSuccess = (status: number) => status >= 200 && status < 300

function reasonFor(status: number) {
  if (isSuccess(status)) return null
  if (status < 400)
    return `The receiver responded with ${status}, a redirect. Redirects are not followed: enter the final URL.`
  if (status === 410) return 'The receiver responded with 410: it no longer accepts events.'
  if (status === 401 || status === 403)
    return `The receiver responded with ${status}: it rejected the request. Check its signing secret and the custom headers.`
  if (status === 404) return 'The receiver responded with 404: nothing was found at this address.'
  if (status === 413) return 'The receiver responded with 413: it does not accept requests of this size.'
  if (status === 429) return 'The receiver responded with 429: too many requests.'
  return status < 500
    ? `The receiver responded with ${status}: it rejected the request.`
    : `The receiver returned ${status}: a problem on its side.`
}
