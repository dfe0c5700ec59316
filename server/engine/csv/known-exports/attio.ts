import { calculated, each, type Into, type KnownExports, noField, oldId } from './known-file.ts'

const everywhere = {
  'Record ID': oldId,
  'Created at': 'created_at',
  'Created by': 'created_by',
  ...each(
    calculated,
    'Connection strength',
    'Strongest connection',
    'Strongest connection > User',
    'First interaction > When',
    'Last interaction > When',
    'First email interaction > When',
    'Last email interaction > When',
    'First calendar interaction > When',
    'Last calendar interaction > When',
    'Next calendar interaction > When',
  ),
}

const people: Into = {
  object: 'people',
  columns: {
    'First name': 'first_name',
    'Last name': 'last_name',
    ...each('title', 'Record', 'Person', 'Name', 'Full name'),
    'Email addresses': 'emails',
    'Phone numbers': 'phones',
    Company: 'organization',
    'Job title': 'job_title',
    Description: 'notes_text',
    LinkedIn: 'linkedin',
    'Primary location > City': 'city',
    ...each('country', 'Primary location > Country code', 'Primary location > Country'),
    Owner: 'owner',
    ...each({ out: 'Deals link to their people' }, 'Associated deals'),
    ...each(noField, 'Primary location > Line 1', 'Primary location > Postcode', 'Primary location > State'),
    ...each(noField, 'Twitter', 'Facebook', 'Instagram', 'AngelList'),
    ...everywhere,
  },
}

const companies: Into = {
  object: 'organizations',
  columns: {
    ...each('name', 'Record', 'Company', 'Name'),
    Domains: 'domains',
    ...each('tags', 'Categories'),
    'Primary location > City': 'city',
    ...each('country', 'Primary location > Country code', 'Primary location > Country'),
    ...each(
      'address',
      'Primary location > Line 1',
      'Primary location > Line 2',
      'Primary location > Postcode',
      'Primary location > State',
    ),
    Owner: 'owner',
    ...each({ out: 'People and deals link to their organization' }, 'Team', 'Associated deals'),
    ...each(noField, 'Description', 'Employee range', 'Estimated ARR', 'Foundation date', 'LinkedIn', 'Twitter'),
    ...each(calculated, 'Twitter follower count'),
    ...everywhere,
  },
}

const deals: Into = {
  object: 'deals',
  columns: {
    ...each('name', 'Deal name', 'Record', 'Deal', 'Name'),
    'Deal stage': 'stage',
    'Deal value': 'amount',
    'Deal owner': 'owner',
    'Associated people': 'people',
    'Associated company': 'organization',
    ...each('expected_close', 'Close date', 'Expected close date'),
    ...everywhere,
  },
}

const tasks: Into = {
  object: 'tasks',
  columns: {
    ...each(oldId, 'Task ID'),
    Content: 'title',
    ...each('due_at', 'Due date', 'Deadline'),
    ...each('status', 'Completed', 'Is completed'),
    'Completed at': 'completed_at',
    ...each('assignee', 'Assignees', 'Assignee'),
    ...each('about', 'Linked records', 'Linked record', 'Record'),
    ...everywhere,
  },
}

const notes: Into = {
  object: 'notes',
  columns: {
    ...each(oldId, 'Note ID'),
    ...each('body', 'Title', 'Content', 'Body'),
    ...each('about', 'Parent record', 'Linked record', 'Linked records', 'Record'),
    ...everywhere,
  },
}

export const attio: KnownExports = {
  system: 'Attio',
  files: [
    { signs: [/^Record ID$/, /^(Email addresses|Phone numbers)$/], into: [people] },
    { signs: [/^Record ID$/, /^(Domains|Employee range|Estimated ARR)$/], into: [companies] },
    { signs: [/^Record ID$/, /^Deal (name|stage|value)$/], into: [deals] },
    {
      signs: [/^Content$/, /^(Assignees?|Linked records?)$/, /^(Is completed|Completed|Due date|Task ID)$/],
      into: [tasks],
    },
    { signs: [/^Title$/, /^(Content|Body)$/, /^(Parent record|Linked records?|Note ID)$/], into: [notes] },
  ],
}
