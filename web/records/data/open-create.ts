// Quick create is drawn once, in the frame; anything may ask for it.
import { createStore } from '../../client/store.ts'
import type { Values } from './update-record.ts'

export type ToCreate = { object?: string | undefined; values?: Values | undefined }

/** What is being created, if anything. */
export const toCreate = createStore<ToCreate | undefined>(undefined)

/** `values`: what the new record begins with, such as the record that it is to lead to. */
export function openCreate(object?: string, values?: Values) {
  if (!toCreate.get()) toCreate.set({ object, values })
}
