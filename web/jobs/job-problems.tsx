import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../client/api.ts'
import type { JobDetails } from '../client/jobs.ts'
import { Badge } from '../ui/basics/avatar.tsx'
import { asNumber } from '../ui/text/numbers.ts'
import css from './job-problems.module.css'

type Group = JobDetails['problem_groups'][number]
type Titled = Awaited<ReturnType<typeof api.getRecordTitles>>['items'][number]
type Records = Map<string, Titled>

/** The problems of a job by kind, each with the rows or records that have it. */
export function JobProblems({ job }: { job: JobDetails }) {
  const { problem_groups: groups } = job
  const ids = [...new Set(groups.flatMap(({ first }) => first.flatMap(({ record_id }) => record_id ?? [])))]
  const { data: titled = [] } = useQuery({
    queryKey: ['record-titles', 'of problems', job.id, ids.length],
    queryFn: async () => (await api.getRecordTitles({ ids: ids.slice(0, mostTitles), include_deleted: true })).items,
    enabled: ids.length > 0,
  })
  const records: Records = new Map(titled.map((one) => [one.id, one]))
  const counted = groups.reduce((sum, { count, is_note }) => (is_note ? sum : sum + count), 0)
  return (
    <section className={css.problems} aria-labelledby="problems">
      <h2 id="problems">Problems</h2>
      {job.failed > counted && (
        <p>
          {asNumber(counted)} of {asNumber(job.failed)} are shown.
        </p>
      )}
      <ul className={css.groups}>
        {groups.map((group) => (
          <ProblemGroup
            key={JSON.stringify([group.file_id, group.is_note, group.message])}
            of={group}
            records={records}
          />
        ))}
      </ul>
    </section>
  )
}

/** Programs choose it by its key, people above the columns of the file. */
const inWords = (message: string) =>
  message.replace(' of the phone numbers (format.country)', ' under “Phone numbers”, above the columns of the file')

const mostTitles = 100
/** So many rows are shown before someone asks for more. */
const mostAtFirst = 3

function ProblemGroup({ of: { file_name, message, is_note, count, first }, records }: { of: Group; records: Records }) {
  const [isOpen, setOpen] = useState(false)
  const noun = (first[0]?.line ?? null) === null ? 'record' : 'row'
  const shown = isOpen ? first : first.slice(0, mostAtFirst)
  const left = count - shown.length
  return (
    <li className={css.group}>
      <span className={css.about}>
        <span className={css.count}>
          {asNumber(count)} {count === 1 ? noun : `${noun}s`}
        </span>
        {file_name && <bdi>{file_name}</bdi>}
        {is_note && <Badge>Partly imported</Badge>}
      </span>
      <div className={css.kind}>
        <span dir="auto">{inWords(message)}</span>
        <ul className={css.rows}>
          {shown.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: their order is fixed
            <li key={index} className={css.row}>
              <Row of={row} records={records} />
            </li>
          ))}
          {isOpen && left > 0 && <li>and {asNumber(left)} more</li>}
        </ul>
        {first.length > mostAtFirst && (
          <Button variant="subtle" size="compact-xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Show fewer' : count > first.length ? `Show the first ${first.length}` : `Show all ${count}`}
          </Button>
        )}
      </div>
    </li>
  )
}

function Row({ of: { line, record_id, value }, records }: { of: Group['first'][number]; records: Records }) {
  const record = record_id ? records.get(record_id) : undefined
  return (
    <>
      {line !== null && <span>Line {asNumber(line)}</span>}
      {record && (
        <Link to="/records/$object/$id" params={{ object: record.object, id: record.id }}>
          <bdi>{record.title}</bdi>
        </Link>
      )}
      {record_id && !record && <span>A record</span>}
      {value !== null && <bdi className={css.value}>{value}</bdi>}
    </>
  )
}
