import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { limits } from '../../../../contract/filter/index.ts'
import { mostRecords } from '../../../../contract/records.ts'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'
import { api } from '../../../client/api.ts'
import { jobStarted } from '../../../client/jobs.ts'
import { dropFromCache, recordsChangedSoon } from '../../../records/data/record-cache.ts'
import type { RecordShape } from '../../../records/data/records-api.ts'
import { ownFilter, useRights } from '../../../records/data/rights.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import { saidAndUndoable } from '../../../records/data/undo.ts'
import type { Values } from '../../../records/data/update-record.ts'
import { counted, pluralOf } from '../../../records/data/value-text.ts'
import type { Selection } from '../../../records/lists/use-selection.ts'
import { asNumber } from '../../../ui/text/numbers.ts'

export type Bulk = ReturnType<typeof useBulk>

/** A bulk change needs a condition. Every record has this one. */
const everything = 'created_at is not empty'

/** Changes everything that is selected: up to a hundred records in one call, more in a job. */
export function useBulk(object: ObjectShape, filter: string, selection: Selection, rows: RecordShape[]) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<'delete' | 'edit' | 'owner' | 'tags' | 'export' | 'convert'>()
  const rights = useRights(object)
  /** The selected records as a filter. */
  const selected = selection.isAll ? allBut(filter, selection) : `id in (${listed(selection.ids)})`
  const edits = aim(object, 'edit', filter, selection, () => rows.filter(rights.mayEdit))
  const deletes = aim(object, 'delete', filter, selection, () => rows.filter(rights.mayDelete))

  /** How many records it is about, as the server counts them. */
  const countEdit = async (values: Values) =>
    (await api.bulkUpdateRecords({ ...edits.many, values, dry_run: true })).matched
  const countDelete = async () =>
    deletes.isJob ? (await api.bulkDeleteRecords({ ...deletes.many, dry_run: true })).matched : deletes.ids.length

  const begun = (job_id: string | null) => {
    if (job_id) jobStarted(job_id)
    selection.clear()
  }
  /** `at_most`: as many as the user has agreed to. */
  const edit = async (values: Values, at_most?: number) => {
    if (edits.isJob) return begun((await api.bulkUpdateRecords({ ...edits.many, values, at_most })).job_id)
    const records = edits.ids.map((id) => ({ id, values }))
    const answer = await api.updateRecords({ object: object.key, records })
    const said = `${counted(answer.records.length, object)}: ${fieldsOf(object, values)} changed.`
    saidAndUndoable(said, answer.change_set_id, edits.ids)
    recordsChangedSoon(client, object.key)
  }
  const remove = async (at_most?: number) => {
    if (deletes.isJob) return begun((await api.bulkDeleteRecords({ ...deletes.many, at_most })).job_id)
    const answer = await api.deleteRecords({ object: object.key, ids: deletes.ids })
    dropFromCache(client, object.key, new Set(deletes.ids))
    saidAndUndoable(`${counted(answer.records.length, object)} moved to the trash.`, answer.change_set_id, deletes.ids)
    selection.clear()
    recordsChangedSoon(client, object.key)
  }
  return {
    asked,
    rows,
    filter: selected,
    canExport: selection.isAll || selected.length <= limits.characters,
    edits,
    deletes,
    countEdit,
    countDelete,
    edit,
    remove,
    askToDelete: () => deletes.isPossible && setAsked('delete'),
    askToEdit: (what: 'edit' | 'owner' | 'tags' = 'edit') => setAsked(what),
    askToConvert: () => setAsked('convert'),
    askToExport: useCallback(() => setAsked('export'), []),
    close: () => setAsked(undefined),
  }
}

/** "owner", "owner and tags", "4 fields". */
function fieldsOf(object: ObjectShape, values: Values) {
  const labels = Object.keys(values).map((key) => inSentence(object.byKey.get(key)?.label ?? key))
  return labels.length > 2 ? `${labels.length} fields` : labels.join(' and ')
}

const listed = (ids: Set<string>) => [...ids].map((id) => `"${id}"`).join(', ')

/** Everything that matches, without what was taken out of the selection. */
const allBut = (filter: string, { except }: Selection) => {
  if (!except.size) return filter
  return `${filter ? `(${filter}) and ` : ''}id not in (${listed(except)})`
}

/** Those of the selected records that the user's role lets them change, and a sentence about the rest. */
function aim(
  object: ObjectShape,
  right: 'edit' | 'delete',
  filter: string,
  selection: Selection,
  own: () => RecordShape[],
) {
  const { isAll, ids: marked } = selection
  const reach = object.rights[right]
  const isOwnOnly = reach === 'own'
  const ownIds = new Set(isOwnOnly ? own().map(({ id }) => id) : [])
  const ids = [...marked].filter((id) => !isOwnOnly || ownIds.has(id))
  const every = allBut(filter, selection) || everything
  const all = isOwnOnly ? `(${every}) and ${ownFilter(object)}` : every
  const skipped = marked.size - ids.length
  const who = isAll ? 'Records owned by others are' : skipped === 1 ? '1 other is' : `${asNumber(skipped)} others are`
  return {
    ids,
    isAll,
    isJob: isAll || ids.length > mostRecords,
    many: { object: object.key, ...(isAll ? { filter: all } : { ids }) },
    isPossible: reach !== 'none' && marked.size > 0 && (isAll || ids.length > 0),
    /** Why nothing of it is possible. */
    refusal:
      reach === 'none'
        ? `Your role does not let you ${right} ${pluralOf(object)}`
        : `Your role lets you ${right} only your own ${pluralOf(object)}, and none of these are yours`,
    skipped:
      isOwnOnly && (isAll || skipped > 0)
        ? `${who} skipped: your role lets you ${right} only your own ${pluralOf(object)}.`
        : undefined,
  }
}
