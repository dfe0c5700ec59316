import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { inSentence } from '../../../../contract/in-sentence.ts'
import { mostRecords } from '../../../../contract/records.ts'
import { api } from '../../../api.ts'
import { dropFromCache, recordsChanged } from '../../../records/record-cache.ts'
import type { Question } from '../../../records/records-api.ts'
import type { ObjectShape } from '../../../records/schema.ts'
import { saidAndUndoable } from '../../../records/undo-toast.ts'
import { complain, say } from '../../../ui/notices.tsx'
import type { Selection } from './use-selection.ts'

export type Bulk = ReturnType<typeof useBulk>
type Progress = { done: number; of: number | undefined; isStopping?: boolean }
type Step = (ids: string[]) => Promise<{ records: unknown[]; change_set_id: string | null }>

/** Does something with all that is marked, a hundred at a time. It can be watched, stopped and undone. */
export function useBulk(object: ObjectShape, question: Question, selection: Selection) {
  const client = useQueryClient()
  const [progress, setProgress] = useState<Progress>()
  const [asked, setAsked] = useState<'delete' | 'edit'>()
  const isStopped = useRef(false)

  const each = async (step: Step, said: (count: number) => string) => {
    isStopped.current = false
    const sets: string[] = []
    let done = 0
    const of = selection.isAll ? undefined : selection.ids.size
    setProgress({ done, of })
    try {
      for await (const ids of batches(question, selection)) {
        const { records, change_set_id } = await step(ids)
        if (change_set_id) sets.push(change_set_id)
        done += records.length
        setProgress({ done, of })
        if (isStopped.current) break
      }
    } catch (error) {
      complain(done ? `Stopped after ${done}` : 'Nothing was changed', error)
    } finally {
      setProgress(undefined)
      void recordsChanged(client, object.key)
    }
    if (sets.length) saidAndUndoable(said(done), sets)
    else if (done) say(said(done))
  }

  const names = (count: number) => `${count} ${inSentence(count === 1 ? object.label : object.label_plural)}`
  const edit = (values: Record<string, unknown>) =>
    each(
      (ids) => api.updateRecords({ object: object.key, records: ids.map((id) => ({ id, values })) }),
      (count) => `${names(count)} changed.`,
    )
  const remove = async () => {
    await each(
      async (ids) => {
        const answer = await api.deleteRecords({ object: object.key, ids })
        dropFromCache(client, object.key, new Set(ids))
        return answer
      },
      (count) => `${names(count)} moved to the trash.`,
    )
    selection.clear()
  }
  return {
    progress,
    asked,
    edit,
    remove,
    stop: () => {
      isStopped.current = true
      setProgress((now) => now && { ...now, isStopping: true })
    },
    askToDelete: () => selection.ids.size > 0 && object.rights.delete !== 'none' && setAsked('delete'),
    askToEdit: () => setAsked('edit'),
    close: () => setAsked(undefined),
  }
}

/** Of "everything that matches", the ids are gathered before anything changes: what changes may no longer match. */
async function* batches({ object, filter, sort }: Question, { ids, isAll }: Selection) {
  const all = isAll ? await everyId(object, filter || undefined, sort?.length ? sort : undefined) : [...ids]
  for (let i = 0; i < all.length; i += mostRecords) yield all.slice(i, i + mostRecords)
}

async function everyId(object: string, filter: string | undefined, sort: string[] | undefined) {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await api.listRecords({ object, filter, sort, fields: ['title'], limit: mostRecords, cursor })
    ids.push(...page.records.map(({ id }) => id))
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  return ids
}
