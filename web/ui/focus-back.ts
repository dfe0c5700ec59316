import { useEffect, useState } from 'react'

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
