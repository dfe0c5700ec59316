// A question to the person at the screen, asked from code that draws nothing itself.
import { createStore } from '../../client/store.ts'
import type { RecordShape } from './records-api.ts'
import type { Values } from './update-record.ts'

export type Conflict = {
  /** Two conflicts of one record are two questions. */
  number: number
  object: string
  theirs: RecordShape
  mine: Values
  /** Who wrote theirs, and when. */
  by: { name: string; at: string } | undefined
  /** What of mine to write over theirs; null: keep theirs. */
  answer: (values: Values | null) => void
}

let count = 0

/** Those that wait for an answer. The frame draws the dialog; see conflict-dialog.tsx. */
export const conflicts = createStore<Conflict[]>([])

export const askAboutConflict = (object: string, theirs: RecordShape, mine: Values, by: Conflict['by']) =>
  new Promise<Values | null>((done) => {
    const answer = (values: Values | null) => {
      conflicts.set(conflicts.get().filter((one) => one !== conflict))
      done(values)
    }
    const conflict = { number: ++count, object, theirs, mine, by, answer }
    conflicts.set([...conflicts.get(), conflict])
  })
