// Files of outgoing messages and drafts. They stay as long as something refers to them.
import { sql } from 'kysely'
import { type Files, findFile, readFile } from '../../files/queries.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { dayMs } from '../../platform/times.ts'
import type { StoredMessage } from '../thread/find-readable.ts'
import type { MessageFile } from '../thread/message.ts'

type Row = { id: string; name: string; type: string; size: number }
const unusedMs = dayMs

/** Those that the caller uploaded, then those of the forwarded message. */
export async function filesFor(
  context: Context,
  { file_ids, without_file_ids }: { file_ids: string[]; without_file_ids: string[] },
  forwarded: StoredMessage | null,
): Promise<MessageFile[]> {
  const own = await ownFiles(context, file_ids)
  const theirs = forwarded?.files.filter(({ id }) => !without_file_ids.includes(id)) ?? []
  return [...own.map((file) => ({ ...file, is_inline: false, content_id: null })), ...theirs]
}

export async function ownFiles(context: Context, ids: string[]): Promise<Row[]> {
  if (!ids.length) return []
  const { company_id, user_id } = actorOf(context)
  const { rows } = await sql<Row>`
    select id, name, type, size::int as size from files where company_id = ${company_id} and id = any(${ids}::uuid[])
      and purpose = 'message' and created_by = ${user_id} and (expires_at is null or expires_at > ${context.now})`.execute(
    context.db,
  )
  return ids.map((id, i) => {
    const file = rows.find((row) => row.id === id)
    if (!file)
      throw refused(`file_ids.${i}`, 'File not found. Upload it for the purpose message, and again if it has expired')
    return file
  })
}

/** A file to download, one of those that the caller may see. */
export async function messageFile(context: Context, files: Files, listed: MessageFile[], id: string) {
  const noSuchFile = () => new AppError('not_found', 'File not found in this message.')
  if (!listed.some((file) => file.id === id)) throw noSuchFile()
  const file = await findFile(context.db, actorOf(context).company_id, id, 'message')
  const content = file && (await readFile(files, file))
  if (!content) throw noSuchFile()
  return { name: file.name, type: file.type, size: file.size, content }
}

/** Kept from now on. */
export async function keepFiles(context: Context, ids: string[]) {
  if (!ids.length) return
  const { company_id, user_id } = actorOf(context)
  await sql`update files set expires_at = null where company_id = ${company_id} and id = any(${ids}::uuid[])
    and purpose = 'message' and created_by = ${user_id}`.execute(context.db)
}

type Owner = { company_id: string; user_id: string }

/** Deleted in a day, unless something else has them or is made of them until then. */
export async function dropFiles({ db, now }: Pick<Context, 'db' | 'now'>, owner: Owner, ids: string[]) {
  if (!ids.length) return
  const { company_id, user_id } = owner
  const has = (files: string) => sql`${sql.raw(files)} @> jsonb_build_array(jsonb_build_object('id', f.id))`
  await sql`update files f set expires_at = ${new Date(now.getTime() + unusedMs)}
    where f.company_id = ${company_id} and f.id = any(${ids}::uuid[]) and f.purpose = 'message' and f.created_by = ${user_id}
      and not exists (select from messages m where m.company_id = ${company_id} and m.direction = 'out' and m.files <> '[]'
        and ${has('m.files')})
      and not exists (select from message_drafts d where d.company_id = ${company_id} and ${has("d.content -> 'files'")})
      and not exists (select from proposals p where p.company_id = ${company_id} and p.state = 'waiting'
        and ${has("p.content -> 'files'")})`.execute(db)
}
