import type { Changed } from '../../../kernel/context.ts'

/** A change to undo. */
export type PastChange = Pick<Changed, 'object' | 'record_id' | 'action' | 'fields'> & {
  change_set_id: string
  version: number | null
  /** Of its change set. */
  operation: string
  /** The change set that undid it before. */
  undone_by: string | null
}

/** What is not undone, and why. */
export type Left = { record_id: string; field: string | null; reason: string }

export const alreadyUndone = 'It is already undone'
