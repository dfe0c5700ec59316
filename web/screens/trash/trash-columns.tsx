import type { contract } from '../../../contract/index.ts'
import type { Output } from '../../../contract/operation.ts'
import { ClientName } from '../../keys/key-cells.tsx'
import type { ObjectShape } from '../../records/data/schema.ts'
import { UserName } from '../../records/fields/field-value.tsx'
import type { Column } from '../../ui/page/table.tsx'
import { Ago } from '../../ui/text/ago.tsx'
import { asDay, asFull } from '../../ui/text/moments.ts'
import css from './trash.module.css'

export type Trashed = Output<typeof contract.listTrash>['items'][number]

/** What was deleted, by whom, and until when it can be restored. */
export const trashColumns = (objects: ObjectShape[], days: number): Column<Trashed>[] => [
  { key: 'title', label: 'Record', bare: true, cell: ({ title }) => <bdi className={css.title}>{title}</bdi> },
  {
    key: 'object',
    label: 'Object',
    cell: ({ object }) => objects.find(({ key }) => key === object)?.label ?? object,
  },
  {
    key: 'by',
    label: 'Deleted by',
    cell: ({ deleted_by, deleted_with }) => (
      <>
        {deleted_by ? <UserName id={deleted_by} /> : 'Unknown user'}
        {deleted_with && (
          <small className={css.tool}>
            <ClientName of={deleted_with.client} />, key <bdi>{deleted_with.api_key_name ?? '(deleted)'}</bdi>
          </small>
        )}
      </>
    ),
  },
  { key: 'at', label: 'Deleted', cell: ({ deleted_at }) => <Ago at={deleted_at} /> },
  {
    key: 'gone',
    label: 'Deleted permanently',
    cell: ({ deleted_at }) => {
      const gone = new Date(Date.parse(deleted_at) + days * dayMs).toISOString()
      return (
        <time dateTime={gone} title={asFull(gone)}>
          {asDay(gone)}
        </time>
      )
    },
  },
]

const dayMs = 86_400_000
