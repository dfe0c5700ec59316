import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Download, Undo2, X } from 'lucide-react'
import { api } from '../client/api.ts'
import { isActive, type Job, jobsChanged } from '../client/jobs.ts'
import { useSignedIn } from '../client/session.ts'
import { openUndo } from '../history/open-undo.ts'
import { useSchema } from '../records/data/schema.ts'
import { complain } from '../ui/basics/notices.tsx'
import { undoTitle, undoWords } from './undo-words.ts'

type Props = { job: Job; title: string; size?: 'sm' | 'compact-sm' }

/** Cancels a job that is not over yet. What it has done so far stays. */
export function CancelJob({ job, title, size = 'compact-sm' }: Props) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.cancelJob({ id: job.id }),
    onError: (error) => complain('The job was not cancelled', error),
    onSettled: jobsChanged,
  })
  if (!isActive(job)) return null
  // The last step of a job that was cancelled may still run.
  const isEnding = isPending || !job.can_cancel
  return (
    <Button
      variant="default"
      size={size}
      leftSection={<X size={13} />}
      aria-label={`Cancel: ${title}`}
      disabled={isEnding}
      onClick={() => mutate()}
    >
      {isEnding ? 'Cancelling' : 'Cancel'}
    </Button>
  )
}

/** Undoes everything that a job changed, after a question. A large undo is a job itself. `onAsk`: what shows it may go. */
export function UndoJob({ job, title, size = 'compact-sm', onAsk }: Props & { onAsk?: () => void }) {
  const objects = useSchema()
  if (!job.can_undo) return null
  const ask = () => {
    onAsk?.()
    openUndo({
      title: undoTitle(job),
      what: { change_set_ids: [job.change_set_id] },
      creates: 'none',
      happens: undoWords(job, objects),
    })
  }
  return (
    <Button variant="default" size={size} leftSection={<Undo2 size={13} />} aria-label={`Undo: ${title}`} onClick={ask}>
      Undo
    </Button>
  )
}

// Links instead of calls: the browser saves the file by itself, however large it is.
const exportedFile = (file_id: string) => `/app/api/files/${file_id}/content`
export const failedRows = (job_id: string) => `/app/api/jobs/${job_id}/failed-rows`

type DownloadExportProps = { job: Job; size?: 'sm' | 'compact-sm'; isMain?: boolean }

/** The file that an export has written. It is only for the user who exported it. */
export function DownloadExport({ job, ...look }: DownloadExportProps) {
  const { me } = useSignedIn()
  if (job.state !== 'done' || !job.result?.file_id || job.created_by !== me.id) return null
  return (
    <DownloadLink href={exportedFile(job.result.file_id)} {...look}>
      Download
    </DownloadLink>
  )
}

/** In a file of failed rows. Those that a check would import in part are not in it. */
export const toCorrect = (
  { failed, unreadable = 0 }: { failed: number; unreadable?: number | undefined },
  isDry = false,
) => failed + (isDry ? 0 : unreadable)

/** The rows of an import that failed, with the reasons: to be corrected and imported again. See MoveFiles for moves. */
export const DownloadFailedRows = ({ job, ...look }: DownloadExportProps) =>
  job.kind === 'import' &&
  toCorrect({ failed: job.failed, unreadable: job.result?.unreadable }, job.result?.dry_run) ? (
    <DownloadLink href={failedRows(job.id)} {...look}>
      Download failed rows
    </DownloadLink>
  ) : null

type LinkProps = Omit<DownloadExportProps, 'job'> & { href: string; children: string }

const DownloadLink = ({ href, size = 'compact-sm', isMain = false, children }: LinkProps) => (
  <Button
    component="a"
    href={href}
    download
    variant={isMain ? 'filled' : 'default'}
    size={size}
    leftSection={<Download size={14} />}
  >
    {children}
  </Button>
)
