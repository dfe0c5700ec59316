import { Button } from '@mantine/core'
import { Download } from 'lucide-react'
import type { Job } from './jobs.ts'

// Links instead of calls: the browser saves the file by itself, however large it is.
const exportedFile = (file_id: string) => `/app/api/files/${file_id}/content`
const failedRows = (job_id: string) => `/app/api/jobs/${job_id}/failed-rows`

type Props = { job: Job; size?: 'sm' | 'compact-sm'; isMain?: boolean }

/** The file that an export has written. */
export const DownloadExport = ({ job, ...look }: Props) =>
  job.state === 'done' && job.result?.file_id ? (
    <DownloadLink href={exportedFile(job.result.file_id)} {...look}>
      Download
    </DownloadLink>
  ) : null

/** The rows of an import that failed, with the reasons: to be corrected and imported again. */
export const DownloadFailedRows = ({ job, ...look }: Props) =>
  job.kind === 'import' && job.failed > 0 ? (
    <DownloadLink href={failedRows(job.id)} {...look}>
      Download failed rows
    </DownloadLink>
  ) : null

type LinkProps = Omit<Props, 'job'> & { href: string; children: string }

const DownloadLink = ({ href, size = 'compact-sm', isMain = false, children }: LinkProps) => (
  <Button
    component="a"
    href={href}
    download
    variant={isMain ? 'filled' : 'default'}
    size={size}
    leftSection={<Download size={14} aria-hidden="true" />}
  >
    {children}
  </Button>
)
