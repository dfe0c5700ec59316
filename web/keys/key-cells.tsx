import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Column } from '../ui/page/table.tsx'
import { Ago } from '../ui/text/ago.tsx'
import { asDay, asFull } from '../ui/text/moments.ts'
import css from './key-cells.module.css'
import type { Key } from './keys.ts'

/** For every table of keys. */
export const keyTable = css.table

export type Picking = { picked: string[]; pick: (ids: string[]) => void }

/** Which key it is, and whether it is picked. */
export const nameColumns = <K extends Key>({ picked, pick }: Picking, notes?: (key: K) => ReactNode): Column<K>[] => [
  {
    key: 'select',
    label: 'Select',
    isQuiet: true,
    cell: ({ id, name }) => (
      <Checkbox
        aria-label={name}
        aria-describedby={`prefix-${id}`}
        checked={picked.includes(id)}
        onChange={(event) => pick(event.currentTarget.checked ? [...picked, id] : picked.filter((one) => one !== id))}
        classNames={{ root: css.checkbox, body: css.target }}
      />
    ),
  },
  {
    key: 'name',
    label: 'Name',
    bare: true,
    cell: (key) => (
      <>
        <span className={css.name}>
          <bdi>{key.name}</bdi> <Prefix of={key} id={`prefix-${key.id}`} />
        </span>
        {notes?.(key)}
      </>
    ),
  },
]

export const dateColumns: Column<Key>[] = [
  {
    key: 'created',
    label: 'Created',
    cell: ({ created_at }) => (
      <time dateTime={created_at} title={asFull(created_at)}>
        {asDay(created_at)}
      </time>
    ),
  },
  { key: 'used', label: 'Last used', cell: (key) => <LastUse of={key} /> },
]

/** The beginning of a key, by which one recognises it. */
export const Prefix = ({ of, id }: { of: { prefix: string }; id?: string }) => (
  <code className={css.prefix} id={id}>
    {of.prefix}…
  </code>
)

/** When a key was last used, by whom and from where. */
function LastUse({ of: { last_used_at, last_client, last_ip } }: { of: Key }) {
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

/** A client as it calls itself; browsers say so much that a short word serves better. */
export const ClientName = ({ of: client }: { of: string | null }) => (
  <bdi className={css.client} title={client ?? undefined}>
    {!client || client === 'unknown' ? 'Unnamed client' : client.startsWith('Mozilla/') ? 'A web browser' : client}
  </bdi>
)
