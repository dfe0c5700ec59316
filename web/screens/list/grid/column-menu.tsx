import { Menu } from '@mantine/core'
import {
  ArrowDownAZ,
  ArrowLeft,
  ArrowRight,
  ArrowUpAZ,
  ChevronsLeftRight,
  ChevronsRightLeft,
  EyeOff,
  MoveHorizontal,
  Pin,
  PinOff,
  Sigma,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { fitting } from '../../../records/lists/list-search.ts'
import { canSort, changed, named, type Shown } from '../../../records/lists/use-columns.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import { pinned, stepped } from '../tools/column-choice.tsx'
import { orderWords } from '../tools/sort-choice.tsx'
import { CalculationItems } from './grid-foot.tsx'
import { cellId, headRow } from './use-grid-scroll.ts'

type Props = {
  column: Shown
  state: ListState
  onClose: () => void
  children: ReactNode
}

const step = 40

/** All that can be done with a column, for those who do not drag. It is open as long as it is there. */
export function ColumnMenu({ column, state, onClose, children }: Props) {
  const { key, field } = column
  const put = (columns: ListState['columns']) => state.change({ columns })
  const [up, down] = orderWords(field)
  const item = (label: string, icon: ReactNode, act: () => void) => (
    <Menu.Item leftSection={icon} onClick={act}>
      {label}
    </Menu.Item>
  )
  return (
    <Menu
      opened
      onChange={(isOpen) => isOpen || onClose()}
      position="bottom-start"
      width={200}
      returnFocus={false}
      // Not keys: the one that opens it would close it at once.
      clickOutsideEvents={['mousedown', 'touchstart']}
    >
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown aria-label={`Column ${field.label}`}>
        {canSort(field) && (
          <>
            {item(`Sort ${up}`, <ArrowDownAZ size={14} />, () => state.change({ sort: [key] }))}
            {item(`Sort ${down}`, <ArrowUpAZ size={14} />, () => state.change({ sort: [`-${key}`] }))}
            <Menu.Divider />
          </>
        )}
        {item('Move left', <ArrowLeft size={14} />, () => put(stepped(state.columns, key, -1)))}
        {item('Move right', <ArrowRight size={14} />, () => put(stepped(state.columns, key, 1)))}
        {column.pinned
          ? item('Unpin', <PinOff size={14} />, () => put(pinned(state.columns, key, false)))
          : item('Pin to the left', <Pin size={14} />, () => put(pinned(state.columns, key, true)))}
        {item('Wider', <ChevronsLeftRight size={14} />, () =>
          put(changed(state.columns, key, { width: fitting(column.width + step) })),
        )}
        {item('Narrower', <ChevronsRightLeft size={14} />, () =>
          put(changed(state.columns, key, { width: fitting(column.width - step) })),
        )}
        {item('Fit to content', <MoveHorizontal size={14} />, () =>
          put(changed(state.columns, key, { width: fittedWidth(key) })),
        )}
        {column.calculations.length > 0 && (
          <Menu.Sub>
            <Menu.Sub.Target>
              <Menu.Sub.Item leftSection={<Sigma size={14} />}>Calculate</Menu.Sub.Item>
            </Menu.Sub.Target>
            <Menu.Sub.Dropdown aria-label={`Calculate ${field.label}`}>
              <CalculationItems column={column} state={state} />
            </Menu.Sub.Dropdown>
          </Menu.Sub>
        )}
        {key !== 'title' && (
          <>
            <Menu.Divider />
            {item('Hide', <EyeOff size={14} />, () => put(state.columns.filter((one) => one.key !== key)))}
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** As wide as its widest visible cell, measured with the column's width unset. */
export function fittedWidth(key: string) {
  const head = document.getElementById(cellId({ id: headRow, key }))
  const grid = head?.closest<HTMLElement>('[role="grid"]')
  if (!head || !grid) return undefined
  const name = `--w-${named(key)}`
  const before = grid.style.getPropertyValue(name)
  grid.style.setProperty(name, 'max-content')
  const cells = grid.querySelectorAll<HTMLElement>(`[aria-colindex="${head.ariaColIndex}"]`)
  const widths = [...cells].map(({ offsetWidth }) => offsetWidth)
  grid.style.setProperty(name, before)
  return fitting(Math.min(widestFit, Math.max(...widths) + 1))
}

export const widestFit = 640
