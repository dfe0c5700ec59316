import { fitting } from '../../../records/list-search.ts'
import { cellId, headRow } from './use-active.ts'

const widestFit = 640

/** As wide as its widest cell in sight, for which the column is let go for a moment. */
export function fittedWidth(key: string) {
  const head = document.getElementById(cellId({ id: headRow, key }))
  const grid = head?.closest<HTMLElement>('[role="grid"]')
  if (!head || !grid) return undefined
  const name = `--w-${key}`
  const before = grid.style.getPropertyValue(name)
  grid.style.setProperty(name, 'max-content')
  const cells = grid.querySelectorAll<HTMLElement>(`[aria-colindex="${head.ariaColIndex}"]`)
  const widths = [...cells].map(({ offsetWidth }) => offsetWidth)
  grid.style.setProperty(name, before)
  return fitting(Math.min(widestFit, Math.max(...widths) + 1))
}
