// Files that come with messages: their bytes first, then their rows, as for all files.
import { randomUUIDv7 } from 'node:crypto'
import { safeName } from '../../files/names.ts'
import { type Files, type Kept, refuseOverQuota } from '../../files/queries.ts'
import { typeOf } from '../../files/sniff.ts'
import { type FileStore, keyOf } from '../../files/store.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Db } from '../../platform/db.ts'
import type { IncomingFile } from '../channels/channel.ts'
import type { MessageFile } from '../thread/message.ts'

const mostBytes = 50 * 1024 * 1024

type FileRow = { company_id: string; id: string; size: number; sha256: string; purpose: 'message'; created_at: string }
export type KeptFiles = {
  files: MessageFile[]
  rows: FileRow[]
  /** Why some were left out; null: none was. */
  leftOut: string | null
}

export const noFiles: KeptFiles = { files: [], rows: [], leftOut: null }

/** Before the transaction of the message. What exceeds the limits is left out, so that the message itself arrives. */
export async function keepFiles(
  { store, quotaBytes }: Files,
  db: Db,
  company_id: string,
  incoming: IncomingFile[],
  now: Date,
): Promise<KeptFiles> {
  const inMemory = incoming.reduce((sum, { content }) => sum + ('id' in content ? 0 : content.length), 0)
  const size = incoming.reduce((sum, { content }) => sum + ('id' in content ? content.size : 0), inMemory)
  if (!size) return noFiles
  if (inMemory > mostBytes) return { ...noFiles, leftOut: 'Attachments over 50 MB were not saved.' }
  try {
    await refuseOverQuota(db, company_id, size, quotaBytes)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...noFiles, leftOut: `Its attachments were not saved. ${error.message}` }
  }
  const kept: KeptFiles = { files: [], rows: [], leftOut: null }
  for (const { name, content, contentId, isInline } of incoming) {
    const { id, size, sha256, head } = 'id' in content ? content : await keep(store, company_id, content)
    const file = { id, name: safeName(name), type: typeOf(head, name), size }
    kept.files.push({ ...file, is_inline: isInline, content_id: contentId })
    const digest = `\\x${sha256.toString('hex')}`
    kept.rows.push({ ...file, company_id, sha256: digest, purpose: 'message', created_at: now.toISOString() })
  }
  return kept
}

async function keep(store: FileStore, company_id: string, content: Uint8Array): Promise<Kept> {
  const id = randomUUIDv7()
  return { id, ...(await store.put(keyOf({ company_id, id }), [content])) }
}
