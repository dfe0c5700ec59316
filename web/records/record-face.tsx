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
import { Initials } from '../ui/avatar.tsx'
import css from './record-face.module.css'

const named = new Set(['people', 'organizations', 'leads'])

type Props = { object: string; title: string; size: number; id?: string | undefined }

/** Beside a title: the letters of a name in a color of its own, or what kind of thing it is. */
export function RecordFace({ object, title, size, id }: Props) {
  if (named.has(object)) return <Initials name={title} size={size} seed={id} isSquare={object === 'organizations'} />
  const Icon = iconOf(object)
  return (
    <span className={css.face} style={{ width: size, height: size }} aria-hidden="true">
      <Icon size={size * 0.55} strokeWidth={1.75} />
    </span>
  )
}

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
