import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { useSignedIn } from '../../session.ts'

/** The log keeps ids of those it is about. Whoever left, or is beyond the first hundred, stays "somebody". */
export function useNames() {
  const { me } = useSignedIn()
  const { data } = useQuery({
    queryKey: ['users', 'names'],
    queryFn: () => api.listUsers({ state: 'all', limit: 100 }),
    staleTime: 60_000,
  })
  const names = new Map(data?.items.map(({ id, name }) => [id, name]))
  return (id: unknown) => names.get(String(id)) ?? (id === me.id ? me.name : 'somebody')
}
