import {
  AlignLeft,
  ArrowRightLeft,
  AtSign,
  Banknote,
  Calendar,
  CalendarClock,
  CircleDot,
  CircleUserRound,
  Globe,
  Hash,
  Link2,
  type LucideIcon,
  Paperclip,
  Phone,
  SquareCheck,
  Tags,
  Type,
} from 'lucide-react'
import type { FieldType } from '../../../contract/built-in/field-types.ts'

type Kind = { label: string; about: string; icon: LucideIcon }

export const fieldKinds: Record<FieldType, Kind> = {
  text: { label: 'Text', about: 'One line', icon: Type },
  long_text: { label: 'Long text', about: 'Several lines', icon: AlignLeft },
  number: { label: 'Number', about: 'e.g. 12 or 0.5', icon: Hash },
  money: { label: 'Money', about: 'An amount with its currency', icon: Banknote },
  boolean: { label: 'Yes or no', about: 'Yes or no', icon: SquareCheck },
  date: { label: 'Date', about: 'A day', icon: Calendar },
  datetime: { label: 'Date and time', about: 'A point in time', icon: CalendarClock },
  select: { label: 'Select', about: 'One of your options', icon: CircleDot },
  multi_select: { label: 'Multi-select', about: 'One or more of your options', icon: Tags },
  email: { label: 'Email', about: 'An email address', icon: AtSign },
  phone: { label: 'Phone', about: 'A phone number', icon: Phone },
  url: { label: 'Web address', about: 'A link', icon: Link2 },
  country: { label: 'Country', about: 'A country, by name or code', icon: Globe },
  user: { label: 'User', about: 'A teammate', icon: CircleUserRound },
  file: { label: 'Files', about: 'Documents and pictures', icon: Paperclip },
  relation: { label: 'Relation', about: 'Links to other records', icon: ArrowRightLeft },
}
