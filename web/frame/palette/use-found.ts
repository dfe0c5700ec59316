import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../client/api.ts'
import { lastVisited } from '../../records/visited.ts'

const mostFound = 12

/**
 * The records that match what is typed; before anything is typed, the ones visited last. While `isSearching`, they
 * still belong to an earlier text.
 */
export function useFound(query: string) {
  const typed = query.trim()
  const [q] = useDebouncedValue(typed, 120)
  const { data, isPending, error, isPlaceholderData } = useQuery({
    queryKey: ['search', q],
    queryFn: ({ signal }) => api.searchRecords({ q, limit: mostFound }, { signal }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
  const visited = lastVisited().map((one) => ({ ...one, detail: null }))
  return {
    records: typed ? (q ? (data?.items ?? []) : []) : visited,
    isSearching: typed !== '' && (typed !== q || isPending || isPlaceholderData),
    error: typed ? error : null,
  }
}
