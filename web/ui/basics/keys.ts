// Keys that are pressed anywhere on a page. A key is written `j`, `?` or `Enter`, with others `Shift+r`, `Alt+ArrowUp` or
// `Mod+z` (Ctrl or Cmd), and after g `g d`.
import { useEffect, useEffectEvent } from 'react'

/** False: the key has no meaning now. */
export type Keys = Record<string, ((event: KeyboardEvent) => unknown) | undefined>

type Options = {
  /** Before everything else that hears keys, such as those of the frame. */
  isFirst?: boolean
  when?: () => boolean
  /** These also work in fields, dialogs and menus. */
  inFields?: string[]
}

/** They have meanings of their own for keys. */
const fields = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]'
const busy = `${fields}, [role=dialog], [role=menu], [role=listbox]`
const modal = '[aria-modal=true]'

const isBusy = (target: EventTarget | null) => target instanceof Element && target.closest(busy) !== null

/** Nothing has the focus but the heading, where one arrives, or what matches. */
export function isFree(but = 'h1') {
  const now = document.activeElement
  return now === document.body || now?.matches(but)
}

let hasSingleKeys = true
/** Users who dictate, or whose other tools use single keys, switch them off. Keys with Ctrl or Cmd always work. */
export const setSingleKeys = (isOn: boolean) => {
  hasSingleKeys = isOn
}

/** How long g waits for its letter, which means nothing else meanwhile. */
const goingMs = 1500
let goingUntil = 0

/** Single keys are silent in fields, dialogs and menus, and when they are switched off. */
export function useKeys(keys: Keys, { isFirst = false, when, inFields = [] }: Options = {}) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || when?.() === false) return
    const stroke = strokeOf(event)
    const act = Object.hasOwn(keys, stroke) ? keys[stroke] : undefined
    if (!act || (!hasSingleKeys && event.key.length === 1 && !/Mod|Alt/.test(stroke))) return
    if (isBusy(event.target) && !inFields.includes(stroke)) return
    if (document.querySelector(modal) || act(event) === false) return
    event.preventDefault()
  })
  useEffect(() => {
    window.addEventListener('keydown', press, isFirst)
    return () => window.removeEventListener('keydown', press, isFirst)
  }, [isFirst])
}

let heard: KeyboardEvent | undefined
let stroke = ''

/** The same for all who hear it, though the first of them ends the wait after g. */
function strokeOf(event: KeyboardEvent) {
  if (event !== heard) stroke = written(event)
  heard = event
  return stroke
}

function written({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent) {
  const isLetter = /^[a-z]$/i.test(key)
  const name = isLetter ? key.toLowerCase() : key
  const shifted = shiftKey && (isLetter || key.length > 1) ? `Shift+${name}` : key
  if (ctrlKey || metaKey) return `Mod+${altKey ? 'Alt+' : ''}${shiftKey ? shifted : name}`
  if (altKey) return `Alt+${shifted}`
  if (isBusy(target)) return shifted
  const isGoing = Date.now() < goingUntil
  goingUntil = key === 'g' && hasSingleKeys ? Date.now() + goingMs : 0
  return isGoing ? `g ${name}` : shifted
}
