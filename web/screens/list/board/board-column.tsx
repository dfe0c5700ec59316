import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { Button, Skeleton } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronsLeft, ChevronsRight, Plus } from 'lucide-react'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'
import type { RecordShape } from '../../../records/data/records-api.ts'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import { counted } from '../../../records/data/value-text.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import { useRows } from '../../../records/lists/use-rows.ts'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { asNumber } from '../../../ui/text/numbers.ts'
import css from './board.module.css'
import { Card } from './board-card.tsx'
import { QuickCard } from './quick-card.tsx'
import type { BoardColumn, Place, Total, Totals } from './use-board.ts'

export type ColumnHandle = { rows: () => RecordShape[]; focus: (id: string) => void }

type Props = {
  ref: Ref<ColumnHandle>
  object: ObjectShape
  state: ListState
  field: FieldShape
  column: BoardColumn
  columns: BoardColumn[]
  fields: FieldShape[]
  totals: Totals | undefined
  /** Sums contain lost deals. */
  isLostToo: boolean
  onLostToo: (isLostToo: boolean) => void
  isFolded: boolean
  /** No card can be moved to another column. */
  isFixed: boolean
  isSorted: boolean
  current: string | undefined
  openId: string | undefined
  onFold: () => void
  onOpen: (record: RecordShape) => void
  onFocusCard: (id: string) => void
  onDrop: (id: string, to: Place) => void
  onMove: (id: string, to: BoardColumn) => void
}

const noTotal: Total = { count: 0, sum: undefined, isWithoutLost: false }

export function Column(props: Props) {
  const { ref, object, column, isFolded, onFold } = props
  const total = props.totals && (props.totals.get(column.key) ?? noTotal)
  const count = total && asNumber(total.count)
  const sum = total?.isWithoutLost ? `${total.sum ?? 0} excluding lost` : total?.sum
  // Its line is there before the sum is known, and in every column: cards stay where they are.
  const hasSum = object.fields.some(({ type }) => type === 'money')
  const spoken = [column.label, total && counted(total.count, object), sum].filter(Boolean).join(', ')
  const box = useRef<HTMLElement>(null)
  const [isOver, setOver] = useState(false)
  const [isAdding, setAdding] = useState(false)
  const handle = useRef<ColumnHandle>({ rows: () => [], focus: () => {} })
  useImperativeHandle(ref, () => ({ rows: () => handle.current.rows(), focus: (id) => handle.current.focus(id) }), [])

  const latest = useRef(props)
  latest.current = props
  // A column for what has no value is worth its place only while there is something in it.
  const isShown = column.value !== null || Boolean(total?.count)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element comes and goes with it
  useEffect(() => {
    const element = box.current
    if (!element) return
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => source.data.kind === 'card',
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source, location }) => {
        setOver(false)
        // A card below the pointer has taken it.
        if (location.current.dropTargets[0]?.element !== element) return
        const rows = handle.current.rows().filter(({ id }) => id !== source.data.key)
        const { column, onDrop } = latest.current
        onDrop(String(source.data.key), { column, below: rows.at(-1)?.id })
      },
    })
  }, [isShown])

  if (!isShown) return null
  if (isFolded)
    return (
      <section ref={box} className={css.folded} data-over={isOver || undefined} aria-label={spoken}>
        <button type="button" onClick={onFold} aria-expanded={false} aria-label={`Expand ${column.label}`}>
          <ChevronsRight size={15} />
          <span className={css.dot} data-color={column.color ?? 'gray'} />
          <span className={css.foldedName}>{column.label}</span>
          <span className={css.number}>{count}</span>
        </button>
      </section>
    )
  const actions = (
    <span className={css.headActions}>
      {object.rights.create && (
        <IconButton
          icon={Plus}
          label={`New ${inSentence(object.label)} in ${column.label}`}
          size={26}
          onClick={() => setAdding(true)}
        />
      )}
      <IconButton icon={ChevronsLeft} label={`Collapse ${column.label}`} size={26} aria-expanded onClick={onFold} />
    </span>
  )
  return (
    <section ref={box} className={css.column} data-over={isOver || undefined} aria-label={spoken}>
      <header className={css.head}>
        <div>
          <span className={css.dot} data-color={column.color ?? 'gray'} />
          <h2 dir="auto">{column.label}</h2>
          <span className={css.number}>{count}</span>
          {!hasSum && actions}
        </div>
        {hasSum && (
          <div>
            {total?.isWithoutLost || (props.isLostToo && sum) ? (
              <button
                type="button"
                className={css.sum}
                aria-pressed={props.isLostToo}
                title={props.isLostToo ? 'Includes lost deals. Click to exclude them.' : 'Click to include lost deals.'}
                onClick={() => props.onLostToo(!props.isLostToo)}
              >
                {props.isLostToo ? `${sum} with lost` : sum}
              </button>
            ) : (
              <span className={css.sum}>{sum}</span>
            )}
            {actions}
          </div>
        )}
      </header>
      {isAdding && (
        <QuickCard
          object={object}
          state={props.state}
          field={props.field}
          column={column}
          onClose={() => setAdding(false)}
        />
      )}
      <CardList {...props} handle={handle} />
    </section>
  )
}

const guessedHeight = 104

function CardList({ handle, ...props }: Omit<Props, 'ref'> & { handle: { current: ColumnHandle } }) {
  const { object, column, columns, fields, isFixed, isSorted, current, openId, onOpen, onFocusCard, onDrop } = props
  const rows = useRows(column.question)
  const scroller = useRef<HTMLDivElement>(null)
  const shown = rows.rows
  const count = props.totals && (props.totals.get(column.key)?.count ?? 0)
  // As many as will come, as far as that is known.
  const waiting = rows.isWhole || rows.error ? 0 : rows.isLoading ? Math.min(count ?? 2, 4) : 2
  const virtual = useVirtualizer({
    count: shown.length + waiting,
    getScrollElement: () => scroller.current,
    estimateSize: () => guessedHeight,
    getItemKey: (index) => shown[index]?.id ?? `waiting ${index}`,
    overscan: 4,
    gap: 8,
    paddingEnd: 12,
  })
  const items = virtual.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  useEffect(() => rows.seen(first, last))
  handle.current = {
    rows: () => shown,
    focus: (id) => {
      virtual.scrollToIndex(shown.findIndex((one) => one.id === id))
      requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-card="${id}"]`)?.focus())
    },
  }
  const isEmpty = !rows.isLoading && !rows.isOld && shown.length === 0 && rows.isWhole
  const hasCurrent = shown.some(({ id }) => id === current)
  return (
    <div ref={scroller} className={css.cards} data-old={rows.isOld || undefined}>
      {rows.error && (
        <Button variant="default" size="xs" fullWidth loading={rows.isFetching} onClick={rows.retry}>
          Could not be loaded. Retry
        </Button>
      )}
      {isEmpty && <p className={css.empty}>{isFixed ? 'None' : 'Drop cards here'}</p>}
      <ul className={css.stack} style={{ height: virtual.getTotalSize() }} aria-label={column.label}>
        {items.map(({ index, start, key }) => {
          const record = shown[index]
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              style={{ transform: `translateY(${start}px)` }}
            >
              {record ? (
                <Card
                  object={object}
                  fields={fields}
                  record={record}
                  column={column}
                  columns={columns}
                  isFixed={isFixed}
                  isSorted={isSorted}
                  isOpen={openId === record.id}
                  isTabStop={hasCurrent ? current === record.id : index === 0}
                  onOpen={() => onOpen(record)}
                  onFocus={() => onFocusCard(record.id)}
                  onMove={(to) => props.onMove(record.id, to)}
                  onDrop={(id, side) => {
                    const others = shown.filter((one) => one.id !== id)
                    const at = others.findIndex((one) => one.id === record.id)
                    const above = side === 'before' ? record.id : others[at + 1]?.id
                    const below = side === 'before' ? others[at - 1]?.id : record.id
                    onDrop(id, { column, above, below })
                  }}
                />
              ) : (
                <div className={css.waiting} style={{ height: guessedHeight - 8 }} aria-hidden="true">
                  <Skeleton height={8} width="70%" radius="sm" animate={false} />
                  <Skeleton height={8} width="40%" radius="sm" animate={false} />
                </div>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
