import { Link, useLocation } from '@tanstack/react-router'
import { pages } from '../../contract/pages.ts'
import { areaGroups } from '../client/areas.ts'
import { ObjectLinks } from '../screens/records/list/object-links.tsx'
import css from './navigation.module.css'

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
