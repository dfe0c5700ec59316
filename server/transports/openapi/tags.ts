// The nouns under which readers find the operations, in their order.
import type { Tag } from '../../../contract/document/api-document.ts'

const tag = (name: string, label: string, description: string): Tag => ({ name, 'x-displayName': label, description })

export const tags: Tag[] = [
  tag('records', 'Records', 'People, organizations, deals and all other records: find, write, link, delete, search.'),
  tag('objects', 'Objects and fields', 'The structure of your records.'),
  tag('pipelines', 'Pipelines and deals', 'Pipelines, their stages, and how deals move through them.'),
  tag('leads', 'Leads', 'Website forms, their submissions and lead conversion.'),
  tag('changes', 'Changes and undo', 'Who changed what, and how to undo it.'),
  tag('events', 'Events', 'Events in the format that webhooks deliver.'),
  tag('webhooks', 'Webhooks', 'URLs that receive events as they happen.'),
  tag('lead-sending', 'Lead sending', 'Lead destinations, routes, deliveries, returns and reports.'),
  tag('conversations', 'Inbox', 'Conversations with customers: find, read, assign, label, snooze, close, merge.'),
  tag('messages', 'Messages', 'Send messages, write notes and drafts, use templates, read message bodies and files.'),
  tag('proposals', 'Proposals', 'Messages that agents propose and people approve.'),
  tag('channels', 'Channels', 'Mailboxes, chats and other channels for messages.'),
  tag('jobs', 'Jobs', 'Background work: imports, exports and bulk changes.'),
  tag('files', 'Files', 'Files for imports and from exports.'),
  tag('views', 'Views', 'Saved lists, boards and calendars.'),
  tag('dashboards', 'Dashboards', 'Dashboards and their figures.'),
  tag('notifications', 'Notifications', 'Your notifications, their settings and rules.'),
  tag('me', 'Current user', 'The user that a key belongs to.'),
  tag('users', 'Users', 'People and agents of the company.'),
  tag('roles', 'Roles', 'What users may do.'),
  tag('company', 'Company', 'The company and its region.'),
  tag('settings', 'Settings', 'Company settings, by topic.'),
  tag('reports', 'Reports', 'How the inbox and lead sending perform.'),
  tag('audit-events', 'Audit log', 'Who signed in, and who changed keys, roles and settings.'),
  tag('requests', 'Requests', 'Requests by users of the company.'),
  tag('public', 'Without a key', 'For forms on websites, links in emails and health checks.'),
]

/** Paths that belong to the noun of another one. */
const belongsTo: Record<string, string> = {
  titles: 'records',
  moves: 'records',
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
