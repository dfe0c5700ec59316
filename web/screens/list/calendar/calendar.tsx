import { Button, SegmentedControl } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CalendarX, ChevronLeft, ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import { print } from '../../../../contract/filter/index.ts'
import { openCreate } from '../../../records/data/open-create.ts'
import { countQuery, type RecordShape } from '../../../records/data/records-api.ts'
import { useRights } from '../../../records/data/rights.ts'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import { calendarField, cardFields } from '../../../records/lists/display-fields.ts'
import type { Span } from '../../../records/lists/list-search.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { Failure, Message } from '../../../ui/basics/states.tsx'
import { atHour, dayOf } from '../../../ui/text/moments.ts'
import { asNumber } from '../../../ui/text/numbers.ts'
import { ListFrame } from '../tools/list-frame.tsx'
import { Agenda } from './agenda.tsx'
import css from './calendar.module.css'
import { DayGrid } from './day-grid.tsx'
import { daysOf, stepped, titleOf, useCalendar, useMoveToDay } from './use-calendar.ts'

type Props = { object: ObjectShape; state: ListState; isNarrow: boolean }

/** Records on the days of a date field. */
export function CalendarPage({ object, state, isNarrow }: Props) {
  const field = calendarField(object, state)
  const total = useQuery(countQuery({ object: object.key, filter: state.asked || undefined })).data
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
        <Calendar object={object} state={state} field={field} isNarrow={isNarrow} onRows={setRows} />
      ) : (
        <Message icon={CalendarX} title="No date to show on a calendar">
          Add a date field under Company, Objects and fields.
        </Message>
      )}
    </ListFrame>
  )
}

/** What a day can do, for all three ways to show days. */
export type DayActions = {
  object: ObjectShape
  field: FieldShape
  /** Shown beside the title where there is room. */
  facts: FieldShape[]
  openId: string | undefined
  today: string
  mayMove: (record: RecordShape) => boolean
  onOpen: (record: RecordShape) => void
  onMove: (record: RecordShape, day: string) => void
  /** Nothing: not for this user. */
  onCreate: ((day: string) => void) | undefined
  onShowDay: (day: string) => void
}

type CalendarProps = Props & { field: FieldShape; onRows: (rows: RecordShape[]) => void }

/** A meeting or task on a day begins at nine unless someone says otherwise. */
const usualHour = 9

function Calendar({ object, state, field, isNarrow, onRows }: CalendarProps) {
  const today = dayOf(Date.now())
  const day = state.day ?? today
  const span = state.span ?? (isNarrow ? 'agenda' : 'month')
  const days = useMemo(() => daysOf(day, span), [day, span])
  const { rows, byDay, isCut } = useCalendar(object, field, state, days)
  const { mayEdit } = useRights(object)
  const facts = useMemo(() => cardFields(object, state.columns, field), [object, state.columns, field])
  const navigate = useNavigate()
  const move = useMoveToDay(object, field)
  const actions: DayActions = {
    object,
    field,
    facts,
    openId: state.record,
    today,
    mayMove: (record) => !field.is_read_only && mayEdit(record),
    onOpen: (record) => {
      onRows(rows.rows)
      if (isNarrow) void navigate({ to: '/records/$object/$id', params: { object: object.key, id: record.id } })
      else state.open(record.id)
    },
    onMove: move,
    onCreate:
      object.rights.create && !field.is_read_only
        ? (on) => openCreate(object.key, { [field.key]: field.type === 'date' ? on : atHour(on, usualHour) })
        : undefined,
    onShowDay: (on) => state.show({ day: on, span: 'agenda' }),
  }
  return (
    <div className={css.calendar}>
      <div className={css.bar}>
        <Button variant="default" size="compact-sm" onClick={() => state.show({ day: undefined })}>
          Today
        </Button>
        <IconButton
          icon={ChevronLeft}
          label={`Previous ${words[span]}`}
          size={28}
          onClick={() => state.show({ day: stepped(day, span, -1) })}
        />
        <IconButton
          icon={ChevronRight}
          label={`Next ${words[span]}`}
          size={28}
          onClick={() => state.show({ day: stepped(day, span, 1) })}
        />
        <h2 aria-live="polite">{titleOf(day, span)}</h2>
        <Undated object={object} field={field} state={state} />
        {isCut && <span className={css.cut}>Only the first {rows.rows.length} are shown. Filter to see fewer.</span>}
        <SegmentedControl
          size="xs"
          className={css.spans ?? ''}
          aria-label="Period"
          data={[
            { value: 'month', label: 'Month' },
            { value: 'week', label: 'Week' },
            { value: 'agenda', label: 'Agenda' },
          ]}
          value={span}
          onChange={(next) => state.show({ span: next as Span })}
        />
      </div>
      {rows.error && !rows.rows.length ? (
        <Failure error={rows.error} onRetry={rows.retry} busy={rows.isFetching} />
      ) : span === 'agenda' || (isNarrow && span === 'week') ? (
        <Agenda {...actions} days={days.days} byDay={byDay} isWeek={span === 'week'} isLoading={rows.isLoading} />
      ) : (
        <DayGrid
          {...actions}
          days={days.days}
          byDay={byDay}
          month={span === 'month' ? day.slice(0, 7) : undefined}
          isNarrow={isNarrow}
          isOld={rows.isOld || rows.isLoading}
        />
      )}
    </div>
  )
}

/** What has no date is on no day; the list has it. */
function Undated({ object, field, state }: { object: ObjectShape; field: FieldShape; state: ListState }) {
  const here = print({ field: field.key, op: 'is_empty' })
  const asked = state.asked ? `(${state.asked}) and ${here}` : here
  const { data } = useQuery({
    ...countQuery({ object: object.key, filter: asked }),
    enabled: !field.is_system,
    placeholderData: keepPreviousData,
  })
  if (!data?.count) return null
  const filter = state.filter ? `(${state.filter}) and ${here}` : here
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      onClick={() => state.change({ type: 'table', groupBy: null, filter })}
    >
      {asNumber(data.count)}
      {data.is_exact ? '' : '+'} without a date
    </Button>
  )
}

const words: Record<Span, string> = { month: 'month', week: 'week', agenda: '30 days' }
