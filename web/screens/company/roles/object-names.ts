import type { builtInObjects } from '../../../../contract/access.ts'
import { own } from '../../../../contract/own.ts'

const names: Record<string, string> = {
  people: 'People',
  organizations: 'Organizations',
  deals: 'Deals',
  leads: 'Leads',
  tasks: 'Tasks',
  notes: 'Notes',
  activities: 'Activities',
  products: 'Products',
  deal_lines: 'Deal lines',
} satisfies Record<(typeof builtInObjects)[number], string>

export const nameOfObject = (key: string) => own(names, key) ?? key
