import {
  Box,
  Building2,
  CalendarDays,
  CircleCheck,
  Handshake,
  type LucideIcon,
  NotebookPen,
  Package,
  Receipt,
  Sprout,
  UserRound,
} from 'lucide-react'
import { own } from '../../contract/own.ts'

const icons: Record<string, LucideIcon> = {
  people: UserRound,
  organizations: Building2,
  deals: Handshake,
  leads: Sprout,
  tasks: CircleCheck,
  notes: NotebookPen,
  activities: CalendarDays,
  products: Package,
  deal_lines: Receipt,
}

/** What kind of thing it is; a company's own objects share one. */
export const iconOf = (object: string) => own(icons, object) ?? Box
