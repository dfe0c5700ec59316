import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { output } from 'zod'
import { type ConversationLabel, type conversations, mostLabels } from '../../../contract/conversations.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { lockToAdd, refuseMore } from '../../kernel/limits.ts'
import { pageIn } from '../../kernel/page.ts'
import type { Handlers } from '../../kernel/run.ts'

type Label = output<typeof ConversationLabel>
type Operations = Pick<
  Handlers<typeof conversations>,
  'listConversationLabels' | 'createConversationLabel' | 'updateConversationLabel' | 'deleteConversationLabel'
>

export const labelOperations: Operations = {
  listConversationLabels: async (context, page) => pageIn(await labelsOf(context), page),

  async createConversationLabel(context, { name, color }) {
    const { company_id } = actorOf(context)
    await lockToAdd(context, 'labels')
    const labels = await labelsOf(context)
    refuseMore(labels.length, mostLabels, 'labels')
    refuseSameName(labels, name)
    const label: Label = { id: randomUUIDv7(), name, color }
    await context.db
      .insertInto('conversation_labels')
      .values({ company_id, ...label })
      .execute()
    return label
  },

  async updateConversationLabel(context, { id, name, color }) {
    const { company_id } = actorOf(context)
    const labels = await labelsOf(context)
    const before = labels.find((label) => label.id === id)
    if (!before) throw noSuchLabel()
    if (name !== undefined)
      refuseSameName(
        labels.filter((label) => label.id !== id),
        name,
      )
    const label: Label = { id, name: name ?? before.name, color: color ?? before.color }
    await sql`update conversation_labels set name = ${label.name}, color = ${label.color}
      where company_id = ${company_id} and id = ${id}`.execute(context.db)
    return label
  },

  async deleteConversationLabel(context, { id }) {
    const { company_id } = actorOf(context)
    const { numDeletedRows } = await context.db
      .deleteFrom('conversation_labels')
      .where('company_id', '=', company_id)
      .where('id', '=', id)
      .executeTakeFirst()
    if (!numDeletedRows) throw noSuchLabel()
    await sql`update conversations set label_ids = array_remove(label_ids, ${id}::uuid)
      where company_id = ${company_id} and label_ids @> array[${id}::uuid]`.execute(context.db)
    return {}
  },
}

const labelsOf = (context: Context) =>
  context.db
    .selectFrom('conversation_labels')
    .select(['id', 'name', 'color'])
    .where('company_id', '=', actorOf(context).company_id)
    .orderBy(sql`lower(name)`)
    .execute() as Promise<Label[]>

function refuseSameName(labels: Label[], name: string) {
  if (labels.some((label) => label.name.toLowerCase() === name.toLowerCase()))
    throw new AppError('conflict', `There is already a label named ${name}. Choose another name.`)
}

const noSuchLabel = () => new AppError('not_found', 'Label not found. It may have been deleted.')
