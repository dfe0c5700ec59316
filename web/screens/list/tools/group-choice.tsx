import { Button, Menu, NativeSelect } from '@mantine/core'
import { Check, Group as GroupIcon } from 'lucide-react'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import { groupFields } from '../../../records/lists/display-fields.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'

type Props = { object: ObjectShape; state: ListState }

const isTime = ({ type }: FieldShape) => type === 'date' || type === 'datetime'
const labelOf = (field: FieldShape) => (isTime(field) ? `${field.label} by month` : field.label)
const grouped = (field: FieldShape | undefined) => ({
  groupBy: field ? { field: field.key, ...(isTime(field) && { period: 'month' as const }) } : null,
  collapsed: [],
})

/** Groups the rows of a table by an option, a user or a month. */
export function GroupChoice({ object, state }: Props) {
  const fields = groupFields(object)
  const chosen = fields.find(({ key }) => key === state.groupBy?.field)
  const item = (field: FieldShape | undefined) => (
    <Menu.Item
      key={field?.key ?? ''}
      rightSection={chosen?.key === field?.key && <Check size={14} />}
      aria-current={chosen?.key === field?.key ? 'true' : undefined}
      onClick={() => state.change(grouped(field))}
    >
      {field ? labelOf(field) : 'No groups'}
    </Menu.Item>
  )
  if (!fields.length) return null
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-label={chosen ? `Group by: ${labelOf(chosen)}` : 'Group by'}
          leftSection={<GroupIcon size={14} />}
        >
          {chosen ? chosen.label : 'Group'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label="Group by">
        {item(undefined)}
        {fields.map(item)}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The same on a phone. */
export function GroupSelect({ object, state }: Props) {
  const fields = groupFields(object)
  const chosen = fields.find(({ key }) => key === state.groupBy?.field)
  return (
    <NativeSelect
      size="md"
      aria-label="Group by"
      value={chosen?.key ?? ''}
      onChange={({ currentTarget }) => state.change(grouped(fields.find(({ key }) => key === currentTarget.value)))}
      data={[
        { value: '', label: 'No groups' },
        ...fields.map((field) => ({ value: field.key, label: labelOf(field) })),
      ]}
    />
  )
}
