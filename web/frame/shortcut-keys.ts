import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useShortcutsOn } from '../account/choices.ts'
import { areas } from '../client/areas.ts'
import { openFilter } from '../records/filter/open-filter.ts'
import { openCreate } from '../records/open-create.ts'
import { undoLast } from '../records/undo-toast.ts'
import { openPalette } from './palette/open-palette.ts'

const opened = new EventTarget()
export const openShortcuts = () => opened.dispatchEvent(new Event('open'))

/**
 * `g` then a letter jumps to an area, `c` creates, `f` filters a list, `?` opens the list: silent in fields, dialogs and when switched off.
 * Keys with Ctrl or Cmd cannot be pressed by mistake and always work.
 */
export function useShortcutKeys(open: () => void) {
  const [on] = useShortcutsOn()
  const navigate = useNavigate()
  useEffect(() => {
    let goingUntil = 0
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return
      if (event.ctrlKey || event.metaKey) return withControl(event)
      if (!on || isBusy(event.target)) return
      if (event.key === '?') return open()
      const area = Date.now() < goingUntil ? areas.find(({ key }) => key === event.key.toLowerCase()) : undefined
      goingUntil = event.key === 'g' ? Date.now() + 1500 : 0
      if (area) void navigate({ to: area.to })
      else if (event.key === 'c') openCreate()
      else if (event.key !== 'f' || !openFilter()) return
      event.preventDefault()
    }
    window.addEventListener('keydown', press)
    opened.addEventListener('open', open)
    return () => {
      window.removeEventListener('keydown', press)
      opened.removeEventListener('open', open)
    }
  }, [on, open, navigate])
}

/** Ctrl+K finds anything, Ctrl+Z undoes step by step what was done in this session. */
function withControl(event: KeyboardEvent) {
  const key = event.key.toLowerCase()
  if (event.shiftKey || document.querySelector('[role="dialog"][aria-modal="true"]')) return
  if (key === 'k') {
    event.preventDefault()
    openPalette()
  }
  if (key === 'z' && !isBusy(event.target)) {
    event.preventDefault()
    void undoLast()
  }
}

const typing = 'input:not([type=checkbox], [type=radio]), textarea, select, [role="dialog"], [role="menu"]'

function isBusy(target: EventTarget | null) {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.closest(typing) !== null
}
