import { Button, CloseButton, Loader } from '@mantine/core'
import { Pencil, Trash2 } from 'lucide-react'
import type { ObjectShape } from '../../../records/schema.ts'
import { asNumber } from '../../../ui/numbers.ts'
import css from './bulk.module.css'
import { BulkEdit, DeleteQuestion } from './bulk-dialogs.tsx'
import type { Bulk } from './use-bulk.ts'
import type { Selection } from './use-selection.ts'

type Props = {
  object: ObjectShape
  selection: Selection
  total: { count: number; isExact: boolean } | undefined
  bulk: Bulk
  isWhole: boolean
}

/** What can be done with the marked ones; there as long as some are. */
export function BulkBar({ object, selection, total, bulk, isWhole }: Props) {
  const count = selection.isAll ? total?.count : selection.ids.size
  if (!selection.ids.size && !bulk.progress) return null
  const number = count === undefined ? 'All' : asNumber(count)
  return (
    <section className={css.bar} aria-label="Selection">
      {bulk.progress ? (
        <>
          <Loader size={16} aria-hidden="true" />
          <span role="status">
            {asNumber(bulk.progress.done)}
            {bulk.progress.of !== undefined && ` of ${asNumber(bulk.progress.of)}`} done
          </span>
          <Button size="compact-sm" variant="default" disabled={bulk.progress.isStopping ?? false} onClick={bulk.stop}>
            Stop
          </Button>
        </>
      ) : (
        <>
          <span role="status">
            <b>{number}</b> selected
          </span>
          {!selection.isAll && !isWhole && total && (
            <Button size="compact-sm" variant="subtle" onClick={selection.selectAll}>
              Select all {asNumber(total.count)}
              {!total.isExact && '+'}
            </Button>
          )}
          {object.rights.edit !== 'none' && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<Pencil size={13} aria-hidden="true" />}
              onClick={bulk.askToEdit}
            >
              Edit
            </Button>
          )}
          {object.rights.delete !== 'none' && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<Trash2 size={13} aria-hidden="true" />}
              onClick={bulk.askToDelete}
            >
              Delete
            </Button>
          )}
          <CloseButton size="sm" aria-label="Clear selection" onClick={selection.clear} />
        </>
      )}
      {bulk.asked === 'edit' && <BulkEdit object={object} count={number} bulk={bulk} />}
      {bulk.asked === 'delete' && <DeleteQuestion object={object} count={number} bulk={bulk} />}
    </section>
  )
}
