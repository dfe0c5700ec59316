// The titles of related records. Answers bring them along; only a record that was just chosen, or that a filter names, is
// looked up.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../client/api.ts'

export type Titled = { object: string; id: string; title: string }

/** null: deleted, or not for this user. `known` is used until something changes. */
export const titleQuery = (id: string, known?: Titled | null) =>
  queryOptions({
    queryKey: ['record-titles', id],
    queryFn: async (): Promise<Titled | null> => (await api.titleRecords({ ids: [id] })).items[0] ?? null,
    staleTime: 60_000,
    ...(known !== undefined && { initialData: known }),
  })

export const useTitle = (id: string, known?: Titled | null) => useQuery(titleQuery(id, known))
