import {
  Bot,
  Building2,
  CircleUserRound,
  Contact,
  Filter,
  Inbox,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Send,
} from 'lucide-react'
import type { Grant } from '../../contract/access.ts'
import { pages } from '../../contract/pages.ts'

type Area = { label: string; to: (typeof pages)[keyof typeof pages]; icon: LucideIcon; key: string }

/** The areas of the app in their order, with the key that follows `g`. */
export const areaGroups = [
  {
    name: 'Work',
    areas: [
      { label: 'Dashboard', to: pages.dashboard, icon: LayoutDashboard, key: 'd' },
      { label: 'Inbox', to: pages.inbox, icon: Inbox, key: 'i' },
      { label: 'Records', to: pages.records, icon: Contact, key: 'r' },
      { label: 'Agent activity', to: pages.activity, icon: Bot, key: 'a' },
      { label: 'Jobs', to: pages.jobs, icon: ListChecks, key: 'j' },
      { label: 'Lead sending', to: pages.leadSending, icon: Send, key: 'l' },
    ],
  },
  {
    name: 'Company',
    areas: [
      { label: 'Company', to: pages.company, icon: Building2, key: 'c' },
      { label: 'Profile', to: pages.profile, icon: CircleUserRound, key: 'p' },
    ],
  },
  {
    name: 'Reference',
    areas: [
      { label: 'API Keys', to: pages.apiKeys, icon: KeyRound, key: 'k' },
      { label: 'Filter Syntax', to: pages.filterSyntax, icon: Filter, key: 'f' },
    ],
  },
] as const satisfies { name: string; areas: Area[] }[]

export const areas = areaGroups.flatMap((group) => [...group.areas])

/** The pages of the Company area in their order, each but the first one of the contract's `/company/:section`. */
export const companySections = {
  details: { to: pages.company, label: 'Details' },
  members: { to: '/company/members', label: 'Members' },
  roles: { to: '/company/roles', label: 'Roles', needs: 'members.manage' },
  objects: { to: '/company/objects', label: 'Objects and fields', needs: 'objects.manage' },
  mail: { to: '/company/mail', label: 'Mail', needs: 'admin' },
  keys: { to: '/company/api-keys', label: 'API keys', needs: 'members.manage' },
  audit: { to: '/company/audit-log', label: 'Audit log', needs: 'audit.read' },
  retention: { to: '/company/data-retention', label: 'Data retention', needs: 'admin' },
} as const satisfies Record<string, { to: `/company${string}`; label: string; needs?: Grant | 'admin' }>

/** The contract's patterns with an id or a key in them, as the router writes them. */
export const memberPage = '/company/members/$id'
export const rolePage = '/company/roles/$id'
export const objectPage = '/company/objects/$object'
/** In place of the id of a role. */
export const newRole = 'new'

// The contract's `/profile/:section`.
export const security = '/profile/security'
export const notifications = '/profile/notifications'
export const activity = '/profile/activity'
/** Where people make and delete their keys. */
export const apiConnectors = '/profile/api-connectors'

export const profileSections = [
  { to: pages.profile, label: 'Profile' },
  { to: security, label: 'Security' },
  { to: notifications, label: 'Notifications' },
  { to: activity, label: 'My changes' },
  { to: apiConnectors, label: 'API & Connectors' },
] as const
