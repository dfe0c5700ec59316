import { notifications } from '@mantine/notifications'
import { createElement } from 'react'
import { ApiError, api } from '../../client/api.ts'
import { jobStarted } from '../../client/jobs.ts'
import { queryClient } from '../../client/queries.ts'
import { type Session, sessionQuery } from '../../client/session.ts'
import { complain, say, UndoMessage } from '../../ui/basics/notices.tsx'
import { recordsChanged } from './record-cache.ts'

const shownMs = 8000
const closeButtonProps = { 'aria-label': 'Dismiss' }
/** More would wait their turn, and tell of things long past. */
const mostShown = 2
/** `about`: the records that it changed. */
let shown: { id: string; about: string[] }[] = []

/**
 * Says what was done, with a way back on the notice for some seconds, and by Ctrl+Z for the whole session. An older
 * notice about one of the same records goes: what it offers to undo was changed again.
 */
export function saidAndUndoable(text: string, change_set_ids: string | string[] | null, about: string[] = []) {
  hideOlder(about)
  const sets = [change_set_ids ?? []].flat()
  if (!sets.length) return void say(text)
  pushStep({ said: text, change_set_ids: sets })
  const id = noticeOf(sets[0]!)
  const undo = () => {
    notifications.hide(id)
    dropSteps(sets)
    void undoChangeSets(sets)
  }
  shown.push({ id, about })
  for (const oldest of shown.slice(0, -mostShown)) notifications.hide(oldest.id)
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

/** Changed before the eyes of the user: no notice, but a step for Ctrl+Z. */
export function quietlyUndoable(said: string, change_set_id: string, about: string[]) {
  hideOlder(about)
  pushStep({ said, change_set_ids: [change_set_id] })
}

function hideOlder(about: string[]) {
  for (const older of shown) if (older.about.some((id) => about.includes(id))) notifications.hide(older.id)
}

const noticeOf = (change_set_id: string) => `undo-${change_set_id}`

/** It was undone elsewhere: neither the notice nor Ctrl+Z offers it any longer. */
export const withdrawUndo = (change_set_ids: string[]) => {
  for (const id of change_set_ids) notifications.hide(noticeOf(id))
  dropSteps(change_set_ids)
}

const isSaving = () =>
  queryClient.isMutating({ mutationKey: ['records'], predicate: ({ state }) => !state.isPaused }) > 0

/** For Ctrl+Z: undoes the last step of this session, and says what that was. */
export async function undoLast() {
  // What is still being saved is the last step.
  for (let tries = 0; isSaving() && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 100))
  const step = popStep()
  if (!step) return void say('Nothing to undo. Older changes are in Profile, My changes.')
  notifications.hide(noticeOf(step.change_set_ids[0]!))
  const isSent = await undoChangeSets(step.change_set_ids, `Undone: ${step.said}`)
  if (!isSent) pushStep(step)
}

/** A change set holds at most a hundred records, and a call undoes at most a thousand. */
const setsAtOnce = 10

export const undoChangeSet = (change_set_id: string) => undoChangeSets([change_set_id])

/** The newest first, for they may build on the others. Answers whether the server could be asked. */
export async function undoChangeSets(sets: string[], said = 'Undone.') {
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
    if (isJob) return true
    if (!left.length) {
      say(said)
      return true
    }
    const title = undone ? 'Partly undone' : 'Nothing was undone'
    const message = [...new Set(left.map(({ reason }) => reason))].join('. ')
    notifications.show({ title, message, color: 'yellow', autoClose: 10_000, closeButtonProps })
    return true
  } catch (error) {
    complain('This could not be undone', error)
    return !(error instanceof ApiError && error.isAway)
  } finally {
    void recordsChanged(queryClient)
    void queryClient.invalidateQueries({ queryKey: ['jobs'] })
  }
}

// What this user did in this tab, so that Ctrl+Z takes it back step by step, also after a reload.

/** `said`: what was done, as a sentence. Several change sets are undone together. */
export type Step = { said: string; change_set_ids: string[] }

const mostSteps = 100

const pushStep = (step: Step) => write([...read(), step].slice(-mostSteps))

function popStep(): Step | undefined {
  const steps = read()
  const last = steps.pop()
  write(steps)
  return last
}

/** These were undone elsewhere. */
const dropSteps = (change_set_ids: string[]) =>
  write(read().filter((step) => !step.change_set_ids.some((id) => change_set_ids.includes(id))))

/** Another user of the same tab has another stack. */
function place() {
  const session = queryClient.getQueryData<Session>(sessionQuery.queryKey)
  return session?.state === 'signed_in' ? `kith.undo.${session.me.id}` : undefined
}

function read(): Step[] {
  try {
    return JSON.parse(sessionStorage.getItem(place() ?? '') ?? '[]')
  } catch {
    return []
  }
}

function write(steps: Step[]) {
  const key = place()
  try {
    if (key) sessionStorage.setItem(key, JSON.stringify(steps))
  } catch {
    // A browser that keeps nothing still has the notices and the history.
  }
}
