import { useEffect, useState } from 'react'

/** What stands on the key that goes with shortcuts. */
export const modKey = /mac|iphone|ipad/i.test(navigator.platform) ? '⌘' : 'Ctrl'

/** Back to where one was before this was drawn; when that is gone or switched off, to the heading of the page. */
export function useFocusBack() {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      const back = canTakeFocus(before) ? before : document.querySelector<HTMLElement>('h1')
      back?.focus({ preventScroll: true })
    },
    [before],
  )
}

const canTakeFocus = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLElement &&
  element !== document.body &&
  element.checkVisibility() &&
  !element.matches(':disabled, [data-disabled]')

let awaited = false

const typedIn = ':is(main, [role="dialog"]) :is(input, textarea, [contenteditable])'

/** A list whose entries open beside it: the focus stays in it, so that the arrow keys go on. */
const keepsFocus = '[data-keeps-focus]'

/** Does not take the focus from a field in which the user is already typing, in the palette or on a new page. */
export function focusHeading() {
  if (document.activeElement?.matches(typedIn) || document.activeElement?.closest(keepsFocus)) return
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

/** Fingers know no keys. */
export const hasKeyboard = () => !matchMedia('(hover: none)').matches
