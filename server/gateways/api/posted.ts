// What an API channel gets, in the form that all gateways share.
import type * as z from 'zod'
import { gateways, type PostedItem } from '../../../contract/gateways.ts'
import { AppError } from '../../kernel/app-error.ts'
import { parseInput } from '../../kernel/input.ts'
import type { PublicFetch } from '../../platform/public-fetch.ts'
import { filesOf } from '../core/files.ts'
import { type Item, partyOf } from '../core/items.ts'
import { readForeignJson } from '../core/json.ts'

type Posted = z.output<typeof PostedItem>

/** After its signature was verified. */
export function bodyOf<Schema extends z.ZodObject>(schema: Schema, body: Buffer): z.output<Schema> {
  let value: unknown
  try {
    value = body.length ? readForeignJson(body) : {}
  } catch {
    throw new AppError('bad_request', 'The body is not valid JSON.')
  }
  return parseInput(schema, value) as z.output<Schema>
}

export async function itemsOf(fetch: PublicFetch, body: Buffer, now: Date): Promise<Item[]> {
  const { items } = bodyOf(gateways.postToChannel.signedBody!, body) as { items: Posted[] }
  const read: Item[] = []
  for (const [i, item] of items.entries()) read.push(await itemOf(fetch, item, `items.${i}`, now))
  return read
}

async function itemOf(fetch: PublicFetch, item: Posted, path: string, now: Date): Promise<Item> {
  if (item.kind === 'typing') return item
  const at = item.at ? new Date(item.at) : now
  if (item.kind === 'edited' || item.kind === 'deleted') return { ...item, at }
  if (item.kind === 'state') {
    const { state, reason = null, thread = null, id = null, message_id = null } = item
    if (id === null && message_id === null) throw refused(path, 'Name the message by message_id or id')
    return { kind: 'state', messageId: message_id, id, state, reason, thread, at }
  }
  const { id, thread, direction, from, to, text, html = null, reply_to = null, files, is_automatic } = item
  if (direction === 'in' && !from) throw refused(`${path}.from`, 'Say who wrote it')
  if (!text && html === null && !files.length) throw refused(`${path}.text`, 'A message needs a text or a file')
  return {
    ...{ kind: 'message', id, thread, direction, at, text, html, replyTo: reply_to, isAutomatic: is_automatic },
    from: from ? partyOf(from) : null,
    to: to.map(partyOf),
    files: await filesOf(fetch, files, `${path}.files`),
  }
}

const refused = (path: string, message: string) =>
  new AppError('invalid_input', message, { errors: [{ path, message }] })
