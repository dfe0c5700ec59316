import { Button, CloseButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Download, Pencil, Trash2 } from 'lucide-react'
import { useSignedIn } from '../../../client/session.ts'
import type { ObjectShape } from '../../../records/schema.ts'
import { counted, pluralOf } from '../../../records/value-text.ts'
import { Confirm } from '../../../ui/dialog.tsx'
import { asNumber } from '../../../ui/numbers.ts'
import css from './bulk.module.css'
import { askingAgain } from './bulk-change.tsx'
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
            {bulk.edits.isPossible && (
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
            {bulk.deletes.isPossible && (
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
      {bulk.asked === 'edit' && <BulkEdit object={object} bulk={bulk} />}
      {bulk.asked === 'delete' && <BulkDelete object={object} bulk={bulk} />}
    </>
  )
}

/** The server says how many records match now, because the list may have changed since it was loaded. */
function BulkDelete({ object, bulk }: { object: ObjectShape; bulk: Bulk }) {
  const { data: count, refetch } = useQuery({
    queryKey: ['bulk delete', object.key],
    queryFn: bulk.countDelete,
    gcTime: 0,
    staleTime: 0,
    retry: false,
  })
  const what = count === undefined ? pluralOf(object) : counted(count, object)
  const { isJob, skipped } = bulk.deletes
  return (
    <Confirm
      title={`Delete ${what}?`}
      action={count === undefined ? 'Delete' : `Delete ${what}`}
      act={() => bulk.remove(count).catch(askingAgain(refetch))}
      onDone={() => {}}
      onClose={bulk.close}
    >
      <p>They go to the trash, from where they can be restored.{isJob && ' This runs in the background.'}</p>
      {skipped && <p>{skipped}</p>}
    </Confirm>
  )
}
