import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../client/api.ts'
import { Badge } from '../ui/badge.tsx'
import { asNumber } from '../ui/numbers.ts'
import css from './job-problems.module.css'
import type { JobDetails } from './jobs.ts'

/** The first problems of a job, each with the record or the line of the file that it is about. */
export function JobProblems({ job }: { job: JobDetails }) {
  const ids = [...new Set(job.problems.flatMap(({ record_id }) => record_id ?? []))]
  const { data: titled = [] } = useQuery({
    queryKey: ['record-titles', 'of problems', job.id, ids.length],
    queryFn: async () => (await api.titleRecords({ ids, deleted: true })).items,
    enabled: ids.length > 0,
  })
  const records = new Map(titled.map((one) => [one.id, one]))
  const { length } = job.problems
  return (
    <section className={css.problems} aria-labelledby="problems">
      <h2 id="problems">Problems</h2>
      {job.failed > length && (
        <p>
          The first {asNumber(length)} of {asNumber(job.failed)}.
        </p>
      )}
      <ul>
        {job.problems.map(({ line, record_id, message, is_note }, index) => {
          const record = record_id ? records.get(record_id) : undefined
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a record may have several problems, and their order is fixed
            <li key={index}>
              <span className={css.about}>
                {line !== null && <span>Line {asNumber(line)}</span>}
                {record && (
                  <Link to="/records/$object/$id" params={{ object: record.object, id: record.id }}>
                    <bdi>{record.title}</bdi>
                  </Link>
                )}
                {record_id && !record && <span>A record</span>}
                {is_note && <Badge>Imported in part</Badge>}
              </span>
              <span dir="auto">{message}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
