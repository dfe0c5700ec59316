import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { Ellipsis, GripVertical, Pencil, Trash2 } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import { gridColumns } from '../../../contract/shared/widget.ts'
import { IconButton } from '../../ui/basics/icon-button.tsx'
import { isBuiltIn } from './built-in-widgets.tsx'
import { isChart } from './chart-widget.tsx'
import css from './dashboard.module.css'
import type { Widget as Defined, WidgetAnswer } from './dashboard-api.ts'
import { type Move, moved, moveNames, moves, placed } from './moves.ts'
import { packed } from './places.ts'
import { titleOf, Widget } from './widget.tsx'

/** As in the style sheet. */
const [rowHeight, gap] = [92, 16]

export type Arranging = {
  onArrange: (widgets: Defined[]) => void
  onEdit: (widget: Defined) => void
  onRemove: (widget: Defined) => void
}

type Props = {
  widgets: Defined[]
  answers: WidgetAnswer[] | undefined
  /** Rows are as high as what is in them; only for widgets that stand in rows. */
  isFitted?: boolean
  arranging?: Arranging | undefined
}

/** The widgets in twelve columns. While they are arranged, each has a handle and a menu. */
export function Grid({ widgets, answers, isFitted = false, arranging }: Props) {
  const [draft, setDraft] = useState<Defined[]>()
  const [said, setSaid] = useState('')
  const grid = useRef<HTMLDivElement>(null)
  const held = useRef<string>(undefined)
  const shown = packed(draft ?? widgets)
  // A widget that changes places in the page loses the focus.
  useLayoutEffect(() => {
    if (held.current) grid.current?.querySelector<HTMLElement>(`[data-handle="${held.current}"]`)?.focus()
    held.current = undefined
  })
  const settle = (widget: Defined, next: Defined[]) => {
    const now = next.find(({ id }) => id === widget.id)
    if (!now || !arranging) return
    held.current = widget.id
    setSaid(`${titleOf(now)}: column ${now.x + 1}, row ${now.y + 1}, ${now.width} wide, ${now.height} high`)
    arranging.onArrange(next)
  }
  const drag = (widget: Defined, event: PointerEvent<HTMLElement>, isSize: boolean) => {
    const box = grid.current?.getBoundingClientRect()
    if (!box || event.button) return
    event.preventDefault()
    const handle = event.currentTarget
    const [fromX, fromY] = [event.clientX, event.clientY]
    const column = (box.width + gap) / gridColumns
    let next: Defined[] | undefined
    const controller = new AbortController()
    const end = (isKept: boolean) => {
      controller.abort()
      setDraft(undefined)
      if (isKept && next) settle(widget, next)
    }
    const listen = (name: string, on: (event: globalThis.PointerEvent & globalThis.KeyboardEvent) => void) =>
      window.addEventListener(name, on as EventListener, { signal: controller.signal })
    handle.focus()
    listen('pointermove', ({ clientX, clientY }) => {
      const across = Math.round((clientX - fromX) / column)
      const down = Math.round((clientY - fromY) / (rowHeight + gap))
      const { x, y, width, height } = widget
      const to = isSize
        ? { width: Math.min(width + across, gridColumns - x), height: height + down }
        : { x: x + across, y: y + down }
      next = placed(shown, widget.id, to)
      setDraft(next)
    })
    listen('pointerup', () => end(true))
    listen('pointercancel', () => end(false))
    listen('keydown', ({ key }) => key === 'Escape' && end(false))
  }
  return (
    <div className={css.around}>
      <div
        ref={grid}
        className={css.grid}
        data-arranging={arranging ? true : undefined}
        data-fitted={isFitted || undefined}
      >
        {shown.map((widget) => (
          <div
            key={widget.id}
            className={css.place}
            style={styleOf(widget)}
            data-wide={widget.width > 6 || undefined}
            data-chart={(isChart(widget) && widget.type !== 'number') || widget.type === 'forecast' || undefined}
            data-number={widget.type === 'number' || undefined}
          >
            <div className={css.inside} inert={arranging !== undefined}>
              <Widget of={widget} answer={answers?.find(({ id }) => id === widget.id)} isLoading={!answers} />
            </div>
            {arranging && (
              <Tools
                of={widget}
                onDrag={(event, isSize) => drag(widget, event, isSize)}
                onMove={(move) => settle(widget, moved(shown, widget.id, move))}
                {...arranging}
              />
            )}
          </div>
        ))}
      </div>
      {arranging && <VisuallyHidden role="status">{said}</VisuallyHidden>}
    </div>
  )
}

const byKey: Record<string, [Move, Move]> = {
  ArrowLeft: ['left', 'narrower'],
  ArrowRight: ['right', 'wider'],
  ArrowUp: ['up', 'shorter'],
  ArrowDown: ['down', 'taller'],
}

type ToolsProps = Arranging & {
  of: Defined
  onDrag: (event: PointerEvent<HTMLElement>, isSize: boolean) => void
  onMove: (move: Move) => void
}

function Tools({ of: widget, onDrag, onMove, onEdit, onRemove }: ToolsProps) {
  const title = titleOf(widget)
  const press = (event: KeyboardEvent) => {
    const found = byKey[event.key]
    if (!found || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    onMove(found[event.shiftKey ? 1 : 0])
  }
  return (
    <>
      <div className={css.tools}>
        <UnstyledButton
          className={css.handle}
          data-handle={widget.id}
          aria-label={`Move ${title}. Arrow keys move it, Shift and arrow keys change its size`}
          title="Drag to move"
          onKeyDown={press}
          onPointerDown={(event) => onDrag(event, false)}
        >
          <GripVertical size={16} />
        </UnstyledButton>
        <Menu position="bottom-end" width={180}>
          <Menu.Target>
            <IconButton icon={Ellipsis} label={`Arrange ${title}`} size={28} className={css.tool} />
          </Menu.Target>
          <Menu.Dropdown>
            {!isBuiltIn(widget.type) && (
              <Menu.Item leftSection={<Pencil size={14} />} onClick={() => onEdit(widget)}>
                Edit widget
              </Menu.Item>
            )}
            {moves.map((move) => (
              <Menu.Item key={move} closeMenuOnClick={false} onClick={() => onMove(move)}>
                {moveNames[move]}
              </Menu.Item>
            ))}
            <Menu.Divider />
            <Menu.Item leftSection={<Trash2 size={14} />} onClick={() => onRemove(widget)}>
              Remove
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      <span className={css.corner} aria-hidden="true" onPointerDown={(event) => onDrag(event, true)} />
    </>
  )
}

const styleOf = ({ x, y, width, height }: Defined) =>
  ({ '--x': x + 1, '--y': y + 1, '--width': width, '--height': height }) as CSSProperties
