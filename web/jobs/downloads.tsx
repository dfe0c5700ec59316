import { Button } from '@mantine/core'
import { Download } from 'lucide-react'
import type { Job } from './jobs.ts'

// Links instead of calls: the browser saves the file by itself, however large it is.
const exportedFile = (file_id: string) => `/app/api/files/${file_id}/content`
const failedRows = (job_id: string) => `/app/api/jobs/${job_id}/failed-rows`

/** The file that an export has written. */
export const DownloadExport = ({ job, isMain = false }: { job: Job; isMain?: boolean }) =>
  job.state === 'done' && job.result?.file_id ? (
    <DownloadLink href={exportedFile(job.result.file_id)} isMain={isMain}>
      Download
    </DownloadLink>
  ) : null

/** The rows of an import that failed, with the reasons: to be corrected and imported again. */
export const DownloadFailedRows = ({ job }: { job: Job }) =>
  job.kind === 'import' && job.failed > 0 ? (
    <DownloadLink href={failedRows(job.id)}>Download failed rows</DownloadLink>
  ) : null

const DownloadLink = ({ href, isMain = false, children }: { href: string; isMain?: boolean; children: string }) => (
  <Button
    component="a"
    href={href}
    download
    variant={isMain ? 'filled' : 'default'}
    size={isMain ? 'sm' : 'compact-sm'}
    leftSection={<Download size={14} aria-hidden="true" />}
  >
    {children}
  </Button>
)
