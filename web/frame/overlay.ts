// The palette and the list of shortcuts are drawn once, in the frame; anything may open them.
import { createStore } from '../client/store.ts'

export const overlay = createStore<'palette' | 'shortcuts' | undefined>(undefined)

export const openPalette = () => overlay.set('palette')
export const openShortcuts = () => overlay.set('shortcuts')
export const closeOverlay = () => overlay.set(undefined)
