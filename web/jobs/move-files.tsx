import { Download } from 'lucide-react'
import type { Job } from '../client/jobs.ts'
import { useSchema } from '../records/data/schema.ts'
import { type Column, DataTable } from '../ui/page/table.tsx'
import { asNumber } from '../ui/text/numbers.ts'
import { failedRows, toCorrect } from './job-actions.tsx'
import css from './move-files.module.css'

type MovedFile = NonNullable<NonNullable<Job['result']>['files']>[number]

/** What a move did to each of its files, or would do. */
export function MoveFiles({ job }: { job: Job }) {
  const objects = useSchema()
  const { files, dry_run } = job.result ?? {}
  if (!files?.length) return null
  const count = (key: string, label: string, of: (file: MovedFile) => number | undefined): Column<MovedFile> => ({
    key,
    label,
    cell: (file) => asNumber(of(file) ?? 0),
  })
  const columns: Column<MovedFile>[] = [
    { key: 'file', label: 'File', cell: ({ file_name }) => <bdi>{file_name}</bdi> },
    {
      key: 'object',
      label: 'Records',
      cell: ({ object }) => objects.find(({ key }) => key === object)?.label_plural ?? object,
    },
    count('created', dry_run ? 'New' : 'Created', ({ created }) => created),
    count('updated', dry_run ? 'Updates' : 'Updated', ({ updated }) => updated),
    count('unchanged', 'Unchanged', ({ unchanged }) => unchanged),
    count('partly', 'Partly imported', ({ partly_imported }) => partly_imported),
    { key: 'failed', label: 'Failed', cell: (file) => <Failed job={job} of={file} /> },
  ]
  return (
    <DataTable
      label="Files"
      columns={columns}
      items={files}
      keyOf={({ file_id }) => file_id}
      stackOn="phone"
      className={css.files}
    />
  )
}

/** The failed rows of each file, with the reasons: to be corrected and imported again. */
function Failed({ job, of: file }: { job: Job; of: MovedFile }) {
  const { file_id, file_name, failed } = file
  if (!toCorrect(file, job.result?.dry_run)) return '0'
  const name = `Download the failed rows of ${file_name}`
  return (
    <a className={css.failed} href={`${failedRows(job.id)}?file_id=${file_id}`} download title={name} aria-label={name}>
      {asNumber(failed)} <Download size={13} />
    </a>
  )
}
