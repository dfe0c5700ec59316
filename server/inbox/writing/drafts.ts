// Drafts of messages. They are on the server, so that they outlive a reload and can be continued on another device.

import { sql } from 'kysely'
import type { messages as contract } from '../../../contract/messages.ts'
import type { Output, Parsed } from '../../../contract/operation.ts'
import { AppError, referenced } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { pageIn } from '../../kernel/page.ts'
import type { Handlers } from '../../kernel/run.ts'
import type { Db } from '../../platform/db.ts'
import { dropFiles, keepFiles, ownFiles } from '../sending/attachments.ts'
import { conversationFor } from '../thread/find-readable.ts'

type Own = Pick<typeof contract, 'listMessageDrafts' | 'saveMessageDraft' | 'deleteMessageDraft'>
type Draft = Output<typeof contract.saveMessageDraft>
type Content = Omit<
  Parsed<typeof contract.saveMessageDraft>,
  'id' | 'conversation_id' | 'version' | 'file_ids' | 'without_file_ids'
> & {
  files: Draft['files']
  /** Drafts of older versions have none. */
  without_file_ids?: string[]
}
type Row = { id: string; conversation_id: string | null; content: Content; version: number; updated_at: Date }

export const draftOperations: Handlers<Own> = {
  async listMessageDrafts(context, { conversation_id, ...page }) {
    const { company_id, user_id } = actorOf(context)
    const { rows } = await sql<Row>`
      select id, conversation_id, content, version, updated_at from message_drafts
      where company_id = ${company_id} and user_id = ${user_id}
        and (${conversation_id ?? null}::uuid is null or conversation_id = ${conversation_id ?? null}::uuid)
      order by updated_at desc, id`.execute(context.db)
    return pageIn(rows.map(shown), page)
  },

  async saveMessageDraft(context, { id, conversation_id, version, file_ids, ...given }) {
    const { company_id, user_id } = actorOf(context)
    const conversation = conversation_id
      ? await referenced('conversation_id', () => conversationFor(context, conversation_id))
      : null
    const known = await findDraft(context, id, conversation?.id ?? null)
    if (known && known.version !== version) throw newer(known)
    if (!known && version > 0) throw new AppError('not_found', 'This draft was sent or discarded on another device.')
    const files = (await ownFiles(context, file_ids)).map(({ id, name, size }) => ({ id, name, size }))
    const content: Content = { ...given, files }
    const { rows } = await sql<Row>`
      insert into message_drafts (company_id, id, user_id, conversation_id, content, version, updated_at)
      values (${company_id}, ${known?.id ?? id}, ${user_id}, ${conversation?.id ?? null}, ${JSON.stringify(content)}, 1, ${context.now})
      on conflict (company_id, id) do update set content = excluded.content, version = message_drafts.version + 1,
        updated_at = excluded.updated_at
        where message_drafts.user_id = ${user_id} and message_drafts.version = ${version}
      returning id, conversation_id, content, version, updated_at`.execute(context.db)
    if (!rows[0])
      throw new AppError('conflict', 'Another device saved this draft at the same time. Reload it and try again.')
    await keepFiles(context, file_ids)
    const removed = known?.content.files.map((file) => file.id).filter((one) => !file_ids.includes(one)) ?? []
    await dropFiles(context, actorOf(context), removed)
    if (!known && conversation_id) announceDraft(context, conversation_id)
    else context.emit('message_draft.changed', { user_id })
    return shown(rows[0])
  },

  async deleteMessageDraft(context, { id }) {
    const draft = await removeDraft(context, id)
    if (!draft) throw new AppError('not_found', 'This draft was already sent or discarded.')
    await dropFiles(
      context,
      actorOf(context),
      draft.content.files.map((file) => file.id),
    )
    return {}
  },
}

/** Removes a draft of the caller, because it was sent or discarded. */
export async function removeDraft(context: Context, id: string) {
  const { company_id, user_id } = actorOf(context)
  const { rows } = await sql<Row>`
    delete from message_drafts where company_id = ${company_id} and id = ${id} and user_id = ${user_id}
    returning id, conversation_id, content, version, updated_at`.execute(context.db)
  const [draft] = rows
  if (draft?.conversation_id) announceDraft(context, draft.conversation_id)
  return draft
}

/** Drafts are seen by their author alone. */
const announceDraft = (context: Context, conversation_id: string) =>
  context.emit('conversation.changed', { conversation_ids: [conversation_id], user_id: actorOf(context).user_id })

/** By its ID, or the one that the conversation has already. */
async function findDraft(context: Context, id: string, conversation_id: string | null) {
  const { company_id, user_id } = actorOf(context)
  const { rows } = await sql<Row & { user_id: string }>`
    select id, conversation_id, content, version, updated_at, user_id from message_drafts
    where company_id = ${company_id} and (id = ${id} or (user_id = ${user_id} and conversation_id = ${conversation_id}::uuid))
    order by id = ${id} desc limit 1 for update`.execute(context.db as Db)
  const [draft] = rows
  if (draft && draft.user_id !== user_id)
    throw new AppError('conflict', 'This ID is used by another draft. Use a new one.')
  return draft
}

const newer = ({ id, version }: Row) =>
  new AppError('conflict', 'This draft was changed on another device. Choose which one to keep.', {
    errors: [{ path: 'version', message: `The saved draft has version ${version}`, value: id }],
  })

const shown = ({ id, conversation_id, content, version, updated_at }: Row): Draft => ({
  id,
  conversation_id,
  ...content,
  without_file_ids: content.without_file_ids ?? [],
  version,
  updated_at: updated_at.toISOString(),
})
