import { Download } from 'lucide-react'
import type { Job } from '../client/jobs.ts'
import { useSchema } from '../records/data/schema.ts'
import { useIsPhone } from '../ui/basics/screen.ts'
import { type Column, DataTable } from '../ui/page/table.tsx'
import { asNumber } from '../ui/text/numbers.ts'
import { failedRows, toCorrect } from './job-actions.tsx'
import css from './move-files.module.css'

type MovedFile = NonNullable<NonNullable<Job['result']>['files']>[number]

/** What a move did to each of its files, or would do. */
export function MoveFiles({ job }: { job: Job }) {
  const objects = useSchema()
  const narrow = useIsPhone()
  const { files, dry_run } = job.result ?? {}
  if (!files?.length) return null
  const nameOf = ({ object }: MovedFile) => objects.find(({ key }) => key === object)?.label_plural ?? object
  const counts = countsOf(files, dry_run ?? false)
  if (narrow) return <ShortList job={job} files={files} counts={counts} nameOf={nameOf} />
  const columns: Column<MovedFile>[] = [
    { key: 'file', label: 'File', cell: ({ file_name }) => <bdi>{file_name}</bdi> },
    { key: 'object', label: 'Records', cell: nameOf },
    ...counts.map(
      ({ label, of }): Column<MovedFile> => ({ key: label, label, cell: (file) => asNumber(of(file) ?? 0) }),
    ),
    { key: 'failed', label: 'Failed', cell: (file) => <Failed job={job} of={file} /> },
  ]
  return <DataTable label="Files" columns={columns} items={files} keyOf={({ file_id }) => file_id} stackOn="phone" />
}

type Count = { label: string; of: (file: MovedFile) => number | undefined }

function countsOf(files: MovedFile[], isDry: boolean): Count[] {
  const skipped: Count = { label: 'Skipped', of: ({ skipped }) => skipped }
  const partly: Count = { label: 'Partly imported', of: ({ partly_imported }) => partly_imported }
  return [
    { label: isDry ? 'New' : 'Created', of: ({ created }) => created },
    { label: isDry ? 'Updates' : 'Updated', of: ({ updated }) => updated },
    { label: 'Unchanged', of: ({ unchanged }) => unchanged },
    ...[skipped, partly].filter(({ of }) => files.some(of)),
  ]
}

type ShortProps = { job: Job; files: MovedFile[]; counts: Count[]; nameOf: (file: MovedFile) => string }

/** On a phone, two lines for each file, without what is zero. */
const ShortList = ({ job, files, counts, nameOf }: ShortProps) => (
  <ul className={css.short} aria-label="Files">
    {files.map((file) => {
      const some = counts.flatMap(({ label, of }) =>
        of(file) ? [`${asNumber(of(file)!)} ${label.toLowerCase()}`] : [],
      )
      return (
        <li key={file.file_id}>
          <bdi>{file.file_name}</bdi>
          {toCorrect(file, job.result?.dry_run) > 0 && <Failed job={job} of={file} />}
          <span className={css.counts}>
            {nameOf(file)}: {some.length ? some.join(', ') : 'none'}
          </span>
        </li>
      )
    })}
  </ul>
)

/** The failed rows of each file, with the reasons: to be corrected and imported again. */
function Failed({ job, of: file }: { job: Job; of: MovedFile }) {
  const { file_id, file_name, failed } = file
  if (!toCorrect(file, job.result?.dry_run)) return '0'
  const name = `Download the failed rows of ${file_name}`
  return (
    <a className={css.failed} href={`${failedRows(job.id)}?file_id=${file_id}`} download title={name} aria-label={name}>
      {failed > 0 && asNumber(failed)} <Download size={13} />
    </a>
  )
}
