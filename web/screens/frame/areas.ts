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
import { pages } from '../../../contract/pages.ts'

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
