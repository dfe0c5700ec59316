import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ChangeFilter } from '../../history/change-sets.ts'
import { type ActivitySearch, readSearch } from '../../history/read-search.ts'
import { momentsOf } from '../../ui/moments.ts'

export function useActivitySearch() {
  const search = readSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const change = (patch: Partial<Record<keyof ActivitySearch, string | null>>) =>
    void navigate({ to: '.', search: readSearch(clean({ ...search, ...patch })) as never, replace: true })
  return { search, change }
}

const clean = (search: object) => Object.fromEntries(Object.entries(search).filter(([, value]) => value))

/** As the server wants it. */
export const asked = ({ key, client, by, from, to }: ActivitySearch): ChangeFilter => ({
  by_key: true,
  api_key_id: key,
  client,
  actor_id: by,
  ...momentsOf({ from, to }),
})
