import {
  calculated,
  type Decision,
  each,
  type FileContent,
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
  ...each(history, 'Update time', 'Last stage change'),
  ...each(settings, 'Visible to'),
  ...each(
    calculated,
    'Next activity date',
    'Last activity date',
    'Total activities',
    'Done activities',
    'Activities to do',
    'Email messages count',
    'Last email received',
    'Last email sent',
    'Open deals',
    'Closed deals',
    'Won deals',
    'Lost deals',
  ),
}

const deals: Into = {
  object: 'deals',
  columns: {
    ID: oldId,
    Title: 'name',
    Value: 'amount',
    'Currency of Value': 'amount.currency',
    Currency: 'amount.currency',
    Pipeline: 'pipeline',
    Stage: 'stage',
    Status: 'status',
    Probability: 'probability',
    'Expected close date': 'expected_close',
    'Won time': 'closed_at',
    'Lost time': 'closed_at',
    'Deal closed on': 'closed_at',
    'Lost reason': 'lost_reason',
    'Source channel': 'source',
    'Organization ID': ids('organization'),
    Organization: 'organization',
    ...each(ids('people'), 'Contact person ID', 'Person ID'),
    ...each('people', 'Contact person', 'Person', 'Participants'),
    ...each('tags', 'Label', 'Labels'),
    Owner: 'owner',
    ...each('created_at', 'Deal created', 'Add time'),
    Creator: 'created_by',
    ...each(calculated, 'Weighted value', 'Currency of Weighted value'),
    ...each(settings, 'Source origin', 'Archive status'),
    ...everywhere,
  },
}

const people: Into = {
  object: 'people',
  columns: {
    ID: oldId,
    'First name': 'first_name',
    'Last name': 'last_name',
    Name: 'title',
    ...each('emails', 'Email', 'Email - Work', 'Email - Home', 'Email - Other'),
    ...each('phones', 'Phone', 'Phone - Work', 'Phone - Mobile', 'Phone - Home', 'Phone - Other'),
    'Organization ID': ids('organization'),
    Organization: 'organization',
    'Job title': 'job_title',
    Birthday: 'birthday',
    Notes: 'notes_text',
    ...each('tags', 'Label', 'Labels'),
    Owner: 'owner',
    ...each('created_at', 'Person created', 'Add time'),
    ...each(noField, 'Marketing status', 'Postal address', 'Instant messenger'),
    ...everywhere,
  },
}

const organizations: Into = {
  object: 'organizations',
  columns: {
    ID: oldId,
    Name: 'name',
    Address: 'address',
    'City/town/village/locality of Address': 'city',
    'Country of Address': 'country',
    ...each(
      sameElsewhere,
      'Full/combined address of Address',
      'House number of Address',
      'Street/road name of Address',
      'ZIP/Postal code of Address',
      'State/county of Address',
      'Region of Address',
    ),
    Website: 'website',
    Industry: 'industry',
    'Annual revenue': 'annual_revenue',
    ...each('size', 'Number of employees', 'Employee count'),
    ...each('tags', 'Label', 'Labels'),
    Owner: 'owner',
    ...each('created_at', 'Organization created', 'Add time'),
    ...each(calculated, 'People'),
    ...each(noField, 'LinkedIn profile'),
    ...everywhere,
  },
}

const ofActivities = {
  ID: oldId,
  'Deal ID': ids('about.deals'),
  Deal: 'about.deals',
  'Organization ID': ids('about.organizations'),
  Organization: 'about.organizations',
  'Lead ID': ids('about.leads'),
  Lead: 'about.leads',
  Note: 'body',
  ...each('created_at', 'Add time', 'Activity created'),
  Creator: 'created_by',
  ...each(noField, 'Location', 'Project', 'Public description'),
  ...each(settings, 'Free/busy', 'Last notification time', 'Busy flag'),
  ...everywhere,
}

const activities: Into = {
  object: 'activities',
  columns: {
    Type: 'kind',
    'Due date': 'at',
    'Due time': 'at.time',
    Duration: 'duration',
    Subject: 'outcome',
    ...each(ids('people'), 'Contact person ID', 'Person ID'),
    ...each('people', 'Contact person', 'Person'),
    ...each('owner', 'Assigned to user', 'Owner'),
    ...each(sameElsewhere, 'Done'),
    ...each({ out: 'Activities have one time: when they were due' }, 'Marked as done time'),
    ...each(noField, 'Priority'),
    ...ofActivities,
  },
}

const openActivities: Into = {
  object: 'tasks',
  columns: {
    Subject: 'title',
    'Due date': 'due_at',
    'Due time': 'due_at.time',
    Done: 'status',
    'Marked as done time': 'completed_at',
    Priority: 'priority',
    ...each(ids('about.people'), 'Contact person ID', 'Person ID'),
    ...each('about.people', 'Contact person', 'Person'),
    ...each('assignee', 'Assigned to user', 'Owner'),
    ...each(noField, 'Type', 'Duration'),
    ...ofActivities,
  },
}

const yes = /^(done|yes|true|1)$/i
const openName = /(^|[^a-z])(to-?do|open|planned|upcoming|tasks?)([^a-z]|$)/i

/** Activities have happened; tasks are still to be done. */
function doneOrOpen({ name, cellsOf }: FileContent): Decision {
  const marks = cellsOf('Done')
  const times = cellsOf('Marked as done time')
  const isDone = marks.some(Boolean) ? marks.map((mark) => yes.test(mark.trim())) : times.map(Boolean)
  const done = isDone.filter(Boolean).length
  if (!isDone.length) return { object: openName.test(name) ? 'tasks' : 'activities' }
  if (done === isDone.length) return { object: 'activities' }
  if (!done) return { object: 'tasks' }
  return {
    object: 'tasks',
    note: 'Some of these are done and others are not, so all become tasks, done or open. To bring the done ones as activities, export them separately.',
  }
}

const notes: Into = {
  object: 'notes',
  columns: {
    ID: oldId,
    Content: 'body',
    'Deal ID': ids('about.deals'),
    Deal: 'about.deals',
    ...each(ids('about.people'), 'Person ID', 'Contact person ID'),
    ...each('about.people', 'Person', 'Contact person'),
    'Organization ID': ids('about.organizations'),
    Organization: 'about.organizations',
    'Lead ID': ids('about.leads'),
    Lead: 'about.leads',
    User: 'created_by',
    'Add time': 'created_at',
    ...each(settings, 'Pinned to deal', 'Pinned to person', 'Pinned to organization', 'Pinned to lead'),
    ...everywhere,
  },
}

const leads: Into = {
  object: 'leads',
  columns: {
    ID: oldId,
    Title: 'message',
    ...each('title', 'Contact person', 'Person'),
    ...each('company_name', 'Organization'),
    ...each('email', 'Email', 'Contact person email', 'Person email'),
    ...each('phone', 'Phone', 'Contact person phone', 'Person phone'),
    ...each('source', 'Source channel', 'Source'),
    ...each('tags', 'Label', 'Labels'),
    Owner: 'owner',
    ...each('created_at', 'Lead created', 'Add time'),
    Creator: 'created_by',
    ...each(noField, 'Value', 'Expected close date'),
    ...each(settings, 'Source origin', 'Archive status', 'Seen'),
    ...everywhere,
  },
}

const products: Into = {
  object: 'products',
  columns: {
    ID: oldId,
    Name: 'name',
    ...each('sku', 'Product code', 'Code'),
    ...each('price', 'Unit price', 'Price'),
    ...each('price.currency', 'Currency of Unit price', 'Currency'),
    Owner: 'owner',
    ...each('created_at', 'Product created', 'Add time'),
    ...each(noField, 'Description', 'Category', 'Unit', 'Tax'),
    ...everywhere,
  },
}

export const pipedrive: KnownExports = {
  system: 'Pipedrive',
  files: [
    { signs: [/^Deal - /], prefix: 'Deal', into: [deals] },
    { signs: [/^Person - /], prefix: 'Person', into: [people] },
    { signs: [/^Organization - /], prefix: 'Organization', into: [organizations] },
    { signs: [/^Activity - /], prefix: 'Activity', into: [activities, openActivities], decide: doneOrOpen },
    { signs: [/^Note - /], prefix: 'Note', into: [notes] },
    { signs: [/^Content$/, /^Add time$/, /^(Deal|Person|Organization|Lead)( ID)?$/], into: [notes] },
    { signs: [/^Lead - /], prefix: 'Lead', into: [leads] },
    { signs: [/^Product - /], prefix: 'Product', into: [products] },
  ],
}
