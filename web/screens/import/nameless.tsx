import { CircleAlert } from 'lucide-react'
import type { JobDetails } from '../../client/jobs.ts'
import { asNumber } from '../../ui/text/numbers.ts'
import css from './import.module.css'

type Counts = { nameless?: number | undefined; nameless_lines?: number[] | undefined }

/** New records that no one would find by a name, and where they are in the files. */
export function Nameless({ job: { result } }: { job: JobDetails }) {
  if (!result?.nameless) return null
  const places = result.files
    ? result.files.filter(({ nameless }) => nameless).map((file) => `${file.file_name}, ${linesOf(file)}`)
    : [linesOf(result)]
  return (
    <p className={css.warning}>
      <CircleAlert size={14} />
      <span>
        {asNumber(result.nameless)} of the new records {result.dry_run ? 'would have' : 'have'} no name:{' '}
        {places.join('; ')}.
      </span>
    </p>
  )
}

function linesOf({ nameless = 0, nameless_lines = [] }: Counts) {
  if (!nameless_lines.length) return `${asNumber(nameless)} ${nameless === 1 ? 'row' : 'rows'}`
  const left = nameless - nameless_lines.length
  const lines = [...nameless_lines.map(asNumber), ...(left > 0 ? [`${asNumber(left)} more`] : [])]
  return `${nameless === 1 ? 'line' : 'lines'} ${new Intl.ListFormat('en').format(lines)}`
}
