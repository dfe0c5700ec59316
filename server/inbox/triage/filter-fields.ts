// The fields that filters on conversations can use.
import { conversationStates, type conversations } from '../../../contract/conversations.ts'
import type { FilterField, FilterObjects } from '../../../contract/filter/index.ts'
import type { Output } from '../../../contract/operation.ts'
import { rightsFor } from '../../engine/rights/rights.ts'
import { schemaOf } from '../../engine/schema/schema.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import type { Audiences } from '../access/visible.ts'

export const root = 'conversations'

type Fields = Output<typeof conversations.listConversationFields>['items']

/** `isForAll`: without what depends on the reader. */
type Use = { isForAll?: boolean | undefined }

async function fieldsFor(context: Context, audiences: Audiences, { isForAll }: Use = {}): Promise<FilterField[]> {
  const actor = actorOf(context)
  const schema = await schemaOf(context.db, actor)
  const options = await optionsFor(context, audiences)
  const people = schema.builtIn.get('people')
  const hides = people && rightsFor(actor, people.key).read !== 'all'
  const related = (['people', 'organizations', 'deals', 'leads'] as const).flatMap((key): FilterField[] => {
    const object = schema.builtIn.get(key)
    if (!object || object.archived_at || rightsFor(actor, object.key).read === 'none') return []
    return [{ key: linkedBy[key], label: object.label, type: 'relation', to: [object.key] }]
  })
  return [
    field('state', 'State', 'select', { options: conversationStates.map((key) => ({ key, label: capital(key) })) }),
    field('assignee', 'Assignee', 'user'),
    field('channel', 'Channel', 'select', { options: options.channels }),
    field('labels', 'Labels', 'multi_select', { options: options.labels }),
    field('subject', 'Subject', 'text'),
    field('participant', 'Participant', 'text', { multi: true, ...(hides && { to: [people.key] }) }),
    ...(isForAll ? [] : [field('is_unread', 'Unread', 'boolean')]),
    field('has_files', 'Has files', 'boolean'),
    ...(isForAll ? [] : [field('has_draft', 'Has your draft', 'boolean')]),
    field('has_proposal', 'A proposal is waiting for approval', 'boolean'),
    field('is_scheduled', 'Has a scheduled message', 'boolean'),
    field('message_count', 'Messages', 'number'),
    field('last_direction', 'Last direction', 'select', {
      options: [
        { key: 'in', label: 'In' },
        { key: 'out', label: 'Out' },
      ],
    }),
    field('created_at', 'Created at', 'datetime'),
    field('last_message_at', 'Last message at', 'datetime'),
    field('first_response_at', 'First response at', 'datetime'),
    field('snoozed_until', 'Snoozed until', 'datetime'),
    field('response_due_at', 'First response due', 'datetime'),
    field('resolution_due_at', 'Resolution due', 'datetime'),
    field('is_overdue', 'Overdue', 'boolean'),
    ...related,
  ]
}

const linkedBy = { people: 'person', organizations: 'organization', deals: 'deal', leads: 'lead' } as const
const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1)
const field = (
  key: string,
  label: string,
  type: FilterField['type'],
  more: Partial<FilterField> = {},
): FilterField => ({
  key,
  label,
  type,
  ...more,
})

type Option = { key: string; label: string }

async function optionsFor(context: Context, { ids }: Audiences) {
  const { company_id } = actorOf(context)
  const params = new Params()
  const company = params.add(company_id, 'uuid')
  const [row] = await run<{ channels: Option[] | null; labels: Option[] | null }>(
    context.db,
    `select
      (select jsonb_agg(jsonb_build_object('key', id, 'label', name) order by id) from channels where company_id = ${company}
        and deleted_at is null and (owner_id is null or id = any(${params.add(ids, 'uuid[]')}))) as channels,
      (select jsonb_agg(jsonb_build_object('key', id, 'label', name) order by lower(name)) from conversation_labels
        where company_id = ${company}) as labels`,
    params,
  )
  return { channels: row!.channels ?? [], labels: row!.labels ?? [] }
}

export async function conversationFields(context: Context, audiences: Audiences): Promise<Fields> {
  return (await fieldsFor(context, audiences)).map(({ key, label, type, options, to }) => ({
    key,
    label,
    type,
    ...(options && { options }),
    ...(to && type === 'relation' && { to }),
  }))
}

export const scopeFor = async (context: Context, audiences: Audiences, use: Use = {}): Promise<FilterObjects> => ({
  [root]: { key: root, label: 'Conversations', fields: await fieldsFor(context, audiences, use) },
})
