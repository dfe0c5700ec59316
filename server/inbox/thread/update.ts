// Changes of state, assignee, labels and subject.
import { sql } from 'kysely'
import type { conversations } from '../../../contract/conversations.ts'
import type { Parsed } from '../../../contract/operation.ts'
import type { ConversationEvent } from '../../../contract/shared/conversation-events.ts'
import { timeOf } from '../../engine/read/since-until.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import { actorOf, type Context, may } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { announce, announceChanged, ownersOf } from '../access/announce.ts'
import { holdConversations, type VisibleConversation } from '../access/visible.ts'
import { conversationsById, foldedSubject } from './conversation.ts'
import { addEvents } from './thread-event.ts'
import { followOpenings } from './waiting-time.ts'

type Changes = Omit<Parsed<typeof conversations.updateConversations>, 'ids'>

export async function changeConversations(
  context: Context,
  ids: string[],
  asked: Changes,
  assigneePath = 'assignee_id',
) {
  const { company_id } = actorOf(context)
  const changes = asked.snoozed_until ? { ...asked, snoozed_until: await timeOf(context, asked.snoozed_until) } : asked
  const held = await holdConversations(context, ids)
  refuseWrongSnooze(context, changes)
  const { state, assignee_id } = changes
  if (assignee_id !== undefined) await checkAssignee(context, held, assignee_id, assigneePath)
  await refuseUnknownLabels(context, changes.add_label_ids ?? [])
  const moved = state === undefined ? [] : held.filter((one) => one.state !== state || state === 'snoozed')
  const assigned = assignee_id === undefined ? [] : held.filter((one) => one.assignee_id !== assignee_id)
  refuseTaking(context, assigned)
  await write(context, held, changes)
  await followOpenings(context.db, company_id, ids, context.now, {
    by: context.principal ? null : actorOf(context).user_id,
  })
  await addLabelEvents(context, held, changes)
  if (state) await addEvents(context, moved, stateEvent(state, changes.snoozed_until))
  if (assigned.length) await addEvents(context, assigned, await assignedEvent(context, assignee_id!))
  for (const one of assigned)
    await announce(context, company_id, one, 'conversation.assigned', {
      conversation_id: one.id,
      user_id: assignee_id ?? null,
    })
  if (state === 'closed')
    for (const one of moved)
      await announce(context, company_id, one, 'conversation.closed', { conversation_id: one.id })
  await announceChanged(context, company_id, held)
  return conversationsById(context, [...new Set(ids)])
}

function refuseWrongSnooze({ now }: Context, { state, snoozed_until }: Changes) {
  const message =
    state === 'snoozed' && !snoozed_until
      ? 'snoozed_until is required when the state is snoozed.'
      : state !== 'snoozed' && snoozed_until
        ? 'snoozed_until requires the state snoozed.'
        : snoozed_until && new Date(snoozed_until) <= now
          ? 'Choose a time in the future.'
          : undefined
  if (message) throw new AppError('invalid_input', message, { errors: [{ path: 'snoozed_until', message }] })
}

/** Roles that cannot answer customers do not decide who does. They can still take and pass on what is no one else's. */
function refuseTaking(context: Context, assigned: VisibleConversation[]) {
  const actor = actorOf(context)
  const isOthers = assigned.some((one) => one.assignee_id !== null && one.assignee_id !== actor.user_id)
  if (isOthers && !may(actor, 'messages.send'))
    throw new AppError(
      'forbidden',
      'This conversation is assigned to a colleague, and only people who can send messages can reassign it. Ask them, or an Admin.',
    )
}

/** The assignee must be able to read the conversation. */
async function checkAssignee(context: Context, held: VisibleConversation[], user_id: string | null, path: string) {
  if (user_id === null) return
  const { company_id } = actorOf(context)
  const user = await context.db
    .selectFrom('users')
    .select('id')
    .where('company_id', '=', company_id)
    .where('id', '=', user_id)
    .where('removed_at', 'is', null)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()
  if (!user) throw refused(path, 'User not found or deactivated. Choose another one')
  const owners = await ownersOf(
    context,
    company_id,
    held.map(({ audience }) => audience),
  )
  if ([...owners.values()].some((owner) => owner !== user_id))
    throw new AppError(
      'conflict',
      'This conversation is private, so it can only be assigned to you. Share its channel first.',
    )
}

async function refuseUnknownLabels(context: Context, ids: string[]) {
  if (!ids.length) return
  const { rows } = await sql<{ id: string }>`
    select id from conversation_labels
    where company_id = ${actorOf(context).company_id} and id = any(${ids}::uuid[])`.execute(context.db)
  const known = new Set(rows.map((label) => label.id))
  for (const [i, id] of ids.entries())
    if (!known.has(id)) throw refused(`add_label_ids.${i}`, 'Label not found. It may have been deleted')
}

async function write(context: Context, held: VisibleConversation[], changes: Changes) {
  const { state, snoozed_until, assignee_id, add_label_ids, remove_label_ids, subject } = changes
  const params = new Params()
  const set = [
    'version = version + 1',
    ...(state
      ? [
          `state = ${params.add(state)}`,
          `snoozed_until = ${params.add(snoozed_until ?? null, 'timestamptz')}`,
          `closed_at = ${params.add(state === 'closed' ? context.now : null, 'timestamptz')}`,
        ]
      : []),
    ...(assignee_id !== undefined ? [`assignee_id = ${params.add(assignee_id, 'uuid')}`] : []),
    ...(subject !== undefined
      ? [`subject = ${params.add(subject)}`, `subject_folded = ${params.add(foldedSubject(subject))}`]
      : []),
    ...(add_label_ids || remove_label_ids
      ? [
          `label_ids = (select coalesce(array_agg(distinct l), '{}') from unnest(label_ids || ${params.add(add_label_ids ?? [], 'uuid[]')}) l
            where l <> all(${params.add(remove_label_ids ?? [], 'uuid[]')}))`,
        ]
      : []),
  ]
  const ids = held.map(({ id }) => id)
  await run(
    context.db,
    `update conversations set ${set.join(', ')} where company_id = ${params.add(actorOf(context).company_id, 'uuid')}
      and id = any(${params.add(ids, 'uuid[]')})`,
    params,
  )
}

const stateEvents = { open: 'reopened', closed: 'closed', spam: 'marked_as_spam' } as const

const stateEvent = (state: keyof typeof stateEvents | 'snoozed', until: string | undefined): ConversationEvent =>
  state === 'snoozed' ? { type: 'snoozed', until: until! } : { type: stateEvents[state] }

async function addLabelEvents(
  context: Context,
  held: VisibleConversation[],
  { add_label_ids = [], remove_label_ids = [] }: Changes,
) {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from conversation_labels where company_id = ${actorOf(context).company_id}
      and id = any(${[...add_label_ids, ...remove_label_ids]}::uuid[])`.execute(context.db)
  for (const { id, name } of rows) {
    const isAdded = add_label_ids.includes(id)
    const changed = held.filter(({ label_ids }) => label_ids.includes(id) !== isAdded)
    await addEvents(context, changed, {
      type: isAdded ? 'label_added' : 'label_removed',
      label_id: id,
      label_name: name,
    })
  }
}

async function assignedEvent(context: Context, user_id: string | null): Promise<ConversationEvent> {
  if (user_id === null) return { type: 'assigned', user_id, user_name: null }
  const { company_id } = actorOf(context)
  const user = await context.db
    .selectFrom('users')
    .select('name')
    .where('company_id', '=', company_id)
    .where('id', '=', user_id)
    .executeTakeFirst()
  return { type: 'assigned', user_id, user_name: user?.name ?? null }
}

export async function markRead(context: Context, ids: string[], is_read: boolean) {
  const { company_id, user_id } = actorOf(context)
  const held = await holdConversations(context, ids)
  const rows = held.map(({ id }) => id).sort()
  // The new time is that of the newest message at least: clocks of processes differ.
  await sql`insert into conversation_reads (company_id, conversation_id, user_id, read_at)
    select ${company_id}::uuid, c.id, ${user_id}::uuid,
      case when ${is_read}::boolean then greatest(${context.now}::timestamptz, c.unread_at) else '-infinity' end
    from conversations c where c.company_id = ${company_id} and c.id = any(${rows}::uuid[])
    on conflict (company_id, conversation_id, user_id) do update set read_at = excluded.read_at`.execute(context.db)
  // Only the caller's own pages show whether they have read it.
  context.emit('conversation.changed', { conversation_ids: rows, user_id })
}
