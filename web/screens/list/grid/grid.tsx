import {
  type CSSProperties,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { ConvertDialog } from '../../../leads/convert.tsx'
import { dropEdit, editKey, isKept } from '../../../records/data/field-edits.ts'
import { isStageField } from '../../../records/data/pipelines.ts'
import type { RecordShape } from '../../../records/data/records-api.ts'
import { useRights } from '../../../records/data/rights.ts'
import type { Onward } from '../../../records/fields/field-editor.tsx'
import { useFieldEdit } from '../../../records/fields/use-field-edit.ts'
import { useMoveStage } from '../../../records/forms/move-stage.tsx'
import { LeaveGuard } from '../../../records/lists/leave-guard.tsx'
import { editedIn, markWidth, useColumns } from '../../../records/lists/use-columns.ts'
import type { Selection } from '../../../records/lists/use-selection.ts'
import { stepped } from '../tools/column-choice.tsx'
import { Unsent } from '../tools/nothing.tsx'
import { nextSort } from '../tools/sort-choice.tsx'
import { AddColumn } from './add-column.tsx'
import { CellMenu, type CellMenuAt } from './cell-menu.tsx'
import css from './grid.module.css'
import { GridFoot } from './grid-foot.tsx'
import { GridHead } from './grid-head.tsx'
import { FailedRow, GridRow, type RowActions, WaitingRow } from './grid-row.tsx'
import { GroupRow } from './group-row.tsx'
import { usePaste, usePasteBlock } from './paste-block.ts'
import { cellsOf, isBlock } from './pasted-cells.ts'
import type { ShownList } from './shown-list.ts'
import { useCells } from './use-cells.ts'
import { pressed, useFreeKeys } from './use-grid-keys.ts'
import { cellId, headRow, markColumn, placeAt, useActive, useGridScroll } from './use-grid-scroll.ts'
import { toggled } from './use-groups.ts'

type Props = ShownList & {
  numbersError: Error | null
  selection: Selection
  question: string
  onEnd: () => void
  onHome: () => void
  onRemove: () => void
}

const heights = { comfortable: 40, compact: 32 }
const headHeight = 36
const footHeight = 34
const steps: Record<Onward, [number, number]> = { stay: [0, 0], next: [0, 1], previous: [0, -1], below: [1, 0] }

export function Grid(props: Props) {
  const { object, state, rows, columns, lines, numbers, count, selection, question, onEnd, onHome, onRemove } = props
  // With the headings of groups, which are known when all of them are loaded.
  const rowCount = lines.list ? (rows.isWhole ? lines.count : undefined) : count
  const scroller = useRef<HTMLDivElement>(null)
  const [menu, setMenu] = useState<string>()
  const rowHeight = heights[state.layout]
  const { style, width, pinnedWidth, isResizing, resize } = useColumns(columns, state)
  const keys = useMemo(() => [markColumn, ...columns.map(({ key }) => key)], [columns])
  const active = useActive(rows.rows, keys)
  const { indexOf, active: place } = active

  const focus = useCallback(() => scroller.current?.focus({ preventScroll: true }), [])
  const editing = useFieldEdit(object, (onward) => {
    if (onward !== 'stay' || isWithin(scroller.current)) focus()
    active.move(...steps[onward])
  })
  const { edit, edits } = editing
  const stage = useMoveStage()
  const edited = edit && indexOf.get(edit.seen.id)
  const scroll = useGridScroll({ scroller, rows, lines, active, edited, rowHeight, headHeight, footHeight, question })
  const { virtual, before } = scroll

  // The keys go on from the record that is open beside.
  const follow = useEffectEvent((record: string | undefined) => {
    if (record && place?.id !== record && indexOf.has(record)) active.setPlace({ id: record, key: active.key })
  })
  useEffect(() => follow(state.record), [state.record])
  // Another question: one stands at its beginning, or at its end.
  const answered = rows.isOld || rows.isLoading ? undefined : question
  const restart = useEffectEvent(() => {
    if (isWithin(scroller.current) && place?.id !== headRow) active.toRow(rows.isFromEnd ? rows.rows.length - 1 : 0)
  })
  useEffect(() => {
    if (answered !== undefined) restart()
  }, [answered])

  const { mayEdit } = useRights(object)
  /** The record and the field in a cell; without a field, it cannot be edited. */
  const find = (id: string, key: string) => {
    const record = rows.rows[indexOf.get(id) ?? -1]
    const column = columns.find((one) => one.key === key)?.field
    const field = column && record && mayEdit(record) ? editedIn(object, column) : undefined
    return record && column && { record, column, field }
  }
  const begin = (id: string, key: string, typed?: string) => {
    const { record, field } = find(id, key) ?? {}
    if (!record || !field) return false
    editing.begin(record, field, typed)
    return true
  }
  const cells = useCells({ object, rows, columns, active, focus })
  const empty = (id: string, key: string) => {
    if (cells.isRange) return cells.clear()
    const { record, field } = find(id, key) ?? {}
    if (record && field && !field.is_required) editing.save(record, field, null)
  }
  const [menuAt, setMenuAt] = useState<CellMenuAt>()
  const [converting, setConverting] = useState<RecordShape>()
  const openCellMenu = () => {
    const box = place && document.getElementById(cellId(place))?.getBoundingClientRect()
    if (box) setMenuAt({ x: box.left + 12, y: box.bottom - 4 })
  }
  const unmark = () => {
    const { record, field } = (place && find(place.id, place.key)) ?? {}
    const entered = record && field && edits.get(editKey(record.id, field))
    if (entered && isKept(entered)) dropEdit(editKey(record.id, field))
    else if (cells.isRange && place) active.setPlace(place)
    else if (selection.ids.size) selection.clear()
    else return false
    return true
  }

  const paste = usePaste(editing)
  const pasteBlock = usePasteBlock(object)
  const toStart = () => {
    onHome()
    if (!rows.isFromEnd || rows.isWhole) active.toRow(0)
  }
  const toEnd = () => {
    onEnd()
    if (rows.isFromEnd || rows.isWhole) active.toRow(rows.rows.length - 1)
  }
  useFreeKeys({ Home: toStart, End: toEnd, 'Mod+Home': toStart, 'Mod+End': toEnd }, focus)

  const actions: RowActions = useRef(undefined as never)
  useLayoutEffect(() => {
    actions.current = {
      change: editing.change,
      cancel: editing.cancel,
      commit: (record, value, onward) => {
        const isStage = edit && isStageField(object, edit.field)
        if (!isStage || typeof value !== 'string' || !stage.needs(record, value))
          return editing.commit(record, value, onward)
        editing.cancel()
        void stage.move(record, value)
      },
      toggle: (id, isRange) => {
        selection.toggle(id, isRange)
        active.setPlace({ id, key: active.key })
        focus()
      },
      open: state.open,
      extendTo: (id, key) => {
        active.extendTo({ id, key })
        focus()
      },
      touch: (id, key, isSecond) => {
        active.setPlace({ id, key })
        if (edit?.seen.id === id && edit.field.key === find(id, key)?.field?.key) return
        if (isSecond && isWithin(scroller.current)) begin(id, key)
        else focus()
      },
    }
  })

  const openMenu = useCallback(
    (key: string | undefined) => {
      setMenu(key)
      if (key === undefined) focus()
    },
    [focus],
  )
  const { change, collapsed } = state
  const toggleGroup = useCallback((key: string) => change({ collapsed: toggled(collapsed, key) }), [change, collapsed])
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
      <Unsent />
      <LeaveGuard hasUnsaved={editing.isTyped} />
      {stage.dialog}
      <div className={css.frame}>
        {/* biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in parts */}
        <div
          ref={scroller}
          role="grid"
          tabIndex={0}
          aria-label={object.label_plural}
          aria-rowcount={rowCount === undefined ? -1 : rowCount + 2}
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
            scroll.onScroll(currentTarget)
            currentTarget.toggleAttribute('data-aside', currentTarget.scrollLeft > 0)
          }}
          onPaste={(event) => {
            // It comes to where the last click left the cursor, not to what has the focus.
            if (document.activeElement !== event.currentTarget || !place) return
            const text = event.clipboardData.getData('text/plain')
            const found = find(place.id, place.key)
            if (!found || !text.trim()) return
            event.preventDefault()
            const pasted = cellsOf(text)
            const isMany = isBlock(pasted, found.column.type === 'long_text')
            if (!isMany && !cells.isRange) return void paste(found, text)
            // One value fills all selected cells.
            const block = cells.block()
            const filled = isMany ? pasted : block.records.map(() => block.columns.map(() => text))
            const target = columns.slice(cells.first).map(({ field }) => field)
            void pasteBlock(filled, { records: rows.rows.slice(cells.top), columns: target })
          }}
          onKeyDown={(event) => {
            if (event.target !== event.currentTarget) return
            pressed(event, {
              active,
              columns,
              pageRows: Math.max(
                1,
                Math.floor((event.currentTarget.clientHeight - headHeight - footHeight) / rowHeight) - 1,
              ),
              toStart,
              toEnd,
              open: state.open,
              begin,
              empty,
              copy: cells.copy,
              fillDown: cells.fillDown,
              openCellMenu,
              toggle: selection.toggle,
              selectLoaded,
              unmark,
              remove: onRemove,
              sort: (key, isAdded) => state.change({ sort: nextSort(state.sort, key, isAdded) }),
              openMenu: setMenu,
              moveColumn: (key, by) => state.change({ columns: stepped(state.columns, key, by) }),
            })
          }}
        >
          <div
            className={css.inner}
            style={{ width: width + markWidth, height: virtual.getTotalSize() + headHeight + footHeight }}
          >
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
            <div
              role="rowgroup"
              className={css.rows}
              {...cells.mouse}
              onContextMenu={(event) => {
                const at = placeAt(event.target as Element)
                if (!at || edit) return
                event.preventDefault()
                if (!cells.has(at)) active.setPlace(at)
                focus()
                setMenuAt({ x: event.clientX, y: event.clientY })
              }}
            >
              {virtual.getVirtualItems().map(({ index, start, key }) => {
                const line = lines.list?.[index - before]
                if (line && 'group' in line)
                  return (
                    <GroupRow
                      key={`group ${line.group.key}`}
                      object={object}
                      columns={columns}
                      group={line.group}
                      currency={numbers?.currency ?? null}
                      top={start}
                      onToggle={toggleGroup}
                    />
                  )
                const row = lines.list ? (line?.row ?? rows.rows.length) : index - before
                const record = rows.rows[row]
                if (!record && rows.error) return <FailedRow key={key} of={rows} top={start} />
                if (!record) return <WaitingRow key={key} columns={columns} top={start} />
                const number = rows.isFromEnd && count !== undefined ? count - rows.rows.length + row : row
                return (
                  <GridRow
                    key={record.id}
                    object={object}
                    columns={columns}
                    record={record}
                    rowIndex={(lines.list ? index : Math.max(0, number)) + 2}
                    top={start}
                    isMarked={selection.has(record.id)}
                    isOpen={state.record === record.id}
                    isLocked={!mayEdit(record)}
                    activeKey={active.row === row ? active.key : undefined}
                    range={cells.shownIn(row)}
                    hasCorner={cells.lastShown === row}
                    edit={edit?.seen.id === record.id ? edit : undefined}
                    edits={edits}
                    actions={actions}
                  />
                )
              })}
            </div>
            {/* biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in parts */}
            <div role="rowgroup" className={css.footGroup}>
              <GridFoot
                object={object}
                state={state}
                columns={columns}
                count={count}
                numbers={numbers}
                error={props.numbersError}
              />
            </div>
          </div>
        </div>
        <AddColumn object={object} state={state} />
      </div>
      {menuAt && place && rows.rows[active.row] && (
        <CellMenu
          at={menuAt}
          object={object}
          state={state}
          record={rows.rows[active.row]!}
          column={columns.find(({ key }) => key === place.key)}
          cells={cells}
          onEdit={find(place.id, place.key)?.field && (() => begin(place.id, place.key))}
          onClear={() => empty(place.id, place.key)}
          onConvert={() => setConverting(rows.rows[active.row])}
          onDelete={selection.ids.size > 1 && selection.has(place.id) ? onRemove : undefined}
          onClose={() => {
            setMenuAt(undefined)
            focus()
          }}
        />
      )}
      {converting && <ConvertDialog lead={converting} onClose={() => setConverting(undefined)} />}
    </>
  )
}

const isWithin = (box: HTMLElement | null) => box?.contains(document.activeElement) ?? false
