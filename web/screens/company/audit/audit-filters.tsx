import { Button, Select } from '@mantine/core'
import type { AuditAction } from '../../../../contract/audit.ts'
import { DateRange } from '../../../ui/date-range.tsx'
import { UserSelect } from '../../../users/user-select.tsx'
import { auditGroups, auditWords } from '../audit-words.ts'
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
      placeholder="Anyone"
      clearable
      clearButtonProps={{ 'aria-label': 'Show anyone' }}
      state="all"
      value={filter.actor_id}
      onChange={(actor_id) => onChange({ ...filter, actor_id })}
    />
    <DateRange from={filter.from} to={filter.to} onChange={(days) => onChange({ ...filter, ...days })} />
    {Object.values(filter).some(Boolean) && (
      <Button variant="subtle" color="gray" onClick={() => onChange(noFilter)}>
        Clear
      </Button>
    )}
  </search>
)
