import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../client/api.ts'
import type { Reading } from '../../records/filter/read.ts'
import type { ObjectShape } from '../../records/schema.ts'
import { Failure } from '../../ui/failure.tsx'
import { CopyAs } from './copy-as.tsx'
import css from './filter-syntax.module.css'
import { Matches } from './matches.tsx'

/** What a filter means, and what it finds. While one types on, the last whole filter stays, paler. */
export function Outcome({ object, reading }: { object: ObjectShape; reading: Reading }) {
  const { text: filter, faults } = reading
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['records', object.key, 'filter-check', filter],
    queryFn: ({ signal }) => api.validateFilter({ object: object.key, filter }, { signal }),
    enabled: !faults.length,
    placeholderData: (before, query) => (query?.queryKey[1] === object.key ? keepPreviousData(before) : undefined),
  })
  if (error) return <Failure error={error} onRetry={refetch} busy={isFetching} />
  const isOld = faults.length > 0 || !data?.is_valid
  if (!data?.is_valid || data.text === null) {
    const isWrong = faults.length > 0 || data?.is_valid === false
    return <p className={css.waiting}>{isWrong && 'Mend what is underlined to see what it finds.'}</p>
  }
  return (
    <div className={css.outcome} data-old={isOld || undefined}>
      <div className={css.found}>
        <p className={css.explanation} dir="auto">
          {data.explanation}
        </p>
        <Matches object={object} filter={data.text} />
      </div>
      <CopyAs question={{ object: object.key, text: data.text, json: data.json }} />
    </div>
  )
}
