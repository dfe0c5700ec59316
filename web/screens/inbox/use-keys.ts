import { useEffect, useEffectEvent, useRef } from 'react'
import { useShortcutsOn } from '../../account/choices.ts'
import { editorIsComing } from './compose/editor.tsx'

const busy =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"]'

/** What Enter opens or presses itself. The conversation that is shown is open already. */
const pressed = 'a:not([aria-current="true"]), button, input'

/** Other pages are reached by g and a letter, which then means nothing here. */
const goingMs = 1500

export type Keys = Record<string, () => void>

/** Single keys for triage, before those of the frame. Silent in fields, dialogs and when switched off. */
export function useKeys(keys: Keys) {
  const [isOn] = useShortcutsOn()
  const goingUntil = useRef(0)
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey) return
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z'
    if (!isUndo && (!isOn || event.ctrlKey || event.metaKey)) return
    if (event.target instanceof Element && event.target.closest(event.key === 'Enter' ? `${busy}, ${pressed}` : busy))
      return
    if (document.querySelector(`[role="dialog"][aria-modal="true"], ${editorIsComing}`)) return
    const isGoing = Date.now() < goingUntil.current
    goingUntil.current = event.key === 'g' ? Date.now() + goingMs : 0
    if (isGoing) return
    const act =
      keys[isUndo ? 'z' : event.shiftKey && /^[a-z]$/i.test(event.key) ? `Shift+${event.key.toLowerCase()}` : event.key]
    if (!act) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    window.addEventListener('keydown', press, { capture: true })
    return () => window.removeEventListener('keydown', press, { capture: true })
  }, [])
}
