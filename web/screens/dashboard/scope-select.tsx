import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { knownUsersQuery } from '../../users/users.ts'
import { nameOfRange, orderedRanges } from './periods.ts'

type Props = {
  label: string
  /** Beside others in a row, the label is only heard. */
  isBare?: boolean
  value: string | null
  /** What no choice means. */
  none: string
  onChange: (value: string | null) => void
}

const labelled = ({ label, isBare }: Pick<Props, 'label' | 'isBare'>) => (isBare ? { 'aria-label': label } : { label })

/** A range of days that moves with today. */
export function RangeSelect({ value, none, onChange, ...named }: Props) {
  const known =
    value !== null && !(orderedRanges as string[]).includes(value) ? [value, ...orderedRanges] : orderedRanges
  return (
    <Select
      {...labelled(named)}
      data={[{ value: '', label: none }, ...known.map((range) => ({ value: range, label: nameOfRange(range) }))]}
      value={value ?? ''}
      searchable={false}
      maxDropdownHeight={320}
      onChange={(next) => onChange(next || null)}
    />
  )
}

/** Whose records: everyone's, the viewer's, or one user's. */
export function OwnerSelect({ value, none, onChange, ...named }: Props) {
  const { data: users } = useQuery(knownUsersQuery)
  const people = [...(users?.values() ?? [])].filter(({ state, id }) => state === 'active' || id === value)
  const data = [
    { value: '', label: none },
    { value: 'me', label: 'Me' },
    ...people.map(({ id, name }) => ({ value: id, label: name })),
  ]
  return (
    <Select
      {...labelled(named)}
      data={data}
      value={value ?? ''}
      searchable
      maxDropdownHeight={320}
      onChange={(next) => onChange(next || null)}
    />
  )
}
