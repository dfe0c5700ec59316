// What related records are called: those of a whole screen are asked for together.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { mostRecords } from '../../contract/records.ts'
import { api } from '../api.ts'

export type Titled = { object: string; id: string; title: string }

type Waiting = { id: string; tell: (found: Titled | null) => void; fail: (error: unknown) => void }
let waiting: Waiting[] = []

function ask(id: string) {
  return new Promise<Titled | null>((tell, fail) => {
    if (!waiting.length) setTimeout(send, 10)
    waiting.push({ id, tell, fail })
  })
}

function send() {
  const all = waiting
  waiting = []
  for (let i = 0; i < all.length; i += mostRecords) void answer(all.slice(i, i + mostRecords))
}

async function answer(some: Waiting[]) {
  try {
    const { items } = await api.titleRecords({ ids: [...new Set(some.map(({ id }) => id))] })
    const found = new Map(items.map((one) => [one.id, one]))
    for (const { id, tell } of some) tell(found.get(id) ?? null)
  } catch (error) {
    for (const { fail } of some) fail(error)
  }
}

/** null: deleted, or not for this user. What an answer brought along is not asked for before something changes. */
export const titleQuery = (id: string, known?: Titled | null) =>
  queryOptions({
    queryKey: ['record-titles', id],
    queryFn: () => ask(id),
    staleTime: 60_000,
    ...(known !== undefined && { initialData: known }),
  })

export const useTitle = (id: string, known?: Titled | null) => useQuery(titleQuery(id, known)).data
