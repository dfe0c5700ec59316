import { useEffect } from 'react'

let awaited = false

/** Not away from a dialog in which somebody types already, such as the palette. */
export function focusHeading() {
  if (document.activeElement?.matches('[role="dialog"] input')) return
  document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
}

/** A screen reader follows focus: after a move inside the app it starts at the new page's heading. */
export function arrive() {
  awaited = !document.querySelector('h1')
  focusHeading()
}

/** A page that had to load first takes the focus once its heading is there. */
export function useArrival() {
  useEffect(() => {
    if (awaited) focusHeading()
    awaited = false
  }, [])
}
