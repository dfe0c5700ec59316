import { Checkbox } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { Cell } from '../ui/page/table.tsx'
import { Ago } from '../ui/text/ago.tsx'
import { asDay, asFull } from '../ui/text/moments.ts'
import css from './key-cells.module.css'
import type { Key } from './keys.ts'

/** For every table of keys. */
export const keyTable = css.table

type Props = { of: Key; picked: boolean; onPick: (on: boolean) => void; children?: ReactNode }

/** Which key it is, and whether it is picked. */
export function KeyName({ of: key, picked, onPick, children }: Props) {
  const prefixId = useId()
  return (
    <>
      <Cell kind="select">
        <Checkbox
          aria-label={key.name}
          aria-describedby={prefixId}
          checked={picked}
          onChange={(event) => onPick(event.currentTarget.checked)}
          classNames={{ root: css.checkbox, body: css.target }}
        />
      </Cell>
      <Cell kind="name">
        <span className={css.name}>
          <bdi>{key.name}</bdi> <Prefix of={key} id={prefixId} />
        </span>
        {children}
      </Cell>
    </>
  )
}

export const KeyDates = ({ of: key }: { of: Key }) => (
  <>
    <Cell kind="created" label="Created">
      <time dateTime={key.created_at} title={asFull(key.created_at)}>
        {asDay(key.created_at)}
      </time>
    </Cell>
    <Cell kind="used" label="Last used">
      <LastUse of={key} />
    </Cell>
  </>
)

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
