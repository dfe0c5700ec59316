import type { contract } from '../../../contract/index.ts'
import type { Output } from '../../../contract/operation.ts'
import { type Column, DataTable } from '../../ui/page/table.tsx'
import { CopyCode } from '../../ui/text/code.tsx'
import { asFull, asSecond } from '../../ui/text/moments.ts'
import css from './request-list.module.css'

type Entry = Output<typeof contract.listRequests>['items'][number]

const columns: Column<Entry>[] = [
  {
    key: 'time',
    label: 'Time',
    cell: ({ at }) => (
      <time dateTime={at} title={asFull(at)}>
        {asSecond(at)}
      </time>
    ),
  },
  { key: 'method', label: 'Method', cell: ({ method }) => method },
  { key: 'route', label: 'Route', cell: ({ route }) => route },
  { key: 'operation', label: 'Operation', cell: ({ operation }) => operation ?? '–' },
  { key: 'status', label: 'Status', cell: (entry) => <Status entry={entry} /> },
  {
    key: 'duration',
    label: 'Duration',
    cell: ({ duration_ms }) => `${Math.round(duration_ms * 10) / 10} ms`,
  },
  {
    key: 'user',
    label: 'User',
    cell: ({ user_name }) => <bdi title={user_name ?? undefined}>{user_name ?? 'Anonymous'}</bdi>,
  },
  { key: 'door', label: 'Via', cell: ({ via }) => via.replace('_', ' ') },
  {
    key: 'id',
    label: 'Request ID',
    cell: ({ request_id, trace_id }) => (
      <>
        <CopyCode value={request_id} what="request id" />
        {trace_id && (
          <div className={css.trace}>
            Trace <CopyCode value={trace_id} what="trace id" />
          </div>
        )}
      </>
    ),
  },
]

/** On narrow screens the rows stack into cards. */
export const RequestList = ({ items }: { items: Entry[] }) => (
  <DataTable
    bare
    label="Requests"
    className={css.table}
    stackOn="laptop"
    columns={columns}
    items={items}
    keyOf={({ request_id }) => request_id}
  />
)

function Status({ entry: { status, error_code } }: { entry: Entry }) {
  const [tone, word] = status < 400 ? ['ok', 'OK'] : status < 500 ? ['warn', 'Refused'] : ['bad', 'Failed']
  return (
    <span className={css.status} data-tone={tone} title={error_code ?? undefined}>
      {status} {word}
    </span>
  )
}
