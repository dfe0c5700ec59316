// What this user did in this tab, so that Ctrl+Z takes it back step by step, also after a reload.
import { queryClient } from '../client/queries.ts'
import { type Session, sessionQuery } from '../client/session.ts'

/** `said`: what was done, as a sentence. Several change sets are undone together. */
export type Step = { said: string; change_set_ids: string[] }

const mostSteps = 100

export const pushStep = (step: Step) => write([...read(), step].slice(-mostSteps))

export function popStep(): Step | undefined {
  const steps = read()
  const last = steps.pop()
  write(steps)
  return last
}

/** These were undone elsewhere. */
export const dropSteps = (change_set_ids: string[]) =>
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
