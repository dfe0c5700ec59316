import { Ago } from '../../ui/ago.tsx'
import type { Key } from './keys.ts'
import css from './recent-clients.module.css'

/** Who used a key in the last 24 hours, and when. */
export const RecentClients = ({ clients }: { clients: Key['recent_clients'] }) => (
  <ul className={css.clients}>
    {clients.map(({ name, last_used_at }) => (
      <li key={name}>
        <bdi>{name || 'an unnamed client'}</bdi>, <Ago at={last_used_at} />
      </li>
    ))}
  </ul>
)
