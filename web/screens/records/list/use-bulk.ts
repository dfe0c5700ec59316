import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { limits } from '../../../../contract/filter/index.ts'
import { mostRecords } from '../../../../contract/records.ts'
import { api } from '../../../client/api.ts'
import { jobStarted } from '../../../jobs/jobs.ts'
import { counted } from '../../../records/counted.ts'
import { dropFromCache, recordsChangedSoon } from '../../../records/record-cache.ts'
import type { ObjectShape } from '../../../records/schema.ts'
import { saidAndUndoable } from '../../../records/undo-toast.ts'
import type { Values } from '../../../records/update-record.ts'
import type { Selection } from './use-selection.ts'

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
  const edit = async (values: Values) => {
    if (isJob) return begun((await api.bulkUpdateRecords({ ...many, values })).job_id)
    const records = [...selection.ids].map((id) => ({ id, values }))
    const answer = await api.updateRecords({ object: object.key, records })
    saidAndUndoable(`${counted(answer.records.length, object)} changed.`, answer.change_set_id)
    recordsChangedSoon(client, object.key)
  }
  const remove = async () => {
    if (isJob) return begun((await api.bulkDeleteRecords(many)).job_id)
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
