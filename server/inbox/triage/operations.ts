import { sql } from 'kysely'
import type { conversations } from '../../../contract/conversations.ts'
import { titlesOf } from '../../engine/names/find-titles.ts'
import { recordsById } from '../../engine/read/by-id.ts'
import { findObject } from '../../engine/rights/rights.ts'
import { schemaOf } from '../../engine/schema/schema.ts'
import { refused } from '../../kernel/app-error.ts'
import { actorOf } from '../../kernel/context.ts'
import type { Handlers } from '../../kernel/run.ts'
import { announceChanged } from '../access/announce.ts'
import { audiencesOf, holdConversations } from '../access/visible.ts'
import { addLinks, type Link } from '../thread/links.ts'
import { forgetPeople, nameParticipant } from '../thread/participants.ts'
import { changeConversations, markRead } from '../thread/update.ts'
import { conversationFields } from './filter-fields.ts'
import { getConversation, linksOf } from './get.ts'
import { labelOperations } from './labels.ts'
import { countConversations, listConversations } from './list.ts'
import { mergeConversations, splitConversation, undoMove } from './merge-and-split.ts'
import { visitConversation } from './presence.ts'

export const conversationOperations: Handlers<typeof conversations> = {
  listConversations,
  countConversations,
  getConversation,

  listConversationFields: async (context) => ({
    items: await conversationFields(context, await audiencesOf(context)),
  }),

  updateConversations: async (context, { ids, ...changes }) => ({
    items: await changeConversations(context, ids, changes),
  }),

  async assignConversation(context, { id, user_id }) {
    const [conversation] = await changeConversations(context, [id], { assignee_id: user_id }, 'user_id')
    return conversation!
  },

  async markConversationsRead(context, { ids, is_read }) {
    await markRead(context, ids, is_read)
    return {}
  },

  visitConversation,

  async linkConversation(context, { id, add, remove }) {
    const actor = actorOf(context)
    const [held] = await holdConversations(context, [id])
    const schema = await schemaOf(context.db, actor)
    const about = { company_id: actor.company_id, id }
    const links: Link[] = []
    for (const [i, { object: key, id: record_id, address }] of add.entries()) {
      const object = findObject(schema, actor, key)
      const record = (await recordsById(context, object, [record_id])).get(record_id)
      if (!record) throw refused(`add.${i}.id`, 'Record not found')
      links.push({ conversation_id: id, record_id, object: object.key })
      if (object.built_in_key === 'people')
        await nameParticipant(context.db, about, { people: object, person: record, address })
    }
    await addLinks(context.db, actor.company_id, links)
    // Explicit links stay, even if they were linked through a person before.
    await sql`update conversation_links set via = null where company_id = ${actor.company_id} and conversation_id = ${id}
      and record_id = any(${links.map(({ record_id }) => record_id)}::uuid[]) and via is not null`.execute(context.db)
    // Links to records that are hidden from the caller stay, as if they were not there.
    const removed = (await titlesOf(context, schema, remove, true)).map((record) => record.id)
    await sql`delete from conversation_links where company_id = ${actor.company_id} and conversation_id = ${id}
      and record_id = any(${removed}::uuid[])`.execute(context.db)
    await forgetPeople(context.db, schema, about, removed)
    await announceChanged(context, actor.company_id, [held!])
    return { links: await linksOf(context, id) }
  },

  mergeConversations,
  splitConversation,

  async undoConversationMove(context, { id }) {
    await undoMove(context, id)
    return {}
  },

  ...labelOperations,
}
