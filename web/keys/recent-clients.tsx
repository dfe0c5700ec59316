import { Ago } from '../ui/ago.tsx'
import { ClientName } from './client-name.tsx'
import type { Key } from './keys.ts'
import css from './recent-clients.module.css'

/** Who used a key in the last 24 hours, and when. */
export const RecentClients = ({ clients }: { clients: Key['recent_clients'] }) => (
  <ul className={css.clients}>
    {clients.map(({ name, last_used_at }) => (
      <li key={name}>
        <ClientName of={name} />, <Ago at={last_used_at} />
      </li>
    ))}
  </ul>
)
