import { ApiError, api } from '../../client/api.ts'
import { jobStarted } from '../../client/jobs.ts'
import { queryClient } from '../../client/queries.ts'
import { type Session, sessionQuery } from '../../client/session.ts'
import { complain, notify, say } from '../../ui/basics/notices.tsx'
import { createUndo, inTab } from '../../ui/basics/undo.tsx'
import { recordsChanged } from './record-cache.ts'

/** Another user of the same tab has another stack. */
function place() {
  const session = queryClient.getQueryData<Session>(sessionQuery.queryKey)
  return session?.state === 'signed_in' ? `kith.undone.${session.me.id}` : undefined
}

/** Records that were marked as different from each other, not duplicates. */
export type Different = { object: string; pairs: [id: string, others: string[]][] }
/** Several change sets are undone together. */
type Way = string[] | { sets: string[]; different: Different }

/** What this user did in this tab. */
const { undoable, withdraw, undoLast } = createUndo<Way>({
  undo: (way, said) => undoWay(way, said && `Undone: ${said}`),
  nothing: 'Nothing to undo. See older changes in Profile → My changes.',
  steps: inTab(place),
  mostShown: 2,
})

/** Says what was done, with a way back on the notice for some seconds, and by Ctrl+Z for the whole session. */
export function saidAndUndoable(text: string, change_set_ids: string | string[] | null, about: string[] = []) {
  const sets = [change_set_ids ?? []].flat()
  if (sets.length) undoable(text, sets, { about })
  else say(text)
}

/** The same for records that were marked as different, perhaps while others were merged. */
export const differentAndUndoable = (text: string, different: Different, change_set_id: string | null = null) =>
  void undoable(text, { sets: [change_set_id ?? []].flat(), different }, { about: different.pairs.flat(2) })

/** Changed before the eyes of the user: no notice, but a step for Ctrl+Z. */
export const quietlyUndoable = (said: string, change_set_id: string, about: string[]) =>
  void undoable(said, [change_set_id], { about, isQuiet: true })

export const withdrawUndo = (change_set_ids: string[]) =>
  withdraw((way) => setsOf(way).some((id) => change_set_ids.includes(id)))

const setsOf = (way: Way) => (Array.isArray(way) ? way : way.sets)

const isSaving = () =>
  queryClient.isMutating({ mutationKey: ['records'], predicate: ({ state }) => !state.isPaused }) > 0

/** For Ctrl+Z: undoes the last step of this session, and says what that was. */
export async function undoLastChange() {
  // What is still being saved is the last step.
  for (let tries = 0; isSaving() && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 100))
  await undoLast()
}

export async function markDifferent({ object, pairs }: Different, is_dismissed = true) {
  for (const [id, others] of pairs) await api.dismissDuplicates({ object, id, others, is_dismissed })
}

/** Records that come back from the trash are compared again, so they have to be back first. */
async function undoWay(way: Way, said = 'Undone.') {
  const sets = setsOf(way)
  if (Array.isArray(way)) return undoChangeSets(sets, said)
  if (sets.length && !(await undoChangeSets(sets, said))) return false
  try {
    await markDifferent(way.different, false)
    if (!sets.length) say(said)
    return true
  } catch (error) {
    complain('This could not be undone', error)
    return !(error instanceof ApiError && error.isAway)
  } finally {
    void recordsChanged(queryClient, way.different.object)
  }
}

/** A change set holds at most a hundred records, and a call undoes at most a thousand. */
const setsAtOnce = 10

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
    notify({ title, message, color: 'yellow', autoClose: 10_000 })
    return true
  } catch (error) {
    complain('This could not be undone', error)
    return !(error instanceof ApiError && error.isAway)
  } finally {
    void recordsChanged(queryClient)
    void queryClient.invalidateQueries({ queryKey: ['jobs'] })
  }
}
