import { createStore, useStore } from '../../client/store.ts'

/** The language and the time zone that numbers and times on this page are written in. */
export const formatsInUse = createStore('')

/** For rows that are drawn again only when what they show changes: they also are when it has to be written differently. */
export const useFormats = () => useStore(formatsInUse)
