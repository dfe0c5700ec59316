import { notifications } from '@mantine/notifications'
import { createElement } from 'react'
import { api } from '../api.ts'
import { jobStarted } from '../jobs/jobs.ts'
import { queryClient } from '../queries.ts'
import { complain, say } from '../ui/notices.tsx'
import { recordsChanged } from './record-cache.ts'
import { UndoMessage } from './undo-message.tsx'

const shownMs = 8000
const closeButtonProps = { 'aria-label': 'Dismiss' }
/** More would wait their turn, and tell of things long past. */
const mostShown = 2
let shown: { id: string; undo: () => void }[] = []

/** Says what was done, with a way back for some seconds. */
export function saidAndUndoable(text: string, change_set_ids: string | string[] | null) {
  const sets = [change_set_ids ?? []].flat()
  if (!sets.length) return void say(text)
  const id = `undo-${sets[0]}`
  const undo = () => {
    notifications.hide(id)
    void undoChangeSets(sets)
  }
  shown.push({ id, undo })
  for (const { id: oldest } of shown.slice(0, -mostShown)) notifications.hide(oldest)
  notifications.show({
    id,
    message: createElement(UndoMessage, { text, undo }),
    color: 'pine',
    autoClose: shownMs,
    closeButtonProps,
    onClose: () => {
      shown = shown.filter((one) => one.id !== id)
    },
  })
}

/** It was taken back elsewhere: the notice offers it no longer. */
export const withdrawUndo = (change_set_ids: string[]) => {
  for (const id of change_set_ids) notifications.hide(`undo-${id}`)
}

/** For Ctrl-Z: takes back what was done last, as long as that is on screen. */
export function undoLast() {
  const last = shown.at(-1)
  last?.undo()
  return last !== undefined
}

/** A change set holds at most a hundred records, and a call undoes at most a thousand. */
const setsAtOnce = 10

export const undoChangeSet = (change_set_id: string) => undoChangeSets([change_set_id])

/** The newest first, for they may build on the others. */
export async function undoChangeSets(sets: string[]) {
  try {
    let undone = 0
    let isJob = false
    const left: { reason: string }[] = []
    for (let end = sets.length; end > 0; end -= setsAtOnce) {
      const answer = await api.undoChanges({ change_set_ids: sets.slice(Math.max(0, end - setsAtOnce), end) })
      undone += answer.undone
      if (answer.job_id) jobStarted(answer.job_id)
      isJob ||= answer.job_id !== null
      left.push(...answer.left)
    }
    // The notice about a job comes when it is over.
    if (isJob) return
    if (!left.length) return void say('Undone.')
    const title = undone ? 'Undone in part' : 'Nothing was undone'
    const message = [...new Set(left.map(({ reason }) => reason))].join('. ')
    notifications.show({ title, message, color: 'yellow', autoClose: 10_000, closeButtonProps })
  } catch (error) {
    complain('This could not be undone', error)
  } finally {
    void recordsChanged(queryClient)
    void queryClient.invalidateQueries({ queryKey: ['jobs'] })
  }
}
