// Reads the body of a post to an API channel, in the form that all gateways share. Large ones are read in a thread.
import type * as z from 'zod'
import { gateways, type PostedItem } from '../../../contract/gateways.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import { parseInput } from '../../kernel/input.ts'
import { type Item, partyOf } from '../gateway/items.ts'
import { readForeignJson } from '../gateway/read-json.ts'
import { checkedFiles, type PostedFile } from './fetch-files.ts'

type Posted = z.output<typeof PostedItem>
export type ReadItem = { item: Item; given: PostedFile[] }

/** What is refused, in a form that a thread can hand over. */
type Refused = { code: AppError['code']; message: string; more: AppError['more'] }

export function readPosted(body: Uint8Array, now: Date): { read: ReadItem[] } | { refused: Refused } {
  try {
    const { items } = bodyOf(gateways.postToChannel.signedBody!, body) as { items: Posted[] }
    return { read: items.map((item, i) => itemOf(item, `items.${i}`, now)) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { refused: { code: error.code, message: error.message, more: error.more } }
  }
}

/** After its signature was verified. */
export function bodyOf<Schema extends z.ZodObject>(schema: Schema, body: Uint8Array): z.output<Schema> {
  let value: unknown
  try {
    value = body.length ? readForeignJson(body) : {}
  } catch {
    throw new AppError('bad_request', 'The body is not valid JSON.')
  }
  return parseInput(schema, value) as z.output<Schema>
}

function itemOf(item: Posted, path: string, now: Date): ReadItem {
  const alone = (one: Item) => ({ item: one, given: [] })
  if (item.kind === 'typing') return alone(item)
  const at = item.at ? new Date(item.at) : now
  if (item.kind === 'edited' || item.kind === 'deleted') return alone({ ...item, at })
  if (item.kind === 'state') {
    const { state, reason = null, thread = null, id = null, message_id = null } = item
    if (id === null && message_id === null) throw refused(path, 'Identify the message by message_id or id')
    return alone({ kind: 'state', messageId: message_id, id, state, reason, thread, at })
  }
  const { id, thread, direction, from, to, text, html = null, reply_to = null, files, is_automatic } = item
  if (direction === 'in' && !from) throw refused(`${path}.from`, 'Enter the sender')
  if (!text && html === null && !files.length) throw refused(`${path}.text`, 'A message requires text or a file')
  return {
    item: {
      kind: 'message',
      id,
      thread,
      direction,
      at,
      text,
      html,
      replyTo: reply_to,
      isAutomatic: is_automatic,
      from: from ? partyOf(from) : null,
      to: to.map(partyOf),
      files: [],
      missing: [],
    },
    given: checkedFiles(files, `${path}.files`),
  }
}
