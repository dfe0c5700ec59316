import { Ago } from '../ui/ago.tsx'
import { ClientName } from './client-name.tsx'
import type { Key } from './keys.ts'
import css from './last-use.module.css'

/** When a key was last used, by whom and from where. */
export function LastUse({ of: { last_used_at, last_client, last_ip } }: { of: Key }) {
  if (!last_used_at) return <span className={css.never}>Never</span>
  return (
    <>
      <Ago at={last_used_at} />
      <span className={css.by}>
        <ClientName of={last_client} />
      </span>
      {last_ip && <span className={css.by}>from {last_ip}</span>}
    </>
  )
}
