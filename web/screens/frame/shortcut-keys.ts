import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useChoose, useSignedIn } from '../../session.ts'
import { complain } from '../../ui/notices.ts'
import { areas } from './areas.ts'

const opened = new EventTarget()
export const openShortcuts = () => opened.dispatchEvent(new Event('open'))

/** Whether single keys do something, and a way to change that: here at once, and for the account. */
export function useShortcutsOn() {
  const { me } = useSignedIn()
  const choose = useChoose()
  const set = (shortcuts: boolean) =>
    choose({ shortcuts }, (error) => complain('Your choice about shortcuts was not kept', error))
  return [me.shortcuts, set] as const
}

/** `g` then a letter jumps to an area, `?` opens the list; silent in fields, dialogs and when switched off. */
export function useShortcutKeys(open: () => void) {
  const [on] = useShortcutsOn()
  const navigate = useNavigate()
  useEffect(() => {
    let goingUntil = 0
    const press = (event: KeyboardEvent) => {
      if (!on || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target))
        return
      if (event.key === '?') return open()
      const area = Date.now() < goingUntil ? areas.find(({ key }) => key === event.key.toLowerCase()) : undefined
      goingUntil = event.key === 'g' ? Date.now() + 1500 : 0
      if (!area) return
      event.preventDefault()
      void navigate({ to: area.to })
    }
    window.addEventListener('keydown', press)
    opened.addEventListener('open', open)
    return () => {
      window.removeEventListener('keydown', press)
      opened.removeEventListener('open', open)
    }
  }, [on, open, navigate])
}

const typing = 'input:not([type=checkbox], [type=radio]), textarea, select, [role="dialog"], [role="menu"]'

function isBusy(target: EventTarget | null) {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.closest(typing) !== null
}
