import type { KeyboardEvent } from 'react'
import type { Shown } from '../../../records/lists/use-columns.ts'
import { isFree, useKeys } from '../../../ui/basics/keys.ts'
import { type Active, headRow, markColumn } from './use-grid-scroll.ts'

type Actions = {
  active: Active
  columns: Shown[]
  pageRows: number
  toStart: () => void
  toEnd: () => void
  open: (id: string) => void
  begin: (id: string, key: string, typed?: string) => boolean
  empty: (id: string, key: string) => void
  copy: () => void
  fillDown: () => void
  openCellMenu: () => void
  toggle: (id: string, isRange: boolean) => void
  selectLoaded: () => void
  /** True when something was marked. */
  unmark: () => boolean
  remove: () => void
  sort: (key: string, isAdded: boolean) => void
  openMenu: (key: string) => void
  moveColumn: (key: string, by: number) => void
}

/** Before anything has the focus, these keys already go to the list. */
export function useFreeKeys(keys: Record<string, () => void>, focus: () => void) {
  const entries = Object.entries(keys).map(([key, act]): [string, () => unknown] => [
    key,
    () => {
      if (!isFree()) return false
      focus()
      act()
    },
  ])
  useKeys(Object.fromEntries(entries))
}

/** What the keys do in the grid: true when the key had a meaning. */
export function pressed(event: KeyboardEvent, actions: Actions) {
  const isDone = event.ctrlKey || event.metaKey ? withControl(event, actions) : plain(event, actions)
  if (isDone) event.preventDefault()
}

function withControl(event: KeyboardEvent, actions: Actions) {
  const { active } = actions.active
  const isRow = active && active.id !== headRow
  switch (event.key) {
    case 'a':
      actions.selectLoaded()
      return true
    case 'c':
      if (!isRow || getSelection()?.toString()) return false
      actions.copy()
      return true
    case 'd':
      if (!isRow) return false
      actions.fillDown()
      return true
    case 'Enter':
      if (!isRow) return false
      actions.open(active.id)
      return true
    case 'Home':
      actions.toStart()
      return true
    case 'End':
      actions.toEnd()
      return true
    case 'Delete':
    case 'Backspace':
      actions.remove()
      return true
    case 'ArrowLeft':
    case 'ArrowRight':
      if (!event.shiftKey || !active) return false
      actions.moveColumn(active.key, event.key === 'ArrowLeft' ? -1 : 1)
      return true
    default:
      return false
  }
}

const steps: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

function plain(event: KeyboardEvent, actions: Actions): boolean {
  const { active, move, row } = actions.active
  if (!active) return false
  const step = steps[event.key]
  if (step && !event.altKey) {
    const isOnRow = event.shiftKey && active.id !== headRow
    if (isOnRow && active.key !== markColumn) {
      actions.active.extend(...step)
      return true
    }
    if (isOnRow && step[0]) actions.toggle(active.id, true)
    move(...step)
    return true
  }
  if (event.key === 'Escape') return actions.unmark()
  if (active.id === headRow) return onHead(event, actions, active.key)
  if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
    actions.openCellMenu()
    return true
  }
  switch (event.key) {
    case 'Home':
      actions.toStart()
      return true
    case 'End':
      actions.toEnd()
      return true
    case 'PageUp':
    case 'PageDown':
      actions.active.toRow(Math.max(0, row + (event.key === 'PageUp' ? -actions.pageRows : actions.pageRows)))
      return true
    case ' ':
      actions.toggle(active.id, event.shiftKey)
      return true
    case 'Enter':
      if (active.key === 'title' || !actions.begin(active.id, active.key)) actions.open(active.id)
      return true
    case 'F2':
      return actions.begin(active.id, active.key)
    case 'Delete':
    case 'Backspace':
      actions.empty(active.id, active.key)
      return true
    default:
      // A slash leads to the search.
      if ([...event.key].length !== 1 || event.altKey || active.key === markColumn || event.key === '/') return false
      return actions.begin(active.id, active.key, event.key)
  }
}

function onHead(event: KeyboardEvent, actions: Actions, key: string) {
  const opensMenu = event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey) || event.altKey
  if (key === markColumn) {
    if (event.key !== ' ' && event.key !== 'Enter') return false
    actions.selectLoaded()
    return true
  }
  if (opensMenu && (event.key === 'ArrowDown' || !event.altKey)) {
    actions.openMenu(key)
    return true
  }
  if (event.key === 'Enter' || event.key === ' ') {
    actions.sort(key, event.shiftKey)
    return true
  }
  if (event.key === 'End') actions.toEnd()
  return event.key === 'End'
}
