// Sends a call as a program would, or with the session of this browser.

import { type ApiCall, keyHeader } from '../../../contract/document/snippets.ts'
import { uploadHeader } from '../../../contract/operation.ts'
import { readable } from '../../ui/text/http.ts'

export type Outcome = {
  status: number
  /** Until the whole answer was there. */
  ms: number
  requestId: string
  type: string
  text: string
  bytes: number
}

export const idempotencyHeader = 'Idempotency-Key'
const longestMs = 60_000

type Sending = { key?: string | undefined; idempotencyKey?: string; file?: File | undefined }

/** Plain fetch on purpose: a query or mutation would keep the key in memory after the page is gone. */
export async function sendCall(
  { method, path, body, needsKey }: ApiCall,
  { key, idempotencyKey = '', file }: Sending = {},
): Promise<Outcome | undefined> {
  const isOwn = needsKey && key === undefined
  const headers: Record<string, string> = {
    ...(method !== 'GET' && { 'content-type': file ? file.type || 'application/octet-stream' : 'application/json' }),
    ...(needsKey && key !== undefined && { [keyHeader]: key.trim() }),
    ...(isOwn && file && { [uploadHeader]: '1' }),
    ...(idempotencyKey.trim() && { [idempotencyHeader]: idempotencyKey.trim() }),
  }
  const start = performance.now()
  try {
    const answer = await fetch(isOwn ? path.replace('/api/v1/', '/app/api/') : path, {
      method,
      headers,
      credentials: isOwn ? 'same-origin' : 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(longestMs),
      ...(file ? { body: file } : body && { body: JSON.stringify(body) }),
    })
    const content = await answer.blob()
    const ms = performance.now() - start
    const type = answer.headers.get('content-type') ?? ''
    const requestId = answer.headers.get('x-request-id') ?? ''
    return { status: answer.status, ms, requestId, type, text: await shown(content, type), bytes: content.size }
  } catch {
    return undefined
  }
}

const mostShown = 100_000

async function shown(content: Blob, type: string) {
  if (!/json|text/.test(type)) return ''
  const text = await content.text()
  const pretty = type.includes('json') ? readable(text) : text
  return pretty.length > mostShown ? `${pretty.slice(0, mostShown)}\n…` : pretty
}
