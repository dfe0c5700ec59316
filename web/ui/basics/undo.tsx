// What was done, with a way back: on a notice for some seconds, and step by step by a key.
import { notifications } from '@mantine/notifications'
import { notify, say, UndoMessage } from './notices.tsx'

/** `said`: what was done, as a sentence. `way`: what it takes to undo it. */
export type Step<Way> = { id: string; said: string; way: Way }

type Stack<Way> = {
  /** Called with the sentence if a key asked. False: the server could not be asked, so the step stays. */
  undo: (way: Way, said?: string) => Promise<boolean>
  /** What the key says if there is no step. */
  nothing: string
  steps: Steps<Way>
  /** More notices would wait their turn, and tell of things long past. */
  mostShown?: number
}

type Options = {
  /** The records that it changed. An older notice about one of them goes: what it offers to undo was changed again. */
  about?: string[]
  /** Then there is no way back, so that the notice ends even while the pointer is on it. */
  endsAfter?: number
  /** Changed before the eyes of the user: a step, but no notice. */
  isQuiet?: boolean
}

type Steps<Way> = { read: () => Step<Way>[]; write: (steps: Step<Way>[]) => void }

const shownMs = 8000
const mostSteps = 100
let count = 0

export function createUndo<Way>({ undo, nothing, steps, mostShown }: Stack<Way>) {
  let shown: { id: string; about: string[] }[] = []

  function drop(of: (step: Step<Way>) => boolean) {
    const dropped = steps.read().filter(of)
    for (const { id } of dropped) notifications.hide(id)
    if (dropped.length) steps.write(steps.read().filter((step) => !of(step)))
  }

  const push = (step: Step<Way>) => steps.write([...steps.read(), step].slice(-mostSteps))

  return {
    /** Says what was done. The answer takes the offer back. */
    undoable(said: string, way: Way, { about = [], endsAfter, isQuiet }: Options = {}) {
      const id = `undo-${Date.now()}-${count++}`
      const withdraw = () => drop((step) => step.id === id)
      for (const older of shown) if (older.about.some((one) => about.includes(one))) notifications.hide(older.id)
      push({ id, said, way })
      if (endsAfter !== undefined) setTimeout(withdraw, endsAfter)
      if (isQuiet) return withdraw
      shown.push({ id, about })
      if (mostShown) for (const oldest of shown.slice(0, -mostShown)) notifications.hide(oldest.id)
      const undoThis = () => {
        withdraw()
        void undo(way)
      }
      notify({
        id,
        message: <UndoMessage text={said} undo={undoThis} />,
        color: 'pine',
        autoClose: endsAfter === undefined ? shownMs : false,
        onClose: () => {
          shown = shown.filter((one) => one.id !== id)
        },
      })
      return withdraw
    },
    /** These were undone elsewhere: neither a notice nor the key offers them any longer. */
    withdraw: (of: (way: Way) => boolean) => drop(({ way }) => of(way)),
    async undoLast() {
      const last = steps.read().at(-1)
      if (!last) return void say(nothing)
      drop(({ id }) => id === last.id)
      if (!(await undo(last.way, last.said))) push(last)
    },
  }
}

/** As long as the page is open. */
export function inMemory<Way>(): Steps<Way> {
  let steps: Step<Way>[] = []
  return {
    read: () => steps,
    write: (next) => {
      steps = next
    },
  }
}

/** As long as the tab is open, also after a reload. */
export const inTab = <Way,>(place: () => string | undefined): Steps<Way> => ({
  read() {
    try {
      return JSON.parse(sessionStorage.getItem(place() ?? '') ?? '[]')
    } catch {
      return []
    }
  },
  write(steps) {
    const key = place()
    try {
      if (key) sessionStorage.setItem(key, JSON.stringify(steps))
    } catch {
      // A browser that keeps nothing still has the notices and the history.
    }
  },
})
