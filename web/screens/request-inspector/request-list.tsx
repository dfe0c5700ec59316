import type { ReactNode } from 'react'
import type { contract } from '../../../contract/index.ts'
import type { Output } from '../../../contract/operation.ts'
import { CopyCode } from '../../ui/copy-code.tsx'
import { asFull, asSecond } from '../../ui/moments.ts'
import css from './request-list.module.css'

type Entry = Output<typeof contract.listRequests>['items'][number]

const columns = ['Time', 'Method', 'Route', 'Operation', 'Status', 'Duration', 'User', 'Door', 'Request id']

/** A table; on narrow screens its rows stack into cards, with roles kept for screen readers. */
export const RequestList = ({ items }: { items: Entry[] }) => (
  // biome-ignore lint/a11y/noRedundantRoles: CSS that stacks a table takes its roles away
  <table className={css.table} role="table" aria-label="Requests">
    {/* biome-ignore lint/a11y/noRedundantRoles: as above */}
    <thead role="rowgroup">
      {/* biome-ignore lint/a11y/noRedundantRoles: as above */}
      <tr role="row">
        {columns.map((column) => (
          // biome-ignore lint/a11y/noRedundantRoles: as above
          <th key={column} role="columnheader" scope="col">
            {column}
          </th>
        ))}
      </tr>
    </thead>
    {/* biome-ignore lint/a11y/noRedundantRoles: as above */}
    <tbody role="rowgroup">
      {items.map((entry) => (
        <Row key={entry.request_id} entry={entry} />
      ))}
    </tbody>
  </table>
)

const Row = ({ entry }: { entry: Entry }) => (
  // biome-ignore lint/a11y/noRedundantRoles: as above
  <tr role="row">
    <Cell kind="time">
      <time dateTime={entry.at} title={asFull(entry.at)}>
        {asSecond(entry.at)}
      </time>
    </Cell>
    <Cell kind="method">{entry.method}</Cell>
    <Cell kind="route">{entry.route}</Cell>
    <Cell kind="operation">{entry.operation ?? '–'}</Cell>
    <Cell kind="status">
      <Status entry={entry} />
    </Cell>
    <Cell kind="duration">{Math.round(entry.duration_ms * 10) / 10} ms</Cell>
    <Cell kind="user">
      <bdi title={entry.user_name ?? undefined}>{entry.user_name ?? 'Nobody'}</bdi>
    </Cell>
    <Cell kind="door">{entry.door.replace('_', ' ')}</Cell>
    <Cell kind="id">
      <CopyCode value={entry.request_id} what="request id" />
    </Cell>
  </tr>
)

const Cell = ({ kind, children }: { kind: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noRedundantRoles: as above
  <td role="cell" data-kind={kind}>
    {children}
  </td>
)

function Status({ entry: { status, error_code } }: { entry: Entry }) {
  const [tone, word] = status < 400 ? ['ok', 'OK'] : status < 500 ? ['warn', 'Refused'] : ['bad', 'Failed']
  return (
    <span className={css.status} data-tone={tone} title={error_code ?? undefined}>
      {status} {word}
    </span>
  )
}
