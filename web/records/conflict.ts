// A question to the person at the screen, asked from code that draws nothing itself.

import type { RecordShape } from './records-api.ts'
import type { Values } from './update-record.ts'

export type Conflict = {
  /** Two conflicts of one record are two questions. */
  number: number
  object: string
  theirs: RecordShape
  mine: Values
  /** What of mine to write over theirs; null: keep theirs. */
  answer: (values: Values | null) => void
}

let count = 0
let ask: ((conflict: Conflict) => void) | undefined

/** The frame draws the dialog; see conflict-dialog.tsx. */
export function hearConflicts(listener: (conflict: Conflict) => void) {
  ask = listener
  return () => {
    if (ask === listener) ask = undefined
  }
}

export const askAboutConflict = (object: string, theirs: RecordShape, mine: Values) =>
  new Promise<Values | null>((answer, fail) => {
    if (ask) ask({ number: ++count, object, theirs, mine, answer })
    // Without the dialog, the value is refused and stays in its field.
    else fail(new Error('Someone else changed this value. Reload the page to compare both.'))
  })
