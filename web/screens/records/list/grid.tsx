import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Onward } from '../../../records/field-editor.tsx'
import type { ObjectShape } from '../../../records/schema.ts'
import { textOf } from '../../../records/value-text.ts'
import { copyText } from '../../../ui/copy-text.ts'
import { useRights } from '../record/rights.ts'
import { stepped } from './column-order.ts'
import css from './grid.module.css'
import { GridHead } from './grid-head.tsx'
import { usePaste } from './grid-paste.ts'
import { GridRow, WaitingRow } from './grid-row.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { editedIn, shownColumns, valueIn } from './list-columns.ts'
import { usePasteBlock } from './paste-block.ts'
import { cellsOf, isBlock } from './pasted-cells.ts'
import type { RowActions } from './row-actions.ts'
import { nextSort } from './sorting.ts'
import { Unsent } from './unsent.tsx'
import { cellId, headRow, markColumn, useActive } from './use-active.ts'
import { useAnchor } from './use-anchor.ts'
import { useColumns } from './use-columns.ts'
import { useEditing } from './use-editing.ts'
import { pressed } from './use-grid-keys.ts'
import type { ListState } from './use-list-state.ts'
import { useParts } from './use-parts.ts'
import type { Rows } from './use-rows.ts'
import type { Selection } from './use-selection.ts'

type Props = {
  object: ObjectShape
  state: ListState
  rows: Rows
  /** How many match; nothing: not known yet, or only roughly. */
  count: number | undefined
  selection: Selection
  question: string
  onEnd: () => void
  onHome: () => void
  onRemove: () => void
}

const heights = { comfortable: 40, compact: 32 }
const headHeight = 36
const onTheirWay = 12
const firstOnTheirWay = 30

export function Grid({ object, state, rows, count, selection, question, onEnd, onHome, onRemove }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [menu, setMenu] = useState<string>()
  const rowHeight = heights[state.layout]
  const columns = useMemo(() => shownColumns(object, state.columns), [object, state.columns])
  const { style, width, pinnedWidth, isResizing, resize } = useColumns(columns, state)
  const keys = useMemo(() => [markColumn, ...columns.map(({ key }) => key)], [columns])
  const active = useActive(rows.rows, keys)
  const { indexOf } = active
  const before = rows.isFromEnd && !rows.isWhole ? onTheirWay : 0
  const after = rows.isLoading ? firstOnTheirWay : !rows.isFromEnd && !rows.isWhole ? onTheirWay : 0
  const note = useAnchor({
    scroller,
    rows: rows.rows,
    indexOf,
    before,
    rowHeight,
    question,
    isFromEnd: rows.isFromEnd,
    isOld: rows.isOld,
  })

  const focus = useCallback(() => scroller.current?.focus({ preventScroll: true }), [])
  const steps: Record<Onward, [number, number]> = { stay: [0, 0], next: [0, 1], previous: [0, -1], below: [1, 0] }
  const editing = useEditing(object, (onward) => {
    if (onward !== 'stay' || scroller.current?.contains(document.activeElement)) focus()
    active.move(...steps[onward])
  })

  // The cells that the keys act on, and the one being edited, stay in the page wherever one scrolls.
  const kept = [active.row, editing.edit && indexOf.get(editing.edit.id)].flatMap((row) =>
    row === undefined || row < 0 || !rows.rows.length ? [] : [row + before],
  )
  const answered = rows.isOld || rows.isLoading ? undefined : question
  const inSight = useRef(0)
  const drawn = useParts(answered, inSight)
  const virtual = useVirtualizer({
    count: before + rows.rows.length + after,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    overscan: drawn.beyond,
    rangeExtractor: (range: Range) => {
      const endIndex = Math.min(range.endIndex, range.startIndex + drawn.rows - 1)
      return [...new Set([...defaultRangeExtractor({ ...range, endIndex }), ...kept])].sort((a, b) => a - b)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height is what must be measured
  useEffect(() => virtual.measure(), [rowHeight])
  const range = virtual.range
  inSight.current = range ? range.endIndex - range.startIndex + 1 : 0
  const [first, last] = [(range?.startIndex ?? 0) - before, (range?.endIndex ?? 0) - before]
  // biome-ignore lint/correctness/useExhaustiveDependencies: with other rows the same places hold other records
  useEffect(() => {
    rows.seen(Math.max(0, first), Math.max(0, last))
  }, [rows.seen, first, last, rows.rows.length])

  const place = active.active
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a move of the active cell scrolls
  useEffect(() => {
    if (!place || !active.moves) return
    if (place.id !== headRow) virtual.scrollToIndex(active.row + before, { align: 'auto' })
    document.getElementById(cellId(place))?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active.moves])
  // The keys go on from the record that is open beside.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another open record moves
  useEffect(() => {
    const { record } = state
    if (record && place?.id !== record && indexOf.has(record)) active.setPlace({ id: record, key: active.key })
  }, [state.record])
  // Another question: one stands at its beginning, or at its end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another answer moves
  useEffect(() => {
    if (answered && isWithin(scroller.current) && place?.id !== headRow)
      active.toRow(rows.isFromEnd ? rows.rows.length - 1 : 0)
  }, [answered])

  const { mayEdit } = useRights(object)
  const find = (id: string, key: string) => {
    const record = rows.rows[indexOf.get(id) ?? -1]
    const column = columns.find((one) => one.key === key)
    return record && column && { record, field: column.field }
  }
  const begin = (id: string, key: string, typed?: string) => {
    const found = find(id, key)
    return found && mayEdit(found.record) ? editing.begin(found.record, found.field, typed) : false
  }
  const empty = (id: string, key: string) => {
    const found = find(id, key)
    const field = found && editedIn(object, found.field)
    if (found && field && !field.is_required && mayEdit(found.record)) editing.save(found.record, found.field, null)
  }
  const copy = (id: string, key: string) => {
    const found = find(id, key)
    if (!found) return
    const names = document.getElementById(cellId({ id, key }))?.querySelectorAll('[dir="auto"]') ?? []
    const isNamed = found.field.type === 'user' || found.field.type === 'relation'
    const shown = [...names].map(({ textContent }) => textContent).join(', ')
    void copyText(isNamed ? shown : textOf(found.field, valueIn(object, found.field, found.record)))
  }

  const paste = usePaste(object, editing)
  const pasteBlock = usePasteBlock(object)
  const toStart = () => {
    onHome()
    if (!rows.isFromEnd || rows.isWhole) active.toRow(0)
  }
  const toEnd = () => {
    onEnd()
    if (rows.isFromEnd || rows.isWhole) active.toRow(rows.rows.length - 1)
  }
  useFreeKeys({ Home: toStart, End: toEnd }, focus)

  const latest = useRef<RowActions>(undefined as never)
  latest.current = {
    change: editing.change,
    cancel: editing.cancel,
    commit: editing.commit,
    toggle: (id, isRange) => {
      selection.toggle(id, isRange)
      active.setPlace({ id, key: active.key })
      focus()
    },
    open: state.open,
    touch: (id, key, isSecond) => {
      active.setPlace({ id, key })
      if (editing.edit?.id === id && editing.edit.key === key) return
      if (isSecond && isWithin(scroller.current)) begin(id, key)
      else focus()
    },
  }
  const actions = useSteady(latest)

  const openMenu = useCallback(
    (key: string | undefined) => {
      setMenu(key)
      if (key === undefined) focus()
    },
    [focus],
  )
  const moveColumn = (key: string, by: number) => state.change({ columns: stepped(state.columns, key, by) })
  const isAllMarked = rows.rows.length > 0 && rows.rows.every(({ id }) => selection.has(id))
  const { selectLoaded, clear } = selection
  const mark = useCallback(() => {
    if (isAllMarked) clear()
    else selectLoaded()
    // The keys go on acting on the list: Escape takes the marks away again.
    focus()
  }, [isAllMarked, clear, selectLoaded, focus])
  return (
    <>
      <Unsent editing={editing} />
      <LeaveGuard hasUnsaved={editing.refused.size > 0} />
      {/* biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in parts */}
      <div
        ref={scroller}
        role="grid"
        tabIndex={0}
        aria-label={object.label_plural}
        aria-rowcount={count === undefined ? -1 : count + 1}
        aria-colcount={keys.length}
        aria-multiselectable="true"
        aria-busy={rows.isOld}
        aria-activedescendant={place && cellId(place)}
        className={css.grid}
        data-old={rows.isOld || undefined}
        data-resizing={isResizing || undefined}
        data-layout={state.layout}
        style={{ ...style, '--pinned': `${pinnedWidth}px` } as CSSProperties}
        onScroll={({ currentTarget }) => {
          note(currentTarget)
          currentTarget.toggleAttribute('data-aside', currentTarget.scrollLeft > 0)
        }}
        onPaste={(event) => {
          // It comes to where the last click left the cursor, not to what has the focus.
          if (document.activeElement !== event.currentTarget || !place) return
          const text = event.clipboardData.getData('text/plain')
          const found = find(place.id, place.key)
          if (!found || !text.trim()) return
          event.preventDefault()
          const cells = cellsOf(text)
          if (!isBlock(cells, found.field.type === 'long_text')) return void paste(found.record, found.field, text)
          const columnsFrom = columns.slice(columns.findIndex(({ key }) => key === place.key))
          void pasteBlock(cells, {
            records: rows.rows.slice(indexOf.get(place.id)),
            columns: columnsFrom.map(({ field }) => field),
          })
        }}
        onKeyDown={(event) => {
          if (event.target !== event.currentTarget) return
          pressed(event, {
            active,
            columns,
            pageRows: Math.max(1, Math.floor((event.currentTarget.clientHeight - headHeight) / rowHeight) - 1),
            toStart,
            toEnd,
            open: state.open,
            begin,
            empty,
            copy,
            toggle: selection.toggle,
            selectLoaded: selection.selectLoaded,
            unmark: () => {
              if (place && editing.refused.has(cellId(place))) editing.forget(place)
              else if (selection.ids.size) selection.clear()
              else return false
              return true
            },
            remove: onRemove,
            sort: (key, isAdded) => state.change({ sort: nextSort(state.sort, key, isAdded) }),
            openMenu: setMenu,
            moveColumn,
          })
        }}
      >
        <div className={css.inner} style={{ width, height: virtual.getTotalSize() + headHeight }}>
          {/* biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in parts */}
          <div role="rowgroup" className={css.headGroup}>
            <GridHead
              columns={columns}
              state={state}
              activeKey={active.row === -1 ? active.key : undefined}
              menu={menu}
              onMenu={openMenu}
              marked={isAllMarked ? 'all' : selection.ids.size > 0 ? 'some' : 'none'}
              onMark={mark}
              resize={resize}
            />
          </div>
          {/* biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in parts */}
          <div role="rowgroup" className={css.rows}>
            {virtual.getVirtualItems().map(({ index, start, key }) => {
              const row = index - before
              const record = rows.rows[row]
              if (!record) return <WaitingRow key={key} columns={columns} top={start} />
              const number = rows.isFromEnd && count !== undefined ? count - rows.rows.length + row : row
              const isActive = active.row === row
              return (
                <GridRow
                  key={record.id}
                  object={object}
                  columns={columns}
                  record={record}
                  rowIndex={Math.max(0, number) + 2}
                  top={start}
                  isMarked={selection.has(record.id)}
                  isOpen={state.record === record.id}
                  isLocked={!mayEdit(record)}
                  activeKey={isActive ? active.key : undefined}
                  edit={editing.edit?.id === record.id ? editing.edit : undefined}
                  refused={editing.refused}
                  actions={actions}
                />
              )
            })}
          </div>
        </div>
      </div>
    </>
  )
}

const isWithin = (box: HTMLElement | null) => box?.contains(document.activeElement) ?? false

/** Before anything has the focus, these keys already go to the list. */
function useFreeKeys(keys: Record<string, () => void>, focus: () => void) {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isFree = document.activeElement === document.body || document.activeElement?.matches('h1')
      const act = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined
      if (!act || !isFree || event.defaultPrevented || event.shiftKey || event.altKey) return
      event.preventDefault()
      focus()
      act()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [focus])
}

/** The same functions for the whole life of the grid, each doing what its newest form does. */
function useSteady(latest: { current: RowActions }): RowActions {
  const call = useCallback(
    <K extends keyof RowActions>(name: K) =>
      ((...given: never[]) => (latest.current[name] as (...given: never[]) => void)(...given)) as RowActions[K],
    [latest],
  )
  return useMemo(
    () => ({
      change: call('change'),
      cancel: call('cancel'),
      commit: call('commit'),
      toggle: call('toggle'),
      open: call('open'),
      touch: call('touch'),
    }),
    [call],
  )
}
