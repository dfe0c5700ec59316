// Quick create is drawn once, in the frame; anything may ask for it.
import type { Values } from './update-record.ts'

export type ToCreate = { object?: string | undefined; values?: Values | undefined }

const asked = new EventTarget()

/** `values`: what the new record begins with, such as the record that it is to lead to. */
export const openCreate = (object?: string, values?: Values) =>
  asked.dispatchEvent(new CustomEvent<ToCreate>('create', { detail: { object, values } }))

export function hearCreate(listener: (asked: ToCreate) => void) {
  const hear = (event: Event) => listener((event as CustomEvent<ToCreate>).detail)
  asked.addEventListener('create', hear)
  return () => asked.removeEventListener('create', hear)
}
