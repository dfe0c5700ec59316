// The merge dialog is drawn once, in the frame; anything may ask for it.
import { createStore } from '../../client/store.ts'

/** `areFound`: they were found as duplicates of the first. `onDone`: they are merged, or marked as different. */
export type ToMerge = { object: string; ids: string[]; areFound?: boolean; onDone?: () => void }

/** What is to be merged, if anything. */
export const toMerge = createStore<ToMerge | undefined>(undefined)

/** With a single record, the dialog first asks for another one. */
export const openMerge = (asked: ToMerge) => toMerge.set(asked)
