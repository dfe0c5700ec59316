import { Button, CloseButton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, Pencil, Trash2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import { limits } from '../../../../contract/filter/index.ts'
import { mostRecords } from '../../../../contract/records.ts'
import { api } from '../../../client/api.ts'
import { jobStarted } from '../../../client/jobs.ts'
import { useSignedIn } from '../../../client/session.ts'
import { dropFromCache, recordsChangedSoon } from '../../../records/record-cache.ts'
import type { ObjectShape } from '../../../records/schema.ts'
import { saidAndUndoable } from '../../../records/undo.tsx'
import type { Values } from '../../../records/update-record.ts'
import { counted, pluralOf } from '../../../records/value-text.ts'
import { Confirm } from '../../../ui/dialog.tsx'
import { asNumber } from '../../../ui/numbers.ts'
import css from './bulk.module.css'
import { askingAgain } from './bulk-change.tsx'
import { BulkEdit } from './bulk-edit.tsx'
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
  return (
    <Confirm
      title={`Delete ${what}?`}
      action={count === undefined ? 'Delete' : `Delete ${what}`}
      act={() => bulk.remove(count).catch(askingAgain(refetch))}
      onDone={() => {}}
      onClose={bulk.close}
    >
      <p>They go to the trash, from where they can be restored.{bulk.isJob && ' This runs in the background.'}</p>
    </Confirm>
  )
}

export type Bulk = ReturnType<typeof useBulk>

/** A bulk change needs a condition. Every record has this one. */
const everything = 'created_at is not empty'

/** Changes everything that is selected: up to a hundred records in one call, more in a job. */
export function useBulk(object: ObjectShape, filter: string, selection: Selection) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<'delete' | 'edit' | 'export'>()
  const isJob = selection.isAll || selection.ids.size > mostRecords
  /** The selected records as a filter. */
  const selected = selection.isAll ? filter : `id in (${[...selection.ids].map((id) => `"${id}"`).join(', ')})`
  const many = {
    object: object.key,
    ...(selection.isAll ? { filter: filter || everything } : { ids: [...selection.ids] }),
  }

  /** How many records it is about, as the server counts them. */
  const countEdit = async (values: Values) =>
    isJob ? (await api.bulkUpdateRecords({ ...many, values, dry_run: true })).matched : selection.ids.size
  const countDelete = async () =>
    isJob ? (await api.bulkDeleteRecords({ ...many, dry_run: true })).matched : selection.ids.size

  const begun = (job_id: string | null) => {
    if (job_id) jobStarted(job_id)
    selection.clear()
  }
  /** `at_most`: as many as the user has agreed to. */
  const edit = async (values: Values, at_most?: number) => {
    if (isJob) return begun((await api.bulkUpdateRecords({ ...many, values, at_most })).job_id)
    const records = [...selection.ids].map((id) => ({ id, values }))
    const answer = await api.updateRecords({ object: object.key, records })
    saidAndUndoable(`${counted(answer.records.length, object)} changed.`, answer.change_set_id)
    recordsChangedSoon(client, object.key)
  }
  const remove = async (at_most?: number) => {
    if (isJob) return begun((await api.bulkDeleteRecords({ ...many, at_most })).job_id)
    const answer = await api.deleteRecords({ object: object.key, ids: [...selection.ids] })
    dropFromCache(client, object.key, selection.ids)
    saidAndUndoable(`${counted(answer.records.length, object)} moved to the trash.`, answer.change_set_id)
    selection.clear()
    recordsChangedSoon(client, object.key)
  }
  return {
    asked,
    filter: selected,
    canExport: selection.isAll || selected.length <= limits.characters,
    isJob,
    countEdit,
    countDelete,
    edit,
    remove,
    askToDelete: () => selection.ids.size > 0 && object.rights.delete !== 'none' && setAsked('delete'),
    askToEdit: () => setAsked('edit'),
    askToExport: useCallback(() => setAsked('export'), []),
    close: () => setAsked(undefined),
  }
}
