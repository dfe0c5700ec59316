import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Download, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { AuditAction } from '../../../../contract/audit.ts'
import { api } from '../../../client/api.ts'
import { Filters } from '../../../ui/basics/layout.tsx'
import { Failure } from '../../../ui/basics/states.tsx'
import { DateRange } from '../../../ui/form/date-range.tsx'
import { UserSelect } from '../../../users/user-select.tsx'
import { auditGroups, auditWords } from '../audit-words.ts'
import { CompanyPage } from '../company-area.tsx'
import { type AuditFilter, AuditList, asked } from './audit-list.tsx'
import { Verification } from './verification.tsx'

export function Audit() {
  const [filter, setFilter] = useState<AuditFilter>(noFilter)
  // Only on request, because it reads the whole log.
  const verification = useQuery({
    queryKey: ['audit-verification'],
    queryFn: () => api.verifyAuditLog({}),
    enabled: false,
    gcTime: 0,
  })
  const verify = () => void verification.refetch()
  return (
    <CompanyPage
      title="Audit log"
      lead="Who signed in, and who changed keys, roles and settings. It cannot be edited."
      needs="audit.read"
      wide
      actions={
        <>
          <Button
            variant="default"
            leftSection={<ShieldCheck size={15} />}
            onClick={verify}
            loading={verification.isFetching}
          >
            Verify
          </Button>
          <Button
            component="a"
            href={exportLink(filter)}
            download
            variant="default"
            leftSection={<Download size={15} />}
          >
            Export CSV
          </Button>
        </>
      }
    >
      {verification.isError && <Failure error={verification.error} onRetry={verify} busy={verification.isFetching} />}
      {verification.data && !verification.isError && <Verification of={verification.data} />}
      <AuditFilters filter={filter} onChange={setFilter} />
      <AuditList filter={filter} />
    </CompanyPage>
  )
}

const actions = auditGroups.map(({ group, actions }) => ({
  group,
  items: actions.map((value) => ({ value, label: auditWords[value].label })),
}))

type Props = { filter: AuditFilter; onChange: (filter: AuditFilter) => void }

const AuditFilters = ({ filter, onChange }: Props) => (
  <Filters onClear={Object.values(filter).some(Boolean) && (() => onChange(noFilter))}>
    <Select
      label="Event"
      placeholder="Any event"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Show all events' }}
      nothingFoundMessage="No such event"
      data={actions}
      value={filter.action}
      onChange={(action) => onChange({ ...filter, action: action as AuditAction | null })}
    />
    <UserSelect
      label="User"
      placeholder="Anyone"
      clearLabel="Show all users"
      state="all"
      value={filter.actor_id}
      onChange={(actor_id) => onChange({ ...filter, actor_id })}
    />
    <DateRange from={filter.from} to={filter.to} onChange={(days) => onChange({ ...filter, ...days })} />
  </Filters>
)

const noFilter: AuditFilter = { action: null, actor_id: null, from: '', to: '' }

function exportLink(filter: AuditFilter) {
  const given = Object.entries(asked(filter)).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const query = new URLSearchParams(given).toString()
  return `/app/api/audit-events/export${query && `?${query}`}`
}
