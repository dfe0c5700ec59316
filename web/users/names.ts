import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isId } from '../../contract/ids.ts'
import { useSignedIn } from '../client/session.ts'
import { knownUsersQuery } from './directory.ts'
import { userQuery } from './users.ts'

/** Names of users by ID. Users beyond the first few hundred are looked up one by one, once someone asks for them. */
export function useNames() {
  const { me } = useSignedIn()
  const { data: known } = useQuery(knownUsersQuery)
  const wanted = useRef(new Set<string>())
  const [asked, setAsked] = useState<string[]>([])
  useEffect(() => {
    if (known && wanted.current.size > asked.length) setAsked([...wanted.current])
  })
  const found = useQueries({
    queries: asked.map((id) => ({ ...userQuery(id), retry: false, staleTime: 60_000 })),
    combine: (answers) => new Map(answers.flatMap(({ data }) => (data ? [[data.id, data.name] as const] : []))),
  })
  return (given: unknown) => {
    const id = String(given)
    const name = known?.get(id)?.name ?? found.get(id) ?? (id === me.id ? me.name : undefined)
    if (name === undefined && known && isId(id)) wanted.current.add(id)
    return name ?? 'someone'
  }
}
