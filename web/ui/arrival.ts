import { useEffect } from 'react'

let awaited = false

const typedIn = ':is(main, [role="dialog"]) :is(input, textarea, [contenteditable])'

/** Not away from where somebody types already: in the palette, or in a page that has just come. */
export function focusHeading() {
  if (document.activeElement?.matches(typedIn)) return
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
