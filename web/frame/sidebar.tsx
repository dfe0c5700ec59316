import { ActionIcon, Kbd, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronDown, Plus, Search } from 'lucide-react'
import {
  type Area,
  areasAbove,
  areasAtFoot,
  areasBelow,
  areasForDevelopers,
  isDeveloper,
  openTo,
} from '../client/areas.ts'
import { useSignedIn } from '../client/session.ts'
import { countsQuery } from '../conversations/inbox.ts'
import { openCreate } from '../records/data/open-create.ts'
import { useNavigation } from '../records/lists/navigation.ts'
import { Picture } from '../ui/basics/avatar.tsx'
import { modKey } from '../ui/basics/keyboard.ts'
import { Mark } from '../ui/theme/logo.tsx'
import { openPalette } from './overlay.ts'
import { RecordsSection } from './records-section.tsx'
import css from './sidebar.module.css'

/** Links to all areas. Only the middle scrolls, so the foot is always one click away. */
export function Navigation() {
  const { may } = useSignedIn()
  return (
    <nav aria-label="Areas" className={css.navigation}>
      <div className={css.middle}>
        <Areas label="Work" of={areasAbove} />
        <RecordsSection />
        <Areas label="More" of={areasBelow} />
      </div>
      <div className={css.foot}>
        <Areas label="Settings" of={areasAtFoot} isGrid />
        {isDeveloper(may) && <Developers />}
      </div>
    </nav>
  )
}

/** Open until the user collapses it in this browser. */
function Developers() {
  const [isOpen, setOpen] = useLocalStorage({
    key: 'kith-developers-open',
    defaultValue: true,
    getInitialValueInEffect: false,
  })
  return (
    <section aria-label="Developers">
      <h2>
        <UnstyledButton className={css.toggle} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Developers
          <ChevronDown size={14} />
        </UnstyledButton>
      </h2>
      {isOpen && <Areas label="Developers" of={areasForDevelopers} isGrid />}
    </section>
  )
}

type AreasProps = { label: string; of: Area[]; isGrid?: boolean }

function Areas({ label, of: areas, isGrid }: AreasProps) {
  const { may } = useSignedIn()
  const { hidden } = useNavigation()
  const shown = openTo(areas, may).filter(({ id }) => !id || !hidden.includes(id))
  if (!shown.length) return null
  return (
    <ul aria-label={label} className={isGrid ? css.grid : css.list}>
      {shown.map(({ id, label, to, icon: Icon }) => (
        <li key={to}>
          <Link to={to} className={css.link}>
            <Icon size={16} strokeWidth={1.75} />
            <span>{label}</span>
            {id === 'inbox' && <Unread />}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Unread conversations that are unassigned or assigned to the user. */
export function Unread() {
  const { data } = useQuery({ ...countsQuery, refetchInterval: 60_000 })
  if (!data?.unread) return null
  return (
    <small className={css.unread}>
      {data.unread > 99 ? '99+' : data.unread}
      <VisuallyHidden> unread</VisuallyHidden>
    </small>
  )
}

export function CompanyName() {
  const { company } = useSignedIn()
  return (
    <div className={css.company} title={company.name}>
      {company.logo_id ? <Picture id={company.logo_id} size={24} className={css.logo} /> : <Mark size={20} />}
      <span dir="auto">{company.name}</span>
    </div>
  )
}

/** Search and create, available on every page. */
export const FindAndCreate = () => (
  <div className={css.both}>
    <UnstyledButton className={css.find} aria-haspopup="dialog" onClick={openPalette}>
      <Search size={15} />
      <span>Search</span>
      <span className={css.keys} aria-hidden="true">
        <Kbd size="xs">{modKey} K</Kbd>
      </span>
    </UnstyledButton>
    <CreateButton size={32} />
  </div>
)

export const CreateButton = ({ size }: { size: number }) => (
  <ActionIcon
    variant={size > 32 ? 'subtle' : 'default'}
    color="gray"
    size={size}
    aria-label="New record"
    aria-haspopup="dialog"
    title="New record (c)"
    onClick={() => openCreate()}
  >
    <Plus size={size > 32 ? 20 : 16} />
  </ActionIcon>
)
