import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { countQuery, type Question } from '../../../records/records-api.ts'
import type { Rows } from './use-rows.ts'

/** Up to 10,000 at once, then exactly. Asked for after the rows: they are what one waits for, and may say it themselves. */
export function useMatchCount(question: Question, { rows, isLoading, isOld, isWhole, isCurrent }: Rows) {
  const isThere = !isLoading && !isOld
  const isCounted = isThere && isWhole && isCurrent
  const enabled = isThere && !isCounted
  const { data: quick } = useQuery({ ...countQuery(question), enabled, placeholderData: keepPreviousData })
  const isMany = quick?.is_exact === false
  const { data: exact } = useQuery({
    ...countQuery(question, true),
    enabled: enabled && isMany,
    placeholderData: keepPreviousData,
  })
  if (isCounted) return { count: rows.length, isExact: true }
  if (isMany && exact) return { count: exact.count, isExact: true }
  return quick && { count: quick.count, isExact: quick.is_exact }
}
