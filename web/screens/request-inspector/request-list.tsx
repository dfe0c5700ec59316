import type { contract } from '../../../contract/index.ts'
import type { Output } from '../../../contract/operation.ts'
import { Cell, Head, Row, Table } from '../../ui/page/table.tsx'
import { CopyCode } from '../../ui/text/code.tsx'
import { asFull, asSecond } from '../../ui/text/moments.ts'
import css from './request-list.module.css'

type Entry = Output<typeof contract.listRequests>['items'][number]

const columns = ['Time', 'Method', 'Route', 'Operation', 'Status', 'Duration', 'User', 'Via', 'Request ID']

/** On narrow screens the rows stack into cards. */
export const RequestList = ({ items }: { items: Entry[] }) => (
  <Table
    label="Requests"
    className={css.table}
    stackOn="laptop"
    head={columns.map((column) => <Head key={column}>{column}</Head>)}
  >
    {items.map((entry) => (
      <Request key={entry.request_id} entry={entry} />
    ))}
  </Table>
)

const Request = ({ entry }: { entry: Entry }) => (
  <Row>
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
      <bdi title={entry.user_name ?? undefined}>{entry.user_name ?? 'Anonymous'}</bdi>
    </Cell>
    <Cell kind="door">{entry.via.replace('_', ' ')}</Cell>
    <Cell kind="id">
      <CopyCode value={entry.request_id} what="request id" />
    </Cell>
  </Row>
)

function Status({ entry: { status, error_code } }: { entry: Entry }) {
  const [tone, word] = status < 400 ? ['ok', 'OK'] : status < 500 ? ['warn', 'Refused'] : ['bad', 'Failed']
  return (
    <span className={css.status} data-tone={tone} title={error_code ?? undefined}>
      {status} {word}
    </span>
  )
}
