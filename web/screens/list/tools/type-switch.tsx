import { Button, Menu } from '@mantine/core'
import { Calendar, Check, ChevronDown, SquareKanban, Table2 } from 'lucide-react'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import { boardField, boardFields, calendarField, calendarFields } from '../../../records/lists/display-fields.ts'
import type { ViewType } from '../../../records/lists/list-search.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'

type Props = { object: ObjectShape; state: ListState }

const icons = { table: Table2, board: SquareKanban, calendar: Calendar }
const names: Record<ViewType, string> = { table: 'Table', board: 'Board', calendar: 'Calendar' }

/** Table, board by a field, or calendar by a date: one menu, which says what is shown. */
export function TypeSwitch({ object, state }: Props) {
  const { type } = state
  const Icon = icons[type]
  const by = fieldOf(object, state)
  const label = by ? `${names[type]} by ${inSentence(by.label)}` : names[type]
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-label={`Show as: ${label}`}
          leftSection={<Icon size={14} />}
          rightSection={<ChevronDown size={12} />}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label="Show as">
        <TypeItems object={object} state={state} />
      </Menu.Dropdown>
    </Menu>
  )
}

function TypeItems({ object, state }: Props) {
  const by = fieldOf(object, state)
  const choices = typeChoices(object)
  const item = (type: ViewType, field: FieldShape | undefined, label: string) => {
    const Icon = icons[type]
    const isHere = state.type === type && (type === 'table' || by?.key === field?.key)
    return (
      <Menu.Item
        key={`${type} ${field?.key}`}
        leftSection={<Icon size={14} />}
        rightSection={isHere && <Check size={14} />}
        aria-current={isHere ? 'true' : undefined}
        onClick={() => state.change(asType(type, field))}
      >
        {label}
      </Menu.Item>
    )
  }
  return (
    <>
      {item('table', undefined, 'Table')}
      {choices.board.length > 0 && <Menu.Label>Board by</Menu.Label>}
      {choices.board.map((field) => item('board', field, field.label))}
      {choices.calendar.length > 0 && <Menu.Label>Calendar by</Menu.Label>}
      {choices.calendar.map((field) => item('calendar', field, field.label))}
    </>
  )
}

/** Another way to look at the same records: the groups of the last one do not fit. */
export const asType = (type: ViewType, field: FieldShape | undefined) => ({
  type,
  groupBy: field ? { field: field.key } : null,
  collapsed: [],
})

export const typeChoices = (object: ObjectShape) => ({ board: boardFields(object), calendar: calendarFields(object) })

/** By which field a board or a calendar is laid out. */
export const fieldOf = (object: ObjectShape, state: ListState) =>
  state.type === 'board'
    ? boardField(object, state)
    : state.type === 'calendar'
      ? calendarField(object, state)
      : undefined
