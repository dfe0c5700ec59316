import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { Plus, Search } from 'lucide-react'
import { pages } from '../../contract/pages.ts'
import { areaGroups } from '../client/areas.ts'
import { useSignedIn } from '../client/session.ts'
import { openCreate } from '../records/open-create.ts'
import { ObjectLinks } from '../screens/records/list/object-title.tsx'
import { Picture } from '../ui/avatar.tsx'
import { modKey } from '../ui/keyboard.ts'
import { Mark } from '../ui/logo.tsx'
import { openPalette } from './palette/open-palette.ts'
import css from './sidebar.module.css'

export function Navigation() {
  const { pathname } = useLocation()
  const isAtRecords = pathname.startsWith(pages.records)
  return (
    <nav aria-label="Areas" className={css.navigation}>
      {areaGroups.map((group) => (
        <ul key={group.name} aria-label={group.name}>
          {group.areas.map(({ label, to, icon: Icon }) => (
            <li key={to}>
              <Link to={to} className={css.link}>
                <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
                {label}
              </Link>
              {to === pages.records && isAtRecords && <ObjectLinks />}
            </li>
          ))}
        </ul>
      ))}
    </nav>
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

/** Beside the navigation: the two things one can do from anywhere. */
export const FindAndCreate = () => (
  <div className={css.both}>
    <UnstyledButton className={css.find} aria-haspopup="dialog" onClick={openPalette}>
      <Search size={15} aria-hidden="true" />
      <span>Search</span>
      <span className={css.keys} aria-hidden="true">
        <Kbd size="xs">{modKey}</Kbd>
        <Kbd size="xs">K</Kbd>
      </span>
    </UnstyledButton>
    <CreateButton size={32} />
  </div>
)

/** In the bar of a narrow screen. */
export const FindAndCreateIcons = () => (
  <>
    <ActionIcon
      variant="subtle"
      color="gray"
      size={40}
      aria-label="Search"
      aria-haspopup="dialog"
      onClick={openPalette}
    >
      <Search size={19} aria-hidden="true" />
    </ActionIcon>
    <CreateButton size={40} />
  </>
)

const CreateButton = ({ size }: { size: number }) => (
  <ActionIcon
    variant={size > 32 ? 'subtle' : 'default'}
    color="gray"
    size={size}
    aria-label="New record"
    aria-haspopup="dialog"
    title="New record (c)"
    onClick={() => openCreate()}
  >
    <Plus size={size > 32 ? 20 : 16} aria-hidden="true" />
  </ActionIcon>
)
