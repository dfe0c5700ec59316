import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo } from 'react'
import type { ObjectShape } from '../../../records/data/schema.ts'
import { counted } from '../../../records/data/value-text.ts'
import { type Calculated, calculated, nameOf, phraseOf } from '../../../records/lists/calculations.ts'
import { calculatedIn } from '../../../records/lists/column-widths.ts'
import { placeOf, type Shown } from '../../../records/lists/use-columns.ts'
import { useFormats } from '../../../ui/text/formats.ts'
import { asNumber } from '../../../ui/text/numbers.ts'
import css from './group-row.module.css'
import type { Group } from './use-groups.ts'

type Props = {
  object: ObjectShape
  columns: Shown[]
  group: Group
  currency: string | null
  top: number
  onToggle: (key: string) => void
}

/** The heading of a group in the grid, with its count, and its numbers below those of the columns. */
export const GroupRow = memo(function GroupRow({ object, columns, group, currency, top, onToggle }: Props) {
  useFormats()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in parts
    // biome-ignore lint/a11y/useFocusableInteractive: its button has the focus
    <div role="row" className={css.row} style={{ top }}>
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: see above */}
      <div role="gridcell" className={css.heading} aria-colindex={1} aria-colspan={2}>
        <GroupButton object={object} group={group} onToggle={onToggle} />
      </div>
      {columns.map(({ key, field, pinned, calculation, width }, index) => {
        const told =
          calculation && group.numbers && key !== 'title'
            ? calculated(field, calculation, group.numbers, currency)
            : undefined
        const shown = told && calculatedIn(width, told)
        return (
          // biome-ignore lint/a11y/useSemanticElements: see above
          // biome-ignore lint/a11y/useFocusableInteractive: see above
          <div
            key={key}
            role="gridcell"
            aria-colindex={index + 2}
            className={css.cell}
            data-type={field.type}
            data-title={key === 'title' || undefined}
            style={placeOf(key, pinned)}
            title={told && titleOf(told, shown, phraseOf(calculation!, field))}
          >
            {shown}
          </div>
        )
      })}
    </div>
  )
})

/** What a number is, and the whole of it if it is shown in short. */
const titleOf = ({ text, note }: Calculated, shown: string | undefined, phrase: string) =>
  shown === text ? (note ?? phrase) : [`${phrase}: ${text}`, note].filter(Boolean).join('. ')

type ButtonProps = Pick<Props, 'object' | 'group' | 'onToggle'>

export function GroupButton({ object, group, onToggle }: ButtonProps) {
  const { key, label, color, isCollapsed, numbers } = group
  const count = numbers?.values.count
  const Chevron = isCollapsed ? ChevronRight : ChevronDown
  return (
    <button
      type="button"
      className={css.button}
      aria-expanded={!isCollapsed}
      aria-label={typeof count === 'number' ? `${label}, ${counted(count, object)}` : label}
      onClick={(event) => {
        event.stopPropagation()
        onToggle(key)
      }}
    >
      <Chevron size={15} aria-hidden="true" />
      {color && <span className={css.dot} data-color={color} />}
      <span dir="auto" className={css.label}>
        {label}
      </span>
      {typeof count === 'number' && <span className={css.count}>{asNumber(count)}</span>}
    </button>
  )
}

/** How much of the narrowest phone a sum may take beside the name of its group. */
const cardWidth = 190

/** The heading of a group on a phone. */
export function GroupCard({ object, columns, group, currency, onToggle }: Omit<Props, 'top'>) {
  const sums = columns.flatMap(({ field, calculation }) => {
    if (!calculation || !group.numbers) return []
    const text = calculatedIn(cardWidth, calculated(field, calculation, group.numbers, currency))
    return [calculation === 'sum' || calculation === 'sum_not_lost' ? text : `${nameOf(calculation, field)} ${text}`]
  })
  return (
    <div className={css.card}>
      <GroupButton object={object} group={group} onToggle={onToggle} />
      <span className={css.sums}>{sums.join(' · ')}</span>
    </div>
  )
}
