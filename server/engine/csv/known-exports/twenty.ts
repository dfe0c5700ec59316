import {
  each,
  history,
  type Into,
  ids,
  type KnownExports,
  noField,
  oldId,
  sameElsewhere,
  settings,
} from './known-file.ts'

const everywhere = {
  Id: oldId,
  ...each('created_at', 'Creation date', 'Created At'),
  'Created by / Name': 'created_by',
  ...each(settings, 'Created by / Source', 'Created by / Workspace Member Id', 'Position', 'Avatar'),
  ...each(history, 'Last update', 'Deleted at', 'Deletion date'),
}

const companies: Into = {
  object: 'organizations',
  columns: {
    Name: 'name',
    ...each('domains', 'Domain Name / Link URL', 'Domain Name / Secondary Links'),
    ...each(sameElsewhere, 'Domain Name / Link Label', 'Linkedin / Link Label', 'X / Link Label'),
    Employees: 'size',
    'Annual Recurring Revenue / Amount': 'annual_revenue',
    'Annual Recurring Revenue / Currency': 'annual_revenue.currency',
    ...each('address', 'Address / Address 1', 'Address / Address 2', 'Address / Post Code', 'Address / State'),
    'Address / City': 'city',
    'Address / Country': 'country',
    'Account Owner Id': 'owner',
    ...each(noField, 'Linkedin / Link URL', 'X / Link URL', 'ICP', 'Tagline'),
    ...each(noField, 'Address / Latitude', 'Address / Longitude'),
    ...everywhere,
  },
}

const people: Into = {
  object: 'people',
  columns: {
    'Name / First Name': 'first_name',
    'Name / Last Name': 'last_name',
    ...each('emails', 'Emails / Primary Email', 'Emails / Additional Emails'),
    ...each('phones', 'Phones / Primary Phone Number'),
    ...each(
      { out: 'It is read with the phone number' },
      'Phones / Primary Phone Country Code',
      'Phones / Primary Phone Calling Code',
    ),
    'Job Title': 'job_title',
    City: 'city',
    'Company Id': ids('organization'),
    'Linkedin / Link URL': 'linkedin',
    ...each(sameElsewhere, 'Linkedin / Link Label', 'X / Link Label'),
    ...each(noField, 'X / Link URL', 'Intro', 'Work Preference'),
    ...everywhere,
  },
}

const opportunities: Into = {
  object: 'deals',
  columns: {
    Name: 'name',
    'Amount / Amount': 'amount',
    'Amount / Currency': 'amount.currency',
    'Close date': 'expected_close',
    Stage: 'stage',
    'Point of Contact Id': ids('people'),
    'Company Id': ids('organization'),
    ...each('owner', 'Owner Id'),
    ...everywhere,
  },
}

const bodies = {
  ...each('body', 'Body', 'Body / Markdown', 'Body V2 / Markdown'),
  ...each(sameElsewhere, 'Body / Blocknote', 'Body V2 / Blocknote'),
}

const tasks: Into = {
  object: 'tasks',
  columns: {
    Title: 'title',
    ...bodies,
    'Due Date': 'due_at',
    Status: 'status',
    'Assignee Id': 'assignee',
    ...everywhere,
  },
}

const notes: Into = {
  object: 'notes',
  columns: { Title: 'body', ...bodies, ...everywhere },
}

export const twenty: KnownExports = {
  system: 'Twenty',
  files: [
    { signs: [/^Id$/, /^(Domain Name|Annual Recurring Revenue|Address) \/ /], into: [companies] },
    { signs: [/^Id$/, /^Name \/ (First|Last) Name$/], into: [people] },
    { signs: [/^Id$/, /^(Point of Contact Id|Amount \/ Amount)$/i], into: [opportunities] },
    { signs: [/^Id$/, /^Title$/, /^(Due Date|Assignee Id)$/i], into: [tasks] },
    { signs: [/^Id$/, /^Title$/, /^Body( V2)?( \/ .+)?$/, /^Creation date$/i], into: [notes] },
  ],
}
