import { Button, Select, TextInput } from '@mantine/core'
import type { AuditAction } from '../../../../contract/audit.ts'
import { auditGroups, auditWords } from '../audit-words.ts'
import { UserSelect } from '../user-select.tsx'
import css from './audit.module.css'
import { type AuditFilter, noFilter } from './filter.ts'

const actions = auditGroups.map(({ group, actions }) => ({
  group,
  items: actions.map((value) => ({ value, label: auditWords[value].label })),
}))

type Props = { filter: AuditFilter; onChange: (filter: AuditFilter) => void }

export const AuditFilters = ({ filter, onChange }: Props) => (
  <search className={css.filters}>
    <Select
      label="What"
      placeholder="Anything"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Show anything' }}
      nothingFoundMessage="No such event"
      data={actions}
      value={filter.action}
      onChange={(action) => onChange({ ...filter, action: action as AuditAction | null })}
    />
    <UserSelect
      label="Who"
      placeholder="Anybody"
      clearable
      clearButtonProps={{ 'aria-label': 'Show anybody' }}
      state="all"
      value={filter.actor_id}
      onChange={(actor_id) => onChange({ ...filter, actor_id })}
    />
    <TextInput
      label="From"
      type="date"
      max={filter.to || undefined}
      value={filter.from}
      onChange={(event) => onChange({ ...filter, from: event.currentTarget.value })}
    />
    <TextInput
      label="To"
      type="date"
      min={filter.from || undefined}
      value={filter.to}
      onChange={(event) => onChange({ ...filter, to: event.currentTarget.value })}
    />
    {Object.values(filter).some(Boolean) && (
      <Button variant="subtle" color="gray" onClick={() => onChange(noFilter)}>
        Clear
      </Button>
    )}
  </search>
)
