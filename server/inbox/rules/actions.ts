// What a rule does with a conversation.
import { sql } from 'kysely'
import type { RuleAction } from '../../../contract/inbox-rules.ts'
import { pages } from '../../../contract/shared/pages.ts'
import { schemaOf } from '../../engine/schema/schema.ts'
import { createRecords } from '../../engine/write/create.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { inUse } from '../../leads/about-lead.ts'
import { presentAmong } from '../../leads/forms/assign-lead.ts'
import { hourMs } from '../../platform/times.ts'
import { changeConversations } from '../thread/update.ts'
import { reply } from './reply.ts'
import type { RuleRow } from './rule.ts'
import type { Arrived, RuleServices } from './run.ts'

/** `done`: in words, with the text of a reply. `skipped`: why there was nothing to do, which is no problem. */
export type Outcome = { done: string; text?: string } | { skipped: string }

type Acting = { context: Context; rule: RuleRow; arrived: Arrived; services: RuleServices }

/** Throws an AppError if it cannot be done. Nothing is written then. */
export async function act(acting: Acting, action: RuleAction): Promise<Outcome> {
  const now = await currentOf(acting)
  switch (action.kind) {
    case 'assign':
      return assign(acting, now, action.user_ids)
    case 'label':
      return label(acting, now, action.label_ids)
    case 'reply':
      return reply(acting.context, acting.services.channelKinds, acting.arrived, action.template_id)
    case 'task':
      return createTask(acting, now, action)
    case 'notify':
      return notify(acting, action.user_ids)
    case 'close':
      return close(acting, now)
  }
}

type Current = { subject: string; state: string; assignee_id: string | null; label_ids: string[] }

/** As earlier actions left it. */
async function currentOf({ context, arrived }: Acting) {
  const { rows } = await sql<Current>`
    select subject, state, assignee_id, label_ids from conversations
    where company_id = ${actorOf(context).company_id} and id = ${arrived.conversation_id}`.execute(context.db)
  return rows[0]!
}

async function assign({ context, rule, arrived }: Acting, { assignee_id }: Current, user_ids: string[]) {
  const { company_id } = actorOf(context)
  const { time_zone } = await schemaOf(context.db, actorOf(context))
  const present = await presentAmong({ ...context, company_id, time_zone }, user_ids)
  if (!present.length)
    throw new AppError('conflict', 'None of the users is active, so the conversation stays unassigned.')
  // Otherwise every message would pass it on.
  if (assignee_id && present.includes(assignee_id)) return { skipped: 'It is already assigned to one of them.' }
  const turn = present.length > 1 ? await nextTurn(context, rule) : 0n
  const chosen = present[Number(turn % BigInt(present.length))]!
  await changeConversations(context, [arrived.conversation_id], { assignee_id: chosen })
  return { done: `Assign to ${(await namesOf(context, [chosen]))[0]}` }
}

/** Messages that take turns wait for each other; all others do not. */
async function nextTurn({ db }: Context, { company_id, id }: RuleRow) {
  const { rows } = await sql<{ turns: string }>`update inbox_rules set turns = turns + 1
    where company_id = ${company_id} and id = ${id} returning turns`.execute(db)
  return BigInt(rows[0]?.turns ?? '1') - 1n
}

async function label({ context, arrived }: Acting, { label_ids }: Current, wanted: string[]) {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from conversation_labels where company_id = ${actorOf(context).company_id}
      and id = any(${wanted}::uuid[]) order by lower(name)`.execute(context.db)
  const added = rows.filter(({ id }) => !label_ids.includes(id))
  if (!rows.length) throw new AppError('conflict', 'The label was deleted.')
  if (!added.length) return { skipped: 'It already has this label.' }
  await changeConversations(context, [arrived.conversation_id], { add_label_ids: added.map(({ id }) => id) })
  return { done: `Add the ${added.length > 1 ? 'labels' : 'label'} ${added.map(({ name }) => name).join(', ')}` }
}

async function close({ context, arrived }: Acting, { state }: Current) {
  if (state === 'closed') return { skipped: 'It is already closed.' }
  await changeConversations(context, [arrived.conversation_id], { state: 'closed' })
  return { done: 'Close' }
}

async function notify({ context, rule, arrived }: Acting, user_ids: string[]) {
  context.emit('conversation.flagged', { conversation_id: arrived.conversation_id, user_ids, rule: rule.name })
  return { done: `Notify ${(await namesOf(context, user_ids)).join(', ')}` }
}

type Task = Extract<RuleAction, { kind: 'task' }>

/** About the people and leads of the conversation. */
async function createTask({ context, arrived, services, rule }: Acting, now: Current, task: Task) {
  const schema = await schemaOf(context.db, actorOf(context))
  const object = schema.builtIn.get('tasks')
  if (!object || object.archived_at)
    throw new AppError('conflict', 'The object Tasks is archived. An Admin can restore it.')
  const about = (['people', 'leads'] as const).flatMap((key) => schema.builtIn.get(key)?.key ?? [])
  const { rows: linked } = await sql<{ record_id: string }>`
    select record_id from conversation_links where company_id = ${rule.company_id}
      and conversation_id = ${arrived.conversation_id} and object = any(${about}::text[]) order by record_id limit 5`.execute(
    context.db,
  )
  const assignee = task.user_id ?? now.assignee_id ?? rule.owner_id
  const link = new URL(pages.conversation.replace(':id', arrived.conversation_id), services.baseUrl)
  const values = inUse(object, {
    title: task.title,
    due_at: new Date(context.now.getTime() + task.due_in_hours * hourMs).toISOString(),
    assignee,
    about: linked.map(({ record_id }) => record_id),
    body: `[${(now.subject || 'Conversation').replace(/[[\]\\]/g, '')}](${link.href})`,
  })
  await createRecords({ context, schema, object }, [values], false)
  return { done: `Create the task “${task.title}” for ${(await namesOf(context, [assignee]))[0]}` }
}

async function namesOf(context: Context, ids: string[]) {
  const { rows } = await sql<{ name: string }>`
    select name from users where company_id = ${actorOf(context).company_id} and id = any(${ids}::uuid[])
    order by lower(name)`.execute(context.db)
  return rows.length ? rows.map(({ name }) => name) : ['a former user']
}
