import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../client/api.ts'
import { isActive, jobQuery, jobStarted } from '../../client/jobs.ts'
import { complain } from '../../ui/basics/notices.tsx'
import { groupsKey } from '../data/duplicates.ts'
import { dropFromCache, recordsChangedSoon, whileSaving } from '../data/record-cache.ts'
import type { RecordShape } from '../data/records-api.ts'
import { useRights } from '../data/rights.ts'
import type { ObjectShape } from '../data/schema.ts'
import { differentAndUndoable, markDifferent, saidAndUndoable } from '../data/undo.ts'
import { counted, pluralOf } from '../data/value-text.ts'
import type { Merge } from './choice.ts'

/** The whole records, with the newest of what links to each. */
export const comparedQuery = (object: string, ids: string[], linking: string[]) =>
  queryOptions({
    queryKey: ['records', object, 'compared', ids] as const,
    queryFn: async ({ signal }) => {
      const related = Object.fromEntries(linking.map((key) => [key, []]))
      const { records } = await api.getRecords({ object, ids, related }, { signal })
      // Instead of one that was merged meanwhile comes the record that was kept.
      return ids.flatMap((id) => records.find((record) => record.id === id) ?? [])
    },
  })

type Settings = {
  /** Takes them off the screen at once, and answers with a way to take that back. */
  hide?: (merge: Merge) => () => void
  /** Those that are left out were found as duplicates, which they are not. */
  marksApart?: boolean
  onDone?: (merge: Merge, job_id: string | null) => void
}

export function useMerge(object: ObjectShape, { hide, marksApart = false, onDone }: Settings) {
  const client = useQueryClient()
  const { key } = object
  return useMutation({
    mutationFn: ({ kept, others, apart, values }: Merge) =>
      whileSaving(key, async () => {
        const input = { object: key, id: kept.id, merge: idsOf(others) }
        const answer = await api.mergeRecords({ ...input, ...(Object.keys(values).length && { values }) })
        const pairs: [string, string[]][] = marksApart && apart.length ? [[kept.id, idsOf(apart)]] : []
        await markDifferent({ object: key, pairs })
        return { ...answer, pairs }
      }),
    onMutate: async (merge) => {
      await client.cancelQueries({ queryKey: groupsKey(key) })
      return hide?.(merge)
    },
    onSuccess: ({ record, change_set_id, job_id, pairs }, merge) => {
      const said = `${counted(merge.others.length + 1, object)} merged into ${String(record.title)}.`
      // A notice comes when the job is done.
      if (job_id) jobStarted(job_id)
      else if (pairs.length) differentAndUndoable(said, { object: key, pairs }, change_set_id)
      else saidAndUndoable(said, change_set_id, idsOf([merge.kept, ...merge.others]))
      if (!job_id) dropFromCache(client, key, new Set(idsOf(merge.others)))
      onDone?.(merge, job_id)
    },
    onError: (error, _, putBack) => {
      putBack?.()
      complain('Nothing was merged', error)
    },
    onSettled: () => recordsChangedSoon(client, key),
  })
}

const idsOf = (records: RecordShape[]) => records.map(({ id }) => id)

/** Why this user may not merge them; nothing if they may. */
export function useMergeRefusal(object: ObjectShape) {
  const { mayEdit, mayDelete } = useRights(object)
  return ({ kept, others }: Pick<Merge, 'kept' | 'others'>) => {
    if (!mayEdit(kept)) return `Your role does not let you edit ${String(kept.title)}`
    if (!others.every(mayDelete))
      return `Merging moves the other ${pluralOf(object)} to the trash, which your role does not let you do`
    return undefined
  }
}

/** Also when it has just ended, until the merged records are gone from the page. */
export function useIsRunning(job_id: string | undefined) {
  const { data } = useQuery({ ...jobQuery(job_id ?? ''), enabled: job_id !== undefined })
  return job_id !== undefined && (data === undefined || isActive(data) || (data.state === 'done' && !data.failed))
}
