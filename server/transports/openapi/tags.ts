// The nouns under which readers find the operations, in their order.
import type { Tag } from '../../../contract/document/api-document.ts'

const tag = (name: string, label: string, description: string): Tag => ({ name, 'x-displayName': label, description })

export const tags: Tag[] = [
  tag('records', 'Records', 'People, organizations, deals and all other records: find, write, link, delete, search.'),
  tag('objects', 'Objects and fields', 'What the records of the company consist of.'),
  tag('pipelines', 'Pipelines and deals', 'Pipelines, their stages, and the way of deals through them.'),
  tag('leads', 'Leads', 'Forms for websites, what they send, and the conversion of leads.'),
  tag('changes', 'Changes and undo', 'Who changed what, and how to undo it.'),
  tag('events', 'Events', 'What happened to records, in the form that webhooks deliver it.'),
  tag('webhooks', 'Webhooks', 'Addresses that receive events as they happen.'),
  tag('lead-sending', 'Lead sending', 'Destinations and routes of leads, deliveries, returns and reports.'),
  tag('conversations', 'Inbox', 'Conversations with customers: find, read, assign, label, snooze, close, merge.'),
  tag('messages', 'Messages', 'Send messages, write notes and drafts, use templates, read contents and files.'),
  tag('proposals', 'Proposals', 'What agents want to do and people decide.'),
  tag('channels', 'Channels', 'Mailboxes that messages come from and go to.'),
  tag('jobs', 'Jobs', 'Work in the background: imports, exports and changes to many records.'),
  tag('files', 'Files', 'Files for imports, and files that exports made.'),
  tag('views', 'Views', 'Saved lists, boards and calendars.'),
  tag('dashboards', 'Dashboards', 'Dashboards and the figures of their widgets.'),
  tag('notifications', 'Notifications', 'Your notifications, their settings and rules.'),
  tag('me', 'Current user', 'The user that a key belongs to.'),
  tag('users', 'Users', 'People and agents of the company.'),
  tag('roles', 'Roles', 'What users may do.'),
  tag('company', 'Company', 'The company and its region.'),
  tag('settings', 'Settings', 'Settings of the company, by topic.'),
  tag('reports', 'Reports', 'How the inbox and lead sending perform.'),
  tag('audit-events', 'Audit log', 'Who signed in, and who changed keys, roles and settings.'),
  tag('requests', 'Requests', 'Requests by users of the company.'),
  tag('public', 'Without a key', 'For forms on websites, links in emails and health checks.'),
]

/** Paths that belong to the noun of another one. */
const belongsTo: Record<string, string> = {
  titles: 'records',
  'shared-values': 'records',
  trash: 'records',
  search: 'records',
  schema: 'objects',
  stages: 'pipelines',
  deals: 'pipelines',
  pictures: 'users',
  'lead-sources': 'leads',
  'lead-submissions': 'leads',
  'lead-destinations': 'lead-sending',
  'lead-routes': 'lead-sending',
  'lead-deliveries': 'lead-sending',
  'lead-returns': 'lead-sending',
  'conversation-labels': 'conversations',
  'inbox-views': 'conversations',
  'inbox-rules': 'conversations',
  'message-drafts': 'messages',
  'message-templates': 'messages',
  'opt-outs': 'messages',
}

/** By the first part of the path, below the mount. */
export function tagOf(path: string, isPublic: boolean) {
  const [, noun = '', part = ''] = path.split('/')
  if (isPublic) return 'public'
  if (noun === 'me' && part.startsWith('notification')) return 'notifications'
  return belongsTo[noun] ?? noun
}
