import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { contract } from '../../contract/index.ts'
import type { Input, Output } from '../../contract/operation.ts'
import { api } from '../client/api.ts'
import { queryClient } from '../client/queries.ts'
import { jobStarted } from '../jobs/jobs.ts'
import { recordsChanged } from '../records/record-cache.ts'
import { saidAndUndoable, withdrawUndo } from '../records/undo-toast.ts'
import { complain } from '../ui/notices.tsx'
import type { ChangeSet } from './change-sets.ts'
import { records } from './change-words.ts'

export type ToUndo = Omit<Input<typeof contract.undoChanges>, 'dry_run'>
export type Undone = Output<typeof contract.undoChanges>
/** What the dialog asks about. `creates`: how much of it was created; `some` also where nobody knows. */
export type Question = { title: string; about?: string; what: ToUndo; creates: Creates; plan?: Undone }
type Creates = 'all' | 'some' | 'none'

export function createsOf(sets: ChangeSet[]): Creates {
  const created = sets.flatMap(({ changes }) => changes.map(({ action }) => action === 'created'))
  if (!created.includes(true)) return 'none'
  return created.includes(false) ? 'some' : 'all'
}

export const planOf = (what: ToUndo) => api.undoChanges({ ...what, dry_run: true })

export async function undo(what: ToUndo) {
  const undone = await api.undoChanges(what)
  withdrawUndo(what.change_set_ids ?? [])
  if (undone.job_id) {
    jobStarted(undone.job_id)
    return undone
  }
  const said = undone.undone === 1 ? '1 record is as it was' : `${records(undone.undone)} are as they were`
  saidAndUndoable(said, undone.change_set_id)
  void recordsChanged(queryClient)
  void queryClient.invalidateQueries({ queryKey: ['jobs'] })
  return undone
}

/** One change set goes back with one click, unless that touches more than one sees or leaves something as it is. */
export function useUndo() {
  const [question, ask] = useState<Question>()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async (set: ChangeSet) => {
      const what = { change_set_ids: [set.id] }
      const plan = await planOf(what)
      if (plan.left.length || plan.undone !== 1)
        return ask({ title: 'Undo this change?', what, creates: createsOf([set]), plan })
      await undo(what)
    },
    onError: (error) => complain('This could not be undone', error),
  })
  return { undoOne: mutate, pendingId: isPending ? variables.id : undefined, question, ask }
}
