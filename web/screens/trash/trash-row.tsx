import { Button, Checkbox } from '@mantine/core'
import type { contract } from '../../../contract/index.ts'
import type { Output } from '../../../contract/operation.ts'
import { useSignedIn } from '../../client/session.ts'
import { ClientName } from '../../keys/key-cells.tsx'
import { UserName } from '../../records/fields/field-value.tsx'
import { Cell, Row } from '../../ui/page/table.tsx'
import { Ago } from '../../ui/text/ago.tsx'
import { asDay, asFull } from '../../ui/text/moments.ts'
import css from './trash.module.css'

export type Trashed = Output<typeof contract.listTrash>['items'][number]

type Props = {
  of: Trashed
  /** What kind of record it is. */
  label: string
  isPicked: boolean
  isPending: boolean
  onPick: (on: boolean) => void
  onRestore: (() => void) | undefined
}

export function TrashRow({
  of: { title, deleted_at, deleted_by, deleted_with },
  label,
  isPicked,
  isPending,
  onPick,
  onRestore,
}: Props) {
  const { company } = useSignedIn()
  const gone = new Date(Date.parse(deleted_at) + company.trash_days * dayMs).toISOString()
  return (
    <Row data-picked={isPicked || undefined}>
      <Cell kind="pick">
        <Checkbox
          aria-label={`Select ${title}`}
          checked={isPicked}
          onChange={(event) => onPick(event.currentTarget.checked)}
        />
      </Cell>
      <Cell kind="title">
        <bdi className={css.title}>{title}</bdi>
      </Cell>
      <Cell kind="object" label="Object">
        {label}
      </Cell>
      <Cell kind="by" label="Deleted by">
        {deleted_by ? <UserName id={deleted_by} /> : 'Unknown user'}
        {deleted_with && (
          <small className={css.tool}>
            <ClientName of={deleted_with.client} />, key <bdi>{deleted_with.api_key_name ?? 'that is gone'}</bdi>
          </small>
        )}
      </Cell>
      <Cell kind="at" label="Deleted">
        <Ago at={deleted_at} />
      </Cell>
      <Cell kind="gone" label="Deleted permanently">
        <time dateTime={gone} title={asFull(gone)}>
          {asDay(gone)}
        </time>
      </Cell>
      <Cell kind="act">
        {onRestore && (
          <Button
            variant="default"
            size="compact-sm"
            loading={isPending}
            aria-label={`Restore ${title}`}
            onClick={onRestore}
          >
            Restore
          </Button>
        )}
      </Cell>
    </Row>
  )
}

const dayMs = 86_400_000
