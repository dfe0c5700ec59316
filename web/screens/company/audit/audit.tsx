import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Download, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { Failure } from '../../../ui/failure.tsx'
import { CompanyPage } from '../company-page.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { AuditList } from './audit-list.tsx'
import { type AuditFilter, exportLink, noFilter } from './filter.ts'
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
      lead="Who signed in, and who changed keys, roles and settings. Nobody can edit it."
      needs="audit.read"
      wide
      actions={
        <>
          <Button
            variant="default"
            leftSection={<ShieldCheck size={15} aria-hidden="true" />}
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
            leftSection={<Download size={15} aria-hidden="true" />}
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
