// A question to the person at the screen, asked from code that draws nothing itself.

import type { RecordShape } from './records-api.ts'
import type { Values } from './update-record.ts'

export type Conflict = {
  object: string
  theirs: RecordShape
  mine: Values
  /** What of mine to write over theirs; null: keep theirs. */
  answer: (values: Values | null) => void
}

let ask: ((conflict: Conflict) => void) | undefined

/** The frame draws the dialog; see conflict-dialog.tsx. */
export function hearConflicts(listener: (conflict: Conflict) => void) {
  ask = listener
  return () => {
    if (ask === listener) ask = undefined
  }
}

export const askAboutConflict = (object: string, theirs: RecordShape, mine: Values) =>
  new Promise<Values | null>((answer) => {
    if (ask) ask({ object, theirs, mine, answer })
    else answer(null)
  })
