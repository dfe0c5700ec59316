import { Skeleton } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowUpRight } from 'lucide-react'
import { inSentence } from '../../../contract/in-sentence.ts'
import { api } from '../../client/api.ts'
import type { ObjectShape } from '../../records/schema.ts'
import { Failure } from '../../ui/failure.tsx'
import { asNumber } from '../../ui/numbers.ts'
import css from './filter-syntax.module.css'

const mostShown = 8

/** How many records fit, and the first of them. */
export function Matches({ object, filter }: { object: ObjectShape; filter: string }) {
  const { key } = object
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['records', key, 'tried', filter],
    queryFn: async () => {
      const question = { object: key, filter }
      const first = api.queryRecords({ ...question, limit: mostShown, fields: ['title'] })
      const [{ records }, total] = await Promise.all([first, api.countRecords(question)])
      return { key, records, ...total }
    },
    placeholderData: keepPreviousData,
  })
  if (error) return <Failure error={error} onRetry={refetch} busy={isFetching} />
  if (!data || data.key !== key) return <Skeleton height={160} radius="lg" />
  const { count, is_exact, records } = data
  const number = is_exact ? asNumber(count) : `More than ${asNumber(count)}`
  return (
    <div data-stale={isPlaceholderData || undefined} className={css.matches}>
      <div className={css.count}>
        <p role="status">
          <strong>{number}</strong> {inSentence(count === 1 ? object.label : object.label_plural)}
        </p>
        <Link to="/records/$object" params={{ object: key }} search={filter ? { filter } : {}}>
          Open as a list
          <ArrowUpRight size={14} aria-hidden="true" />
        </Link>
      </div>
      {records.length > 0 ? (
        <ul aria-label="First matches">
          {records.map((record) => (
            <li key={record.id}>
              <Link to="/records/$object/$id" params={{ object: key, id: record.id }}>
                <bdi>{String(record.title || 'Untitled')}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <p className={css.none}>Nothing fits. Take a condition out, or try another value.</p>
      )}
    </div>
  )
}
