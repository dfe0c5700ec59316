import { countAdded } from '../../files/usage.ts'
import { insertingJson, joining, Params, run } from '../../kernel/statement.ts'
import type { Db } from '../../platform/db.ts'
import { foldedParticipants, foldedSubject } from '../thread/conversation.ts'
import type { Thread } from '../thread/known-threads.ts'
import { addLinks, type Link } from '../thread/links.ts'
import type { Batch } from './batch.ts'

/** In few statements, whatever the number of messages. */
export async function writeBatch({ context, place, known, created, changed, rows, sizes }: Batch, links: Link[]) {
  const { db } = context
  const rowOf = (id: string) => {
    const thread = known.threads.get(id)!
    return {
      ...thread,
      ...place,
      subject_folded: foldedSubject(thread.subject),
      participants_folded: foldedParticipants(thread.participants),
    }
  }
  await insert(
    db,
    'conversations',
    [...created].map((id) => ({ ...rowOf(id), label_ids: [] })),
  )
  await update(db, [...changed].filter((id) => !created.has(id)).map(rowOf))
  await insert(db, 'files', rows.files)
  await countAdded(
    db,
    place.company_id,
    rows.files.map(({ size }) => size),
  )
  for (const some of inPieces(rows.messages)) await insert(db, 'messages', some)
  await insert(db, 'messages', rows.events)
  await insert(db, 'conversation_addresses', rows.addresses)
  await insert(db, 'message_references', rows.references)
  if (rows.threads.length) {
    const params = new Params()
    const key = '(company_id, channel_id, thread) do update set conversation_id = excluded.conversation_id'
    await run(db, `${insertingJson('conversation_threads', rows.threads)(params)} on conflict ${key}`, params)
  }
  await addLinks(db, place.company_id, links)
  if (sizes.length) {
    const params = new Params()
    const { company_id } = place
    const { from, where } = joining(
      'messages',
      sizes.map((one) => ({ ...one, company_id })),
      { id: 'uuid' },
      params,
    )
    await run(db, `update messages t set size = x.size from ${from} where ${where} and t.size is null`, params)
  }
}

const pieceLength = 1_000_000

/** Other calls wait while rows are turned into JSON, so it is done with a few long messages at a time. */
function inPieces(rows: object[]) {
  const pieces: object[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const row of rows) {
    const { text, html } = row as { text: string; html: string | null }
    length += text.length + (html?.length ?? 0)
    if (length <= pieceLength) pieces.at(-1)!.push(row)
    else {
      pieces.push([row])
      length = text.length + (html?.length ?? 0)
    }
  }
  return pieces
}

async function insert(db: Db, table: string, rows: object[]) {
  if (!rows.length) return
  const params = new Params()
  await run(db, `${insertingJson(table, rows)(params)} on conflict do nothing`, params)
}

const followed = [
  'subject',
  'state',
  'snoozed_until',
  'participants',
  'participants_folded',
  'preview',
  'last_direction',
  'message_count',
  'has_files',
  'created_at',
  'last_message_at',
  'last_in_at',
  'last_out_at',
  'unread_at',
  'first_response_at',
  'closed_at',
  'version',
]

async function update(db: Db, rows: (Thread & { company_id: string })[]) {
  if (!rows.length) return
  const params = new Params()
  const { from, where } = joining('conversations', rows, { id: 'uuid' }, params)
  const set = followed.map((name) => `${name} = x.${name}`).join(', ')
  await run(db, `update conversations t set ${set} from ${from} where ${where}`, params)
}
