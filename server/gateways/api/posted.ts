// What an API channel gets, in the form that all gateways share.
import type * as z from 'zod'
import { gateways, type PostedItem } from '../../../contract/gateways.ts'
import { AppError } from '../../kernel/app-error.ts'
import { parseInput } from '../../kernel/input.ts'
import type { PublicFetch } from '../../platform/public-fetch.ts'
import { type Item, partyOf } from '../core/items.ts'
import { readForeignJson } from '../core/json.ts'
import { checkFiles, createFetching, type Given } from './files.ts'

type Posted = z.output<typeof PostedItem>

/** Messages whose files are fetched at a time. */
const atOnce = 8

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
  const read = items.map((item, i) => itemOf(item, `items.${i}`, now))
  const filesOf = createFetching(fetch)
  const complete: Item[] = []
  for (let i = 0; i < read.length; i += atOnce)
    complete.push(
      ...(await Promise.all(
        read
          .slice(i, i + atOnce)
          .map(async ({ item, given }) => ({ ...item, ...(given.length && (await filesOf(given))) })),
      )),
    )
  return complete
}

function itemOf(item: Posted, path: string, now: Date): { item: Item; given: Given[] } {
  const alone = (one: Item) => ({ item: one, given: [] })
  if (item.kind === 'typing') return alone(item)
  const at = item.at ? new Date(item.at) : now
  if (item.kind === 'edited' || item.kind === 'deleted') return alone({ ...item, at })
  if (item.kind === 'state') {
    const { state, reason = null, thread = null, id = null, message_id = null } = item
    if (id === null && message_id === null) throw refused(path, 'Name the message by message_id or id')
    return alone({ kind: 'state', messageId: message_id, id, state, reason, thread, at })
  }
  const { id, thread, direction, from, to, text, html = null, reply_to = null, files, is_automatic } = item
  if (direction === 'in' && !from) throw refused(`${path}.from`, 'Say who wrote it')
  if (!text && html === null && !files.length) throw refused(`${path}.text`, 'A message needs a text or a file')
  checkFiles(files, `${path}.files`)
  return {
    item: {
      ...{ kind: 'message', id, thread, direction, at, text, html, replyTo: reply_to, isAutomatic: is_automatic },
      ...{ from: from ? partyOf(from) : null, to: to.map(partyOf), files: [], missing: [] },
    },
    given: files,
  }
}

const refused = (path: string, message: string) =>
  new AppError('invalid_input', message, { errors: [{ path, message }] })
