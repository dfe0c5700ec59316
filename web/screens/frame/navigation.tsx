import { Link } from '@tanstack/react-router'
import { areaGroups } from './areas.ts'
import css from './navigation.module.css'

export const Navigation = () => (
  <nav aria-label="Areas" className={css.navigation}>
    {areaGroups.map((group) => (
      <ul key={group.name} aria-label={group.name}>
        {group.areas.map(({ label, to, icon: Icon }) => (
          <li key={to}>
            <Link to={to} className={css.link}>
              <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    ))}
  </nav>
)
