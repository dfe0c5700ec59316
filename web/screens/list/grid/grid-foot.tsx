import { Menu } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Check, Sigma } from 'lucide-react'
import { memo } from 'react'
import { aggregateQuery } from '../../../records/data/records-api.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import { counted } from '../../../records/data/value-text.ts'
import {
  type Aggregates,
  type Calculated,
  calculated,
  measuresFor,
  nameOf,
  phraseOf,
  sumIn,
  usualSum,
} from '../../../records/lists/calculations.ts'
import { calculatedIn } from '../../../records/lists/column-widths.ts'
import type { Calculation, Column } from '../../../records/lists/list-search.ts'
import { placeOf, type Shown } from '../../../records/lists/use-columns.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import { useFormats } from '../../../ui/text/formats.ts'
import css from './grid-foot.module.css'

/** The calculations of the columns. Grouped lists sum amounts by default. */
export const withCalculations = (object: ObjectShape, columns: Shown[], isGrouped: boolean): Shown[] =>
  columns.map((column) => {
    if (column.calculation && column.calculations.includes(column.calculation)) return column
    const { calculation: _, ...bare } = column
    return isGrouped && column.field.type === 'money' ? { ...bare, calculation: usualSum(object) } : bare
  })

export const measuresOf = (columns: Shown[]) =>
  columns.flatMap(({ key, calculation }) => (calculation ? measuresFor(key, calculation) : []))

/** Asked only if there is something to calculate. */
export function useNumbers(object: ObjectShape, filter: string, columns: Shown[], group: string | undefined) {
  const measures = ['count', ...measuresOf(columns)]
  const group_by = group === undefined ? [] : [group]
  const query = useQuery({
    ...aggregateQuery({ object: object.key, filter: filter || undefined, measures, group_by }),
    placeholderData: keepPreviousData,
    enabled: measures.length > 1 || group !== undefined,
  })
  return { numbers: query.data, isOld: query.isPlaceholderData, error: query.error }
}

type Props = {
  object: ObjectShape
  state: ListState
  columns: Shown[]
  count: number | undefined
  numbers: Aggregates | undefined
  error: Error | null
}

/** Below the rows: how many there are, and what was chosen to be calculated of each column. */
export const GridFoot = memo(function GridFoot({ object, state, columns, count, numbers, error }: Props) {
  useFormats()
  const isWithoutLost = columns.some(
    ({ key, calculation }) =>
      calculation === 'sum_not_lost' && numbers && sumIn(numbers.totals, key, calculation).isWithoutLost,
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in parts
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus; calculations are also in the menus above
    <div role="row" className={css.foot} aria-label="Calculations">
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: see above */}
      <div role="gridcell" className={css.corner} aria-colindex={1} />
      {columns.map((column, index) => (
        // biome-ignore lint/a11y/useSemanticElements: see above
        // biome-ignore lint/a11y/useFocusableInteractive: see above
        <div
          key={column.key}
          role="gridcell"
          aria-colindex={index + 2}
          className={css.cell}
          data-type={column.field.type}
          data-pinned={column.pinned || undefined}
          style={placeOf(column.key, column.pinned)}
        >
          {column.key === 'title' && count !== undefined && !column.calculation ? (
            <span className={css.count}>
              {counted(count, object)}
              {isWithoutLost && ', with lost'}
            </span>
          ) : (
            <CalculationMenu column={column} state={state} numbers={numbers} error={error} />
          )}
        </div>
      ))}
    </div>
  )
})

type MenuProps = { column: Shown; state: ListState; numbers: Aggregates | undefined; error: Error | null }

function CalculationMenu({ column, state, numbers, error }: MenuProps) {
  const { field, calculation } = column
  if (!column.calculations.length) return null
  const name = calculation && nameOf(calculation, field)
  const told: Calculated =
    calculation && numbers
      ? calculated(field, calculation, { values: numbers.totals, unconverted: numbers.unconverted }, numbers.currency)
      : { text: error ? 'Not available' : '…', note: error ? error.message : undefined }
  const { text, note } = told
  const shown = calculatedIn(column.width, told)
  return (
    <Menu position="top-end" width={180} returnFocus={false}>
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          className={css.choice}
          data-empty={!calculation || undefined}
          title={calculation ? (shown === text ? note : text) : 'Calculate'}
          aria-label={calculation ? `${phraseOf(calculation, field)}: ${text}` : `Calculate ${field.label}`}
        >
          {name ? (
            <>
              <span className={css.name}>{name}</span>
              <span className={css.value}>{shown}</span>
            </>
          ) : (
            <Sigma size={13} />
          )}
        </button>
      </Menu.Target>
      <Menu.Dropdown aria-label={`Calculate ${field.label}`}>
        <CalculationItems column={column} state={state} />
      </Menu.Dropdown>
    </Menu>
  )
}

/** What can be calculated of a column, in the menu of its heading and below it. */
export function CalculationItems({ column, state }: { column: Shown; state: ListState }) {
  const { key, field, calculation } = column
  const item = (value: Calculation | undefined, label: string) => (
    <Menu.Item
      key={label}
      rightSection={calculation === value && <Check size={14} />}
      aria-current={calculation === value ? 'true' : undefined}
      onClick={() => state.change({ columns: calculating(state.columns, key, value) })}
    >
      {label}
    </Menu.Item>
  )
  return (
    <>
      {item(undefined, 'Nothing')}
      {column.calculations.map((value) => item(value, nameOf(value, field)))}
    </>
  )
}

function calculating(columns: Column[], key: string, calculation: Calculation | undefined): Column[] {
  return columns.map((column) => {
    if (column.key !== key) return column
    const { calculation: _, ...bare } = column
    return calculation ? { ...bare, calculation } : bare
  })
}

/** On a phone, in one line each. */
export function CardsFoot({
  object,
  columns,
  count,
  numbers,
}: Pick<Props, 'object' | 'columns' | 'count' | 'numbers'>) {
  const calculations = columns.flatMap(({ field, calculation }) => (calculation ? [{ field, calculation }] : []))
  if (!calculations.length) return null
  return (
    <dl className={css.lines} aria-label="Calculations">
      {count !== undefined && <Line name="Total" text={counted(count, object)} />}
      {numbers &&
        calculations.map(({ field, calculation }) => {
          const { text, note } = calculated(
            field,
            calculation,
            { ...numbers, values: numbers.totals },
            numbers.currency,
          )
          return <Line key={field.key} name={phraseOf(calculation, field)} text={text} note={note} />
        })}
    </dl>
  )
}

const Line = ({ name, text, note }: { name: string; text: string; note?: string | undefined }) => (
  <div title={note}>
    <dt>{name}</dt>
    <dd>{text}</dd>
  </div>
)
