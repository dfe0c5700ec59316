import {
  Bot,
  Braces,
  Building2,
  CircleUserRound,
  Filter,
  Inbox,
  KeyRound,
  LayoutDashboard,
  LayoutGrid,
  ListChecks,
  ListTodo,
  type LucideIcon,
  Send,
  Trash2,
} from 'lucide-react'
import type { Grant } from '../../contract/shared/access.ts'
import { pages } from '../../contract/shared/pages.ts'

/** `key` follows `g`. `id`: the name under which a user can hide it; areas without one cannot be hidden. `words`: more search terms. */
export type Area = {
  label: string
  to: string
  icon: LucideIcon
  key: string
  id?: string
  words?: string
  /** Hidden from users without it; the page itself names the missing permission. */
  needs?: Grant
}

/** The areas of the app as the sidebar shows them: above the records, below them, and at its foot. */
export const areasAbove: Area[] = [
  { label: 'Dashboard', to: pages.dashboard, icon: LayoutDashboard, key: 'h', id: 'dashboard' },
  { label: 'Inbox', to: pages.inbox, icon: Inbox, key: 'i', id: 'inbox', words: 'conversations messages email' },
  { label: 'My tasks', to: pages.myTasks, icon: ListTodo, key: 'm', id: 'my-tasks', words: 'to do overdue today' },
]
export const recordsArea: Area = { label: 'Records', to: pages.records, icon: LayoutGrid, key: 'r' }
export const areasBelow: Area[] = [
  {
    label: 'Lead sending',
    to: pages.leadSending,
    icon: Send,
    key: 's',
    id: 'lead-sending',
    needs: 'lead_sending.manage',
  },
  { label: 'Agent activity', to: pages.activity, icon: Bot, key: 'a', id: 'agent-activity' },
  { label: 'Background jobs', to: pages.jobs, icon: ListChecks, key: 'j', id: 'jobs', words: 'imports exports bulk' },
  { label: 'Trash', to: pages.trash, icon: Trash2, key: 'x', id: 'trash', words: 'deleted restore bin' },
]
export const areasAtFoot: Area[] = [
  { label: 'Company', to: pages.company, icon: Building2, key: 'c' },
  { label: 'Profile', to: pages.profile, icon: CircleUserRound, key: 'u' },
]
/** For people who connect programs. Everyone can open them with Ctrl K, and manage their own keys in their profile. */
export const areasForDevelopers: Area[] = [
  { label: 'API Keys', to: pages.apiKeys, icon: KeyRound, key: 'k' },
  { label: 'Filter Syntax', to: pages.filterSyntax, icon: Filter, key: 'f' },
  { label: 'API', to: pages.api, icon: Braces, key: 'e', words: 'rest openapi reference endpoints docs curl' },
]
const developerGrants: Grant[] = ['objects.manage', 'webhooks.manage', 'requests.read']

type May = (grant: Grant) => boolean
export const isDeveloper = (may: May) => developerGrants.some(may)
export const openTo = (areas: Area[], may: May) => areas.filter(({ needs }) => !needs || may(needs))

export const areas = [...areasAbove, recordsArea, ...areasBelow, ...areasAtFoot, ...areasForDevelopers]

/** The keys that follow `g` for built-in objects. */
export const objectKeys: Record<string, string> = {
  deals: 'd',
  people: 'p',
  organizations: 'o',
  leads: 'l',
  tasks: 't',
}

/** `words`: further words by which the palette finds it. */
type CompanySection = { to: `/company${string}`; label: string; needs?: Grant | 'admin'; words?: string }

/** The pages of the Company area in their order, each but the first one of the contract's `/company/:section`. */
export const companySections = {
  details: { to: pages.company, label: 'Details' },
  members: { to: '/company/members', label: 'Members' },
  roles: { to: '/company/roles', label: 'Roles', needs: 'members.manage' },
  objects: { to: '/company/objects', label: 'Objects and fields', needs: 'objects.manage' },
  pipelines: { to: '/company/pipelines', label: 'Pipelines', needs: 'objects.manage' },
  webhooks: { to: '/company/webhooks', label: 'Webhooks', needs: 'webhooks.manage', words: 'endpoint zapier make n8n' },
  websiteLeads: {
    to: '/company/website-leads',
    label: 'Website leads',
    needs: 'leads.manage',
    words: 'forms submissions spam score rules lead sources embed',
  },
  channels: {
    to: '/company/channels',
    label: 'Channels',
    needs: 'channels.manage',
    words: 'mailbox email imap smtp inbox shared',
  },
  inboxRules: {
    to: '/company/inbox-rules',
    label: 'Inbox rules',
    needs: 'channels.manage',
    words: 'automation assign label auto reply close conversations',
  },
  workingHours: {
    to: '/company/working-hours',
    label: 'Working hours',
    needs: 'channels.manage',
    words: 'opening times holidays targets sla first response resolution',
  },
  inboxReport: {
    to: '/company/inbox-report',
    label: 'Inbox report',
    words: 'first response time resolution sla breaches conversations statistics',
  },
  mail: { to: '/company/mail', label: 'Mail', needs: 'admin' },
  keys: { to: '/company/api-keys', label: 'All API keys', needs: 'members.manage' },
  audit: { to: '/company/audit-log', label: 'Audit log', needs: 'audit.read' },
  retention: { to: '/company/data-retention', label: 'Data retention', needs: 'admin' },
} as const satisfies Record<string, CompanySection>

/** The contract's patterns with an id or a key in them, as the router writes them. */
export const memberPage = '/company/members/$id'
export const rolePage = '/company/roles/$id'
export const objectPage = '/company/objects/$object'
export const webhookPage = '/company/webhooks/$id'
export const leadSourcePage = '/company/website-leads/$id'
export const channelPage = '/company/channels/$id'
export const conversationPage = '/inbox/$id'
/** In place of the id of a conversation. */
export const newConversation = 'new'
/** In place of the id of a role. */
export const newRole = 'new'
/** In place of the id of a webhook. */
export const newWebhook = 'new'

// The contract's `/profile/:section`.
export const security = '/profile/security'
export const notifications = '/profile/notifications'
export const mailboxes = '/profile/mailboxes'
export const myMailboxPage = '/profile/mailboxes/$id'
export const activity = '/profile/activity'
/** Where people make and delete their keys. */
export const apiConnectors = '/profile/api-connectors'

export const profileSections = [
  { to: pages.profile, label: 'Profile' },
  { to: security, label: 'Security' },
  { to: notifications, label: 'Notifications' },
  { to: mailboxes, label: 'Mailboxes' },
  { to: activity, label: 'My changes' },
  { to: apiConnectors, label: 'API & Connectors' },
] as const
