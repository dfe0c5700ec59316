import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { SquareKanban } from 'lucide-react'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'
import { isStageField } from '../../../records/data/pipelines.ts'
import type { RecordShape } from '../../../records/data/records-api.ts'
import { countQuery } from '../../../records/data/records-api.ts'
import { useRights } from '../../../records/data/rights.ts'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import { boardField, cardFields, conditionOf } from '../../../records/lists/display-fields.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import { Message } from '../../../ui/basics/states.tsx'
import { knownUsersQuery } from '../../../users/users.ts'
import { ListFrame } from '../tools/list-frame.tsx'
import css from './board.module.css'
import { Column, type ColumnHandle } from './board-column.tsx'
import {
  type BoardColumn,
  type BoardPipeline,
  boardFilter,
  type Place,
  type Totals,
  useMoveCard,
  usePipeline,
  useQuestion,
  useTotals,
} from './use-board.ts'

type Props = { object: ObjectShape; state: ListState; isNarrow: boolean }

/** Records as cards, in a column for each value of a field. */
export function BoardPage({ object, state, isNarrow }: Props) {
  const field = boardField(object, state)
  const pipeline = usePipeline(object, state, field)
  const filter = boardFilter(state, pipeline)
  const total = useQuery(countQuery({ object: object.key, filter: filter || undefined })).data
  const [rows, setRows] = useState<RecordShape[]>([])
  return (
    <ListFrame
      object={object}
      state={state}
      isNarrow={isNarrow}
      total={total && { count: total.count, isExact: total.is_exact }}
      rows={rows}
    >
      {field ? (
        <>
          <PipelineChoice chosen={pipeline} />
          <Board
            key={field.key}
            object={object}
            state={state}
            field={field}
            pipeline={pipeline}
            isNarrow={isNarrow}
            onRows={setRows}
          />
        </>
      ) : (
        <Message icon={SquareKanban} title="This object has no field for a board">
          Add a field with options under Company, Objects and fields.
        </Message>
      )}
    </ListFrame>
  )
}

type BoardProps = Props & { field: FieldShape; pipeline: BoardPipeline; onRows: (rows: RecordShape[]) => void }

function Board({ object, state, field, pipeline, isNarrow, onRows }: BoardProps) {
  const [isLostToo, addLost] = useState(false)
  const totals = useTotals(object, boardFilter(state, pipeline), field, isLostToo)
  const columns = useColumns(object, state, field, pipeline, totals)
  const fields = useMemo(() => cardFields(object, state.columns, field), [object, state.columns, field])
  const { move, dialog } = useMoveCard(object, field, columns, state)
  const { mayEdit } = useRights(object)
  const navigate = useNavigate()
  const handles = useRef(new Map<string, ColumnHandle>())
  const [current, setCurrent] = useState<string>()
  const [said, say] = useState('')
  const canChange = !field.is_read_only
  // A deal always has a stage; those of older versions may have none.
  const targets = isStageField(object, field) ? columns.filter(({ value }) => value !== null) : columns

  const fold = (key: string) => {
    const isFolded = state.collapsed.includes(key)
    state.change({ collapsed: isFolded ? state.collapsed.filter((one) => one !== key) : [...state.collapsed, key] })
  }
  const open = (record: RecordShape) => {
    setCurrent(record.id)
    const column = columns.find(({ key }) =>
      handles.current
        .get(key)
        ?.rows()
        .some(({ id }) => id === record.id),
    )
    onRows(column ? handles.current.get(column.key)!.rows() : [])
    if (isNarrow) void navigate({ to: '/records/$object/$id', params: { object: object.key, id: record.id } })
    else state.open(record.id)
  }

  const drop = (id: string, to: Place) => {
    const from = columns.find(({ key }) =>
      handles.current
        .get(key)
        ?.rows()
        .some((one) => one.id === id),
    )
    const record =
      from &&
      handles.current
        .get(from.key)!
        .rows()
        .find((one) => one.id === id)
    if (!from || !record || !mayEdit(record)) return
    if (from.key === to.column.key && state.sort.length) return
    if (!targets.includes(to.column)) return
    setCurrent(id)
    say(`${String(record.title)} moved to ${to.column.label}`)
    void move(record, from, to)
  }

  /** With Shift, the arrow keys move the card instead of the focus. */
  const onKeyDown = (event: KeyboardEvent) => {
    const card = (event.target as HTMLElement).closest<HTMLElement>('[data-card]')
    if (!card || event.target !== card || event.ctrlKey || event.metaKey || event.altKey) return
    const id = card.dataset.card!
    const shown = columns.filter(({ key }) => !state.collapsed.includes(key))
    const at = shown.findIndex(({ key }) =>
      handles.current
        .get(key)
        ?.rows()
        .some((one) => one.id === id),
    )
    const rows = at < 0 ? [] : handles.current.get(shown[at]!.key)!.rows()
    const index = rows.findIndex((one) => one.id === id)
    const focus = (column: number, row: number) => {
      const handle = handles.current.get(shown[column]?.key ?? '')
      const target = handle?.rows()[Math.min(row, handle.rows().length - 1)]
      if (!target) return false
      setCurrent(target.id)
      handle!.focus(target.id)
      return true
    }
    const toColumn = (step: number) => {
      for (let i = at + step; shown[i]; i += step) if (focus(i, index)) return
    }
    const refocus = (column: BoardColumn) => setTimeout(() => handles.current.get(column.key)?.focus(id), 60)
    const shift = (step: number) => {
      const to = shown[at + step]
      const first = to && handles.current.get(to.key)?.rows()[0]
      if (!to || !canChange) return
      drop(id, { column: to, above: first?.id })
      refocus(to)
    }
    const place = (step: number) => {
      if (state.sort.length) return
      const [above, below] = step < 0 ? [rows[index - 1], rows[index - 2]] : [rows[index + 2], rows[index + 1]]
      if (step < 0 ? index === 0 : index === rows.length - 1) return
      drop(id, { column: shown[at]!, above: above?.id, below: below?.id })
      refocus(shown[at]!)
    }
    const keys: Record<string, () => void> = event.shiftKey
      ? { ArrowLeft: () => shift(-1), ArrowRight: () => shift(1), ArrowUp: () => place(-1), ArrowDown: () => place(1) }
      : {
          ArrowLeft: () => toColumn(-1),
          ArrowRight: () => toColumn(1),
          ArrowUp: () => void focus(at, Math.max(0, index - 1)),
          ArrowDown: () => void focus(at, index + 1),
          Home: () => void focus(at, 0),
          End: () => void focus(at, rows.length - 1),
          Enter: () => open(rows[index]!),
        }
    const act = keys[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the cards inside take the keys */}
      <div className={css.board} data-narrow={isNarrow || undefined} onKeyDown={onKeyDown}>
        {columns.map((column) => (
          <Column
            key={column.key}
            ref={(handle) => {
              if (handle) handles.current.set(column.key, handle)
              else handles.current.delete(column.key)
            }}
            object={object}
            state={state}
            field={field}
            column={column}
            columns={targets}
            fields={fields}
            totals={totals}
            isLostToo={isLostToo}
            onLostToo={addLost}
            isFolded={state.collapsed.includes(column.key)}
            isFixed={!canChange}
            isSorted={state.sort.length > 0}
            current={current}
            openId={state.record}
            onFold={() => fold(column.key)}
            onOpen={open}
            onFocusCard={setCurrent}
            onDrop={drop}
            onMove={(id, to) => drop(id, { column: to, above: handles.current.get(to.key)?.rows()[0]?.id })}
          />
        ))}
      </div>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {dialog}
    </>
  )
}

function PipelineChoice({ chosen }: { chosen: BoardPipeline }) {
  if (!chosen?.pipeline || chosen.pipelines.length < 2) return null
  return (
    <nav className={css.pipelines} aria-label="Pipelines">
      {chosen.pipelines.map(({ key, name }) => (
        <button
          key={key}
          type="button"
          aria-current={key === chosen.pipeline?.key ? 'true' : undefined}
          onClick={() => chosen.choose(key)}
        >
          {name}
        </button>
      ))}
    </nav>
  )
}

/** One for each option or user. The last is for records without a value, unless there must be one. */
function useColumns(
  object: ObjectShape,
  state: ListState,
  field: FieldShape,
  chosen: BoardPipeline,
  totals: Totals | undefined,
): BoardColumn[] {
  const question = useQuestion(object, state)
  const stages = chosen?.pipeline?.stages
  const { data: users } = useQuery({ ...knownUsersQuery, enabled: field.type === 'user' })
  return useMemo(() => {
    const column = (value: string | null, label: string, color?: BoardColumn['color']): BoardColumn => ({
      key: value ?? '',
      value,
      label,
      ...(color && { color }),
      question: question(conditionOf(field, value)),
    })
    const values =
      field.type === 'select'
        ? (field.options ?? [])
            .filter(({ key }) => !stages || stages.some((stage) => stage.key === key && !stage.is_archived))
            .map(({ key, label, color, kind }) => column(key, label, color ?? (kind && byKind[kind])))
        : [...(users?.values() ?? [])]
            .filter(({ id, kind, state }) => totals?.has(id) || (kind === 'person' && state === 'active'))
            .sort((a, b) => a.name.localeCompare(b.name))
            .map(({ id, name }) => column(id, name))
    return field.is_required ? values : [...values, column(null, `No ${inSentence(field.label)}`)]
  }, [field, users, question, stages, totals])
}

const byKind = { open: 'blue', won: 'green', lost: 'gray' } as const
