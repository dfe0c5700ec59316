import { Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Search } from 'lucide-react'
import type { UserFilter } from '../../../users/users.ts'
import css from './member-filters.module.css'

const states = [
  { value: 'all', label: 'Any state' },
  { value: 'active', label: 'Active' },
  { value: 'invited', label: 'Invited' },
  { value: 'deactivated', label: 'Deactivated' },
]
const kinds = [
  { value: 'any', label: 'People and agents' },
  { value: 'person', label: 'People' },
  { value: 'agent', label: 'Agents' },
]

type Props = { filter: UserFilter; states: boolean; onChange: (filter: UserFilter) => void }

export function MemberFilters({ filter, states: hasStates, onChange }: Props) {
  const search = useDebouncedCallback((text: string) => onChange({ ...filter, search: text.trim() || undefined }), 250)
  return (
    <search className={css.filters}>
      <TextInput
        className={css.search}
        aria-label="Search by name"
        placeholder="Search by name"
        leftSection={<Search size={14} aria-hidden="true" />}
        maxLength={100}
        onChange={(event) => search(event.currentTarget.value)}
      />
      {hasStates && (
        <Select
          aria-label="State"
          allowDeselect={false}
          data={states}
          value={filter.state}
          onChange={(state) => onChange({ ...filter, state: state as UserFilter['state'] })}
        />
      )}
      <Select
        aria-label="Kind"
        allowDeselect={false}
        data={kinds}
        value={filter.kind ?? 'any'}
        onChange={(kind) => onChange({ ...filter, kind: kind === 'any' ? undefined : (kind as UserFilter['kind']) })}
      />
    </search>
  )
}
