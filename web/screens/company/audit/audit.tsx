import { Button } from '@mantine/core'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { CompanyPage } from '../company-page.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { AuditList } from './audit-list.tsx'
import { type AuditFilter, exportLink, noFilter } from './filter.ts'

export function Audit() {
  const [filter, setFilter] = useState<AuditFilter>(noFilter)
  return (
    <CompanyPage
      title="Audit log"
      lead="Who signed in, and who changed keys, roles and settings. Nobody can edit it."
      grant="audit.read"
      wide
      actions={
        <Button
          component="a"
          href={exportLink(filter)}
          download
          variant="default"
          leftSection={<Download size={15} aria-hidden="true" />}
        >
          Export CSV
        </Button>
      }
    >
      <AuditFilters filter={filter} onChange={setFilter} />
      <AuditList filter={filter} />
    </CompanyPage>
  )
}
