import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { countQuery, type Question } from '../../../records/records-api.ts'

/** Up to 10,000 at once, then exactly. */
export function useMatchCount(question: Question, isWhole: boolean, loaded: number) {
  const { data: quick } = useQuery({ ...countQuery(question), placeholderData: keepPreviousData })
  const isMany = quick?.is_exact === false
  const { data: exact } = useQuery({
    ...countQuery(question, true),
    enabled: isMany,
    placeholderData: keepPreviousData,
  })
  if (isWhole) return { count: loaded, isExact: true }
  if (isMany && exact) return { count: exact.count, isExact: true }
  return quick && { count: quick.count, isExact: quick.is_exact }
}
