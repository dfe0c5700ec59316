import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { messages as contract } from '../../../contract/messages.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import { actorOf, type Context, may } from '../../kernel/context.ts'
import { lockToAdd, refuseMore } from '../../kernel/limits.ts'
import { pageIn } from '../../kernel/page.ts'
import type { Handlers } from '../../kernel/run.ts'
import { newestMessage, writerOf } from '../sending/resolve-message.ts'
import {
  aboutRecipient,
  fillTemplate,
  privateIn,
  refuseUnknown,
  type TemplateRow,
  templateFor,
} from '../sending/template.ts'
import { conversationFor } from '../thread/find-readable.ts'

type Own = Pick<
  typeof contract,
  | 'listMessageTemplates'
  | 'fillMessageTemplate'
  | 'createMessageTemplate'
  | 'updateMessageTemplate'
  | 'deleteMessageTemplate'
>
const mostTemplates = 500

export const templateOperations: Handlers<Own> = {
  async listMessageTemplates(context, page) {
    const { company_id, user_id } = actorOf(context)
    const { rows } = await sql<TemplateRow>`
      select id, name, subject, text, owner_id, is_shared from message_templates
      where company_id = ${company_id} and (is_shared or owner_id = ${user_id}) order by lower(name), id`.execute(
      context.db,
    )
    return pageIn(
      rows.map((row) => shown(context, row)),
      page,
    )
  },

  async fillMessageTemplate(context, { id, conversation_id, person_id, to }) {
    const conversation = conversation_id ? await conversationFor(context, conversation_id) : null
    const newest = to === undefined && conversation ? await newestMessage(context, conversation.id) : null
    const address = to ?? (newest && writerOf(newest)) ?? conversation?.participants[0]?.address
    const recipient = address === undefined ? undefined : { address, name: null }
    return fillTemplate(context, id, await aboutRecipient(context, { conversation, person_id }, recipient))
  },

  async createMessageTemplate(context, { name, subject, text, is_shared }) {
    const { company_id, user_id } = actorOf(context)
    await refuseUnknown(context, { subject, text })
    await lockToAdd(context, 'message templates')
    const { rows } =
      await sql`select from message_templates where company_id = ${company_id} limit ${mostTemplates}`.execute(
        context.db,
      )
    refuseMore(rows.length, mostTemplates, 'templates')
    const row = { id: randomUUIDv7(), name, subject, text, is_shared, owner_id: user_id }
    await context.db
      .insertInto('message_templates')
      .values({ company_id, ...row, created_at: context.now })
      .execute()
    return shown(context, row)
  },

  async updateMessageTemplate(context, { id, ...changes }) {
    const { template, rule } = await changeable(context, id)
    const secret = rule && privateIn({ ...template, ...(changes.text && { text: changes.text }) })
    if (secret) throw refused('text', secret)
    await refuseUnknown(context, {
      ...(changes.subject !== undefined && { subject: changes.subject }),
      ...(changes.text && { text: changes.text }),
    })
    const { company_id } = actorOf(context)
    if (Object.keys(changes).length)
      await context.db
        .updateTable('message_templates')
        .set(changes)
        .where('company_id', '=', company_id)
        .where('id', '=', id)
        .execute()
    return shown(context, { ...template, ...changes } as TemplateRow)
  },

  async deleteMessageTemplate(context, { id }) {
    const { company_id } = actorOf(context)
    await changeable(context, id)
    await context.db.deleteFrom('message_templates').where('company_id', '=', company_id).where('id', '=', id).execute()
    return {}
  },
}

const shown = (context: Context, { owner_id, ...row }: TemplateRow) => ({
  ...row,
  is_mine: owner_id === actorOf(context).user_id,
})

async function changeable(context: Context, id: string) {
  const template = await templateFor(context, id)
  const actor = actorOf(context)
  if (template.owner_id !== actor.user_id && !may(actor, 'channels.manage'))
    throw new AppError(
      'forbidden',
      'Only its author and people who manage channels can change this template. Create your own instead.',
    )
  const rule = await ruleWith(context, id)
  if (rule && (actor.api_key_id || !may(actor, 'messages.send')))
    throw new AppError(
      'forbidden',
      `The rule ${rule.name} replies with this template, so only people who can send messages can change it, in the web app.`,
    )
  return { template, rule }
}

/** A rule that sends it without asking anyone. */
async function ruleWith({ db, actor }: Context, template_id: string) {
  const action = JSON.stringify([{ kind: 'reply', template_id }])
  const { rows } = await sql<{ name: string }>`
    select name from inbox_rules where company_id = ${actor!.company_id} and actions @> ${action}::jsonb
    order by position, id limit 1`.execute(db)
  return rows[0]
}
