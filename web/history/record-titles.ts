import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { mostRecords } from '../../contract/records.ts'
import { api } from '../client/api.ts'

/** What these records are called, those in the trash too; as long as nobody knows, dots. Left out: those gone for good. */
export function useRecordTitles(ids: string[]) {
  const wanted = [...new Set(ids)].slice(0, mostRecords)
  const { data, isPlaceholderData, isError } = useQuery({
    queryKey: ['record-titles', 'with trash', ...wanted],
    queryFn: async () => (await api.titleRecords({ ids: wanted, deleted: true })).items,
    enabled: wanted.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  const isKnown = (data && !isPlaceholderData) || isError
  const dots = isKnown ? [] : wanted.map((id) => [id, '…'] as const)
  return new Map([...dots, ...(data ?? []).map(({ id, title }) => [id, title] as const)])
}
