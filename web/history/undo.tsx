import { Button, Skeleton } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { contract } from '../../contract/index.ts'
import type { Input, Output } from '../../contract/operation.ts'
import { api } from '../client/api.ts'
import { jobStarted } from '../client/jobs.ts'
import { queryClient } from '../client/queries.ts'
import { recordsChanged } from '../records/data/record-cache.ts'
import { type ObjectShape, useSchema } from '../records/data/schema.ts'
import { saidAndUndoable, withdrawUndo } from '../records/data/undo.ts'
import { wordsOf } from '../ui/basics/errors.ts'
import { Panel } from '../ui/basics/layout.tsx'
import { complain } from '../ui/basics/notices.tsx'
import { FormFailure } from '../ui/basics/states.tsx'
import { Dialog, DialogActions } from '../ui/form/dialog.tsx'
import { type ChangeSet, useRecordTitles } from './change-sets.ts'
import { records } from './change-words.ts'
import css from './undo.module.css'

export type ToUndo = Omit<Input<typeof contract.undoChanges>, 'dry_run'>
type Undone = Output<typeof contract.undoChanges>
/**
 * What the dialog asks about. `creates`: how much of it was created; `some` also if unknown. `happens`: what will happen, if
 * more is known than that.
 */
export type Question = {
  title: string
  about?: string
  what: ToUndo
  creates: Creates
  happens?: string
  plan?: Undone
}
type Creates = 'all' | 'some' | 'none'

export function createsOf(sets: ChangeSet[]): Creates {
  const created = sets.flatMap(({ changes }) => changes.map(({ action }) => action === 'created'))
  if (!created.includes(true)) return 'none'
  return created.includes(false) ? 'some' : 'all'
}

const planOf = (what: ToUndo) => api.undoChanges({ ...what, dry_run: true })

async function undo(what: ToUndo) {
  const undone = await api.undoChanges(what)
  withdrawUndo(what.change_set_ids ?? [])
  if (undone.job_id) {
    jobStarted(undone.job_id)
    return undone
  }
  const said = undone.undone === 1 ? '1 record reverted' : `${records(undone.undone)} reverted`
  saidAndUndoable(said, undone.change_set_id)
  void recordsChanged(queryClient)
  void queryClient.invalidateQueries({ queryKey: ['jobs'] })
  return undone
}

type Asked = { set: ChangeSet; only: string | undefined }

/** Undoes a change set at once, or only what it did to one record; asks first if that is more than one sees. */
export function useUndo() {
  const [question, ask] = useState<Question>()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async ({ set, only }: Asked) => {
      const what = { change_set_ids: [set.id], ...(only && { record_ids: [only] }) }
      const plan = await planOf(what)
      if (plan.left.length || plan.undone !== 1)
        return ask({ title: 'Undo this change?', what, creates: createsOf([set]), plan })
      await undo(what)
    },
    onError: (error) => complain('This could not be undone', error),
  })
  return {
    undoOne: (set: ChangeSet, only?: string) => mutate({ set, only }),
    pendingId: isPending ? variables.set.id : undefined,
    question,
    ask,
  }
}

type Props = { of: Question; onDone?: () => void; onClose: () => void }

/** Says before anything happens how many records go back, and what stays and why. */
export function UndoDialog({ of: { title, about, what, creates, happens, plan }, onDone, onClose }: Props) {
  const dry = useQuery({
    queryKey: ['undo plan', what],
    queryFn: () => planOf(what),
    initialData: plan,
    staleTime: plan ? Number.POSITIVE_INFINITY : 0,
    gcTime: 0,
    retry: false,
  })
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => undo(what),
    onSuccess: () => {
      onClose()
      onDone?.()
    },
  })
  const refused = error ?? dry.error
  return (
    <Dialog title={title} size={520} onClose={onClose}>
      {about && <p className={css.about}>{about}</p>}
      <FormFailure>{refused && wordsOf(refused)}</FormFailure>
      {dry.isPending && <Skeleton height={64} role="status" aria-label="Checking what would change" />}
      {dry.data && <Plan of={dry.data} creates={creates} happens={happens} />}
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button loading={isPending} disabled={!dry.data?.undone} onClick={() => mutate()}>
          {dry.data?.undone && !happens ? `Undo for ${records(dry.data.undone)}` : 'Undo'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type PlanProps = { of: Undone; creates: Creates; happens: string | undefined }

function Plan({ of: { undone, left }, creates, happens }: PlanProps) {
  const objects = useSchema()
  const titles = useRecordTitles(left.map(({ record_id }) => record_id))
  return (
    <div className={css.plan}>
      <p>
        {happens && undone > 0 ? happens : willHappen(undone, creates)}{' '}
        {!happens && creates === 'some' && undone > 0 && 'Records it created move to the trash.'}
      </p>
      {left.length > 0 && (
        <>
          <p>{left.length === 1 ? 'This will not change:' : `These ${left.length} will not change:`}</p>
          <Panel as="ul" divided className={css.left} aria-label="What will not change">
            {left.map(({ record_id, field, reason }) => (
              <li key={`${record_id} ${field}`}>
                <span>
                  <bdi className={css.title}>{titles.get(record_id) ?? 'A record'}</bdi>
                  {field && <span className={css.field}> {labelOf(field, objects)}</span>}
                </span>
                <span className={css.reason}>{reason}.</span>
              </li>
            ))}
          </Panel>
        </>
      )}
    </div>
  )
}

function willHappen(undone: number, creates: Question['creates']) {
  if (!undone) return 'There is nothing left to undo.'
  if (creates === 'all')
    return undone === 1 ? '1 record will move to the trash.' : `${undone} records will move to the trash.`
  return undone === 1 ? '1 record will be reverted.' : `${undone} records will be reverted.`
}

const labelOf = (key: string, objects: ObjectShape[]) =>
  objects.flatMap(({ byKey }) => byKey.get(key)?.label ?? [])[0] ?? key
