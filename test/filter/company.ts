// A small company for the tests of the filter language.
import type { FieldType, FilterField, FilterObjects } from '../../contract/filter/index.ts'

const field = (key: string, type: FieldType, more: Partial<FilterField> = {}): FilterField => {
  const words = key.replaceAll('_', ' ')
  return { key, label: `${words[0]!.toUpperCase()}${words.slice(1)}`, type, ...more }
}
const options = (...keys: string[]) => ({ options: keys.map((key) => ({ key, label: key.replaceAll('_', ' ') })) })
const to = (...keys: string[]) => ({ to: keys })
const many = (...keys: string[]) => ({ to: keys, many: true })

const system = [
  field('id', 'text'),
  field('title', 'text'),
  field('owner', 'user'),
  field('created_at', 'datetime'),
  field('created_by', 'user'),
  field('updated_at', 'datetime'),
  field('last_activity_at', 'datetime'),
]

export const objects: FilterObjects = {
  people: {
    key: 'people',
    label: 'People',
    fields: [
      ...system,
      field('first_name', 'text'),
      field('notes_text', 'long_text'),
      field('emails', 'email', { multi: true }),
      field('phones', 'phone', { multi: true }),
      field('linkedin', 'url'),
      field('organization', 'relation', to('organizations')),
      field('deals', 'relation', many('deals')),
      field('tasks', 'relation', many('tasks')),
      field('status', 'select', options('prospect', 'active', 'customer', 'former', 'me', '2026', 'true')),
      field('score', 'number', { label: 'Lead score' }),
      field('tags', 'multi_select', options('vip', 'partner', 'press')),
      field('birthday', 'date'),
      field('do_not_contact', 'boolean'),
      field('in', 'text', { label: 'Odd' }),
    ],
  },
  organizations: {
    key: 'organizations',
    label: 'Organizations',
    fields: [
      ...system,
      field('name', 'text'),
      field('country', 'country'),
      field('domains', 'url', { multi: true }),
      field('parent', 'relation', to('organizations')),
      field('people', 'relation', many('people')),
      field('annual_revenue', 'money'),
    ],
  },
  deals: {
    key: 'deals',
    label: 'Deals',
    fields: [
      ...system,
      field('name', 'text'),
      field('stage', 'select', {
        options: [
          { key: 'qualified', label: 'Qualified' },
          { key: 'proposal', label: 'Proposal sent' },
          { key: 'closed_won', label: 'Closed won' },
          { key: 'closed_lost', label: 'Closed lost' },
        ],
      }),
      field('status', 'select', options('open', 'won', 'lost')),
      field('amount', 'money'),
      field('expected_close', 'date'),
      field('closed_at', 'datetime'),
      field('organization', 'relation', to('organizations')),
      field('people', 'relation', many('people')),
      field('tags', 'multi_select', options('vip', 'partner')),
    ],
  },
  tasks: {
    key: 'tasks',
    label: 'Tasks',
    fields: [
      ...system,
      field('due_at', 'datetime'),
      field('status', 'select', options('open', 'done', 'cancelled')),
      field('assignee', 'user'),
      field('about', 'relation', { many: true }),
    ],
  },
}
