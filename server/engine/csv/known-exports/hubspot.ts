import {
  calculated,
  each,
  history,
  type Into,
  ids,
  type KnownColumn,
  type KnownExports,
  noField,
  oldId,
  sameElsewhere,
} from './known-file.ts'

/** The IDs and the names of associated records. Those marked as primary say which one to take if there are several. */
const associated = (noun: string, plural: string, field: string): Record<string, KnownColumn> => ({
  ...each(
    ids(field),
    `Primary Associated ${noun} ID`,
    `Associated ${noun} IDs (Primary)`,
    `Associated ${noun} IDs`,
    `Associated ${noun} ID`,
  ),
  ...each(
    field,
    `Primary Associated ${noun}`,
    `Associated ${noun} (Primary)`,
    `Associated ${noun}`,
    `Associated ${plural}`,
  ),
})

const aboutAll = {
  ...associated('Contact', 'Contacts', 'about.people'),
  ...associated('Company', 'Companies', 'about.organizations'),
  ...associated('Deal', 'Deals', 'about.deals'),
}

const everywhere = {
  'Record ID': oldId,
  ...each('created_at', 'Create Date', 'Created date', 'Object create date/time'),
  ...each('created_by', 'Created by user ID', 'Activity created by'),
  ...each(history, 'Last Modified Date', 'Updated by user ID', 'Object last modified date/time'),
  ...each(calculated, 'Last Activity Date', 'Last Contacted', 'Next Activity Date', 'Number of Sales Activities'),
}

const contacts: Into = {
  object: 'people',
  columns: {
    'First Name': 'first_name',
    'Last Name': 'last_name',
    Email: 'emails',
    'Additional email addresses': 'emails',
    ...each('phones', 'Phone Number', 'Mobile Phone Number'),
    ...associated('Company', 'Companies', 'organization'),
    'Company Name': 'organization',
    'Job Title': 'job_title',
    City: 'city',
    'Country/Region': 'country',
    ...each('birthday', 'Date of birth', 'Birthday'),
    ...each('linkedin', 'LinkedIn URL', 'LinkedIn Bio'),
    'Unsubscribed from all email': 'do_not_contact',
    'Contact owner': 'owner',
    ...each({ out: 'Deals link to their people' }, 'Associated Deal IDs', 'Associated Deal', 'Associated Deals'),
    ...each(noField, 'Lead Status', 'Lifecycle Stage', 'Marketing contact status', 'Website URL'),
    ...each(noField, 'Street Address', 'Postal Code', 'State/Region', 'Industry', 'Message'),
    ...everywhere,
  },
}

const companies: Into = {
  object: 'organizations',
  columns: {
    'Company name': 'name',
    'Company Domain Name': 'domains',
    'Website URL': 'website',
    'Phone Number': 'phone',
    ...each('address', 'Street Address', 'Street Address 2', 'Postal Code', 'State/Region'),
    City: 'city',
    'Country/Region': 'country',
    Industry: 'industry',
    'Number of Employees': 'size',
    'Annual Revenue': 'annual_revenue',
    ...each(ids('parent'), 'Parent Company IDs', 'Parent Company ID'),
    'Parent Company': 'parent',
    'Company owner': 'owner',
    ...each(
      { out: 'People and deals link to their organization' },
      'Associated Contact IDs',
      'Associated Contact',
      'Associated Contacts',
      'Associated Deal IDs',
      'Associated Deal',
      'Associated Deals',
    ),
    ...each(noField, 'Lifecycle Stage', 'Lead Status', 'Description', 'LinkedIn Company Page', 'Type'),
    ...everywhere,
  },
}

const deals: Into = {
  object: 'deals',
  columns: {
    'Deal Name': 'name',
    'Deal Stage': 'stage',
    Pipeline: 'pipeline',
    Amount: 'amount',
    Currency: 'amount.currency',
    'Close Date': 'expected_close',
    'Closed Lost Reason': 'lost_reason',
    'Deal owner': 'owner',
    ...associated('Company', 'Companies', 'organization'),
    ...associated('Contact', 'Contacts', 'people'),
    ...each(calculated, 'Amount in company currency', 'Weighted amount', 'Forecast amount', 'Is Closed Won'),
    ...each({ out: 'It follows from the stage' }, 'Deal probability', 'Is closed lost'),
    ...each(noField, 'Deal Type', 'Deal Description', 'Closed Won Reason', 'Priority', 'Next step'),
    ...everywhere,
  },
}

const tasks: Into = {
  object: 'tasks',
  columns: {
    ...each('title', 'Task Title', 'Task name', 'Subject'),
    ...each('status', 'Task status', 'Status'),
    Priority: 'priority',
    ...each('due_at', 'Due date', 'Activity date'),
    ...each('completed_at', 'Completed at', 'Completion date'),
    ...each('assignee', 'Assigned to', 'Activity assigned to'),
    ...each('body', 'Notes', 'Task Notes', 'Notes preview'),
    ...aboutAll,
    ...each(noField, 'Task Type', 'Type', 'Queue'),
    ...everywhere,
  },
}

const activity = {
  ...each('owner', 'Activity assigned to', 'Assigned to'),
  ...associated('Contact', 'Contacts', 'people'),
  ...associated('Company', 'Companies', 'about.organizations'),
  ...associated('Deal', 'Deals', 'about.deals'),
  ...everywhere,
}

const calls: Into = {
  object: 'activities',
  columns: {
    'Activity date': 'at',
    'Call Title': 'outcome',
    ...each('body', 'Call notes', 'Call notes preview'),
    'Call direction': 'direction',
    ...each(noField, 'Call outcome', 'Call Status', 'Call duration', 'Call and meeting type', 'Recording URL'),
    ...activity,
  },
  implied: { kind: 'call' },
}

const meetings: Into = {
  object: 'activities',
  columns: {
    ...each('at', 'Meeting start time', 'Activity date'),
    ...each('outcome', 'Meeting name', 'Meeting title'),
    ...each('body', 'Meeting description', 'Internal meeting notes'),
    ...each(noField, 'Meeting outcome', 'Meeting location', 'Meeting end time', 'Call and meeting type'),
    ...activity,
  },
  implied: { kind: 'meeting' },
}

const emails: Into = {
  object: 'activities',
  columns: {
    'Activity date': 'at',
    'Email subject': 'outcome',
    ...each('body', 'Email body'),
    'Email direction': 'direction',
    ...activity,
  },
  implied: { kind: 'email' },
}

const notes: Into = {
  object: 'notes',
  columns: {
    'Note body': 'body',
    ...each(sameElsewhere, 'Body preview'),
    ...each('created_at', 'Activity date', 'Create Date'),
    ...each('created_by', 'Activity created by', 'Activity assigned to'),
    ...aboutAll,
    ...everywhere,
  },
}

export const hubspot: KnownExports = {
  system: 'HubSpot',
  files: [
    { signs: [/^Record ID$/, /^(First|Last) Name$/], into: [contacts] },
    { signs: [/^Record ID$/, /^Company (name|owner|Domain Name)$/], into: [companies] },
    { signs: [/^Record ID$/, /^Deal (Name|Stage)$/], into: [deals] },
    { signs: [/^Record ID$/, /^Task (Title|name|status|Type)$/], into: [tasks] },
    { signs: [/^Record ID$/, /^Call (Title|notes|outcome|duration|direction|Status)/], into: [calls] },
    { signs: [/^Record ID$/, /^Meeting (name|title|outcome|start time)$/], into: [meetings] },
    { signs: [/^Record ID$/, /^Email (subject|body|direction)$/], into: [emails] },
    { signs: [/^Record ID$/, /^Note body$/], into: [notes] },
  ],
}
