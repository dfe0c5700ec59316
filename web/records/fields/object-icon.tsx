import {
  Book,
  Box,
  Briefcase,
  Building2,
  CalendarDays,
  Car,
  ChartColumn,
  CircleCheck,
  Clock,
  CreditCard,
  Factory,
  File,
  Flag,
  Folder,
  Globe,
  GraduationCap,
  Handshake,
  Heart,
  House,
  Lightbulb,
  type LucideIcon,
  Mail,
  MapPin,
  Megaphone,
  NotebookPen,
  Package,
  Phone,
  Plane,
  Puzzle,
  Receipt,
  Rocket,
  Server,
  Shield,
  ShoppingCart,
  Sprout,
  Star,
  Stethoscope,
  Tag,
  Target,
  Ticket,
  Trophy,
  Truck,
  UserRound,
  UsersRound,
  Wrench,
} from 'lucide-react'
import type { ObjectIcon as Name, ObjectColor } from '../../../contract/objects.ts'
import css from './object-icon.module.css'

const icons: Record<Name, LucideIcon> = {
  box: Box,
  handshake: Handshake,
  user: UserRound,
  users: UsersRound,
  building: Building2,
  sprout: Sprout,
  'circle-check': CircleCheck,
  notebook: NotebookPen,
  calendar: CalendarDays,
  package: Package,
  receipt: Receipt,
  briefcase: Briefcase,
  folder: Folder,
  file: File,
  flag: Flag,
  star: Star,
  heart: Heart,
  house: House,
  car: Car,
  truck: Truck,
  plane: Plane,
  'map-pin': MapPin,
  globe: Globe,
  phone: Phone,
  mail: Mail,
  megaphone: Megaphone,
  ticket: Ticket,
  tag: Tag,
  'shopping-cart': ShoppingCart,
  'credit-card': CreditCard,
  chart: ChartColumn,
  target: Target,
  trophy: Trophy,
  rocket: Rocket,
  wrench: Wrench,
  shield: Shield,
  book: Book,
  'graduation-cap': GraduationCap,
  stethoscope: Stethoscope,
  factory: Factory,
  server: Server,
  lightbulb: Lightbulb,
  puzzle: Puzzle,
  clock: Clock,
}

export type Look = { icon: Name; color: ObjectColor }
type Props = { of: Look; size?: number /** On a tinted tile of this size, as beside a title. */; tile?: number }

/** What stands for an object everywhere. Its name is always beside it, so screen readers skip it. */
export function ObjectIcon({ of: { icon, color }, tile, size = tile ? tile * 0.58 : 16 }: Props) {
  const Icon = icons[icon] ?? Box
  const drawn = <Icon size={size} strokeWidth={1.75} className={css.icon} data-hue={color} />
  if (!tile) return drawn
  return (
    <span className={css.tile} data-hue={color} style={{ width: tile, height: tile }} aria-hidden="true">
      {drawn}
    </span>
  )
}
