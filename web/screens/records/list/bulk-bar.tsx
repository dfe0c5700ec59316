import { Button, CloseButton } from '@mantine/core'
import { Download, Pencil, Trash2 } from 'lucide-react'
import { useSignedIn } from '../../../client/session.ts'
import type { ObjectShape } from '../../../records/schema.ts'
import { asNumber } from '../../../ui/numbers.ts'
import css from './bulk.module.css'
import { BulkDelete } from './bulk-delete.tsx'
import { BulkEdit } from './bulk-edit.tsx'
import type { Bulk } from './use-bulk.ts'
import type { Selection } from './use-selection.ts'

type Props = {
  object: ObjectShape
  selection: Selection
  total: { count: number; isExact: boolean } | undefined
  bulk: Bulk
  /** All that match are loaded. */
  isWhole: boolean
}

/** What can be done with the selected records. */
export function BulkBar({ object, selection, total, bulk, isWhole }: Props) {
  const { may } = useSignedIn()
  const count = selection.isAll ? total?.count : selection.ids.size
  const isMore = !selection.isAll && total !== undefined && total.count > selection.ids.size
  return (
    <>
      {selection.ids.size > 0 && (
        <section className={css.bar} aria-label="Selection">
          <span role="status" className={css.said}>
            <b>{count === undefined ? 'All' : asNumber(count)}</b> selected
          </span>
          {isMore && (
            <Button size="compact-sm" variant="subtle" onClick={isWhole ? selection.selectLoaded : selection.selectAll}>
              Select all {asNumber(total.count)}
              {!total.isExact && '+'}
            </Button>
          )}
          <div className={css.actions}>
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
            {may('records.export') && bulk.canExport && (
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<Download size={13} aria-hidden="true" />}
                onClick={bulk.askToExport}
              >
                Export
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
          </div>
          <CloseButton size="sm" className={css.close ?? ''} aria-label="Clear selection" onClick={selection.clear} />
        </section>
      )}
      {bulk.asked === 'edit' && <BulkEdit object={object} count={count} bulk={bulk} />}
      {bulk.asked === 'delete' && <BulkDelete object={object} bulk={bulk} />}
    </>
  )
}
