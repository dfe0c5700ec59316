// A record that is created where another one is to be linked to it. The dialog is drawn once, in the frame, so that forms
// and cells can ask for it; the caller waits for what was created.
import { createStore } from '../../client/store.ts'
import type { Titled } from './records-api.ts'
import type { ObjectShape } from './schema.ts'
import type { Values } from './update-record.ts'

/** `begin`: what the new record shares with the form around it. */
type Asked = { object: string; title: string; begin: Values; answer: (made: Titled | undefined) => void }

export const askedInPlace = createStore<Asked | undefined>(undefined)

/** Nothing if the dialog was closed. */
export const createInPlace = (object: string, title: string, begin: Values = {}) =>
  new Promise<Titled | undefined>((resolve) =>
    askedInPlace.set({
      object,
      title,
      begin,
      answer: (made) => {
        if (made) createdInPlace.set([...createdInPlace.get(), made])
        askedInPlace.set(undefined)
        resolve(made)
      },
    }),
  )

/** While its dialog has the focus, a cell has not been left. */
export const isCreatingInPlace = () => askedInPlace.get() !== undefined

/** What was created in the open form, which stays even if the form is closed. */
export const createdInPlace = createStore<Titled[]>([])

/** What was typed, as the values it most likely means. */
export function valuesFromTitle({ titleField, byKey }: ObjectShape, title: string): Values {
  const unique = [...byKey.values()].find(({ is_unique, is_multi }) => is_unique && is_multi)
  if (unique?.type === 'email' && /^\S+@\S+\.\S+$/.test(title)) return { [unique.key]: [title] }
  if (titleField?.type === 'text') return { [titleField.key]: title }
  if (!byKey.has('first_name') || !byKey.has('last_name')) return {}
  const words = title.split(/\s+/)
  return words.length === 1
    ? { first_name: title }
    : { first_name: words.slice(0, -1).join(' '), last_name: words.at(-1) }
}
