import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { contract } from '../../contract/index.ts'
import type { Input, Output } from '../../contract/operation.ts'
import { mostRecords } from '../../contract/records.ts'
import { isId } from '../../contract/shared/ids.ts'
import { api } from '../client/api.ts'
import { pagesOf } from '../client/pages.ts'
import type { ObjectShape } from '../records/data/schema.ts'

export type ChangeSet = Output<typeof contract.listChanges>['items'][number]
export type Change = ChangeSet['changes'][number]
export type ChangeFilter = Omit<Input<typeof contract.listChanges>, 'limit' | 'cursor' | 'max_changes'>

const pageSize = 50
/** A whole change set, with its summary in words. */
const mostChanges = 1000

export const changesQuery = (filter: ChangeFilter) => ({
  ...pagesOf(['changes', filter], (cursor) =>
    api.listChanges({ ...filter, max_changes: mostChanges, limit: pageSize, cursor }),
  ),
  placeholderData: keepPreviousData,
})

/** Of members, roles, keys and settings there is no way back here. */
export const isUndoable = ({ changes }: ChangeSet, objects: ObjectShape[]) =>
  changes.some(({ object }) => objects.some(({ key }) => key === object))

/** What one client did with one key, or a person in the web app, without a long pause. */
export type Session = Pick<ChangeSet, 'api_key_id' | 'api_key_name' | 'client' | 'actor_name'> & {
  id: string
  isKith: boolean
  /** No later one of this client with this key is known. */
  isLatest: boolean
  /** Newest first. */
  sets: ChangeSet[]
}

const pauseMs = 30 * 60_000

/** From change sets, newest first; two clients at work at the same time are two sessions. */
export function sessionsOf(sets: ChangeSet[]): Session[] {
  const sessions: Session[] = []
  const open = new Map<string, Session>()
  for (const set of sets) {
    // Without a key, the client is the browser, which says nothing.
    const client = set.api_key_id ? set.client : null
    const isKith = set.principal?.kind === 'system'
    const who = `${set.actor_id} ${set.api_key_id} ${client} ${isKith}`
    const last = open.get(who)
    if (last && Date.parse(last.sets.at(-1)!.at) - Date.parse(set.at) <= pauseMs) {
      last.sets.push(set)
      continue
    }
    const { id, api_key_id, api_key_name, actor_name } = set
    const session = { id, api_key_id, api_key_name, client, actor_name, isKith, isLatest: !last, sets: [set] }
    open.set(who, session)
    sessions.push(session)
  }
  return sessions
}

/** The records whose titles appear in the descriptions of change sets. */
export const namedIn = (sets: ChangeSet[]) =>
  sets.flatMap(({ changes, merged }) => merged?.record_id ?? changes.slice(0, 1).map(({ record_id }) => record_id))

/** The titles of these records, including those in the trash. Dots until they are known; permanently deleted ones are left out. */
export function useRecordTitles(ids: string[]) {
  const wanted = [...new Set(ids)].slice(0, mostRecords)
  const { data, isPlaceholderData, isError } = useQuery({
    queryKey: ['record-titles', 'with trash', ...wanted],
    queryFn: async () => (await api.getRecordTitles({ ids: wanted, include_deleted: true })).items,
    enabled: wanted.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  const isKnown = (data && !isPlaceholderData) || isError
  const dots = isKnown ? [] : wanted.map((id) => [id, '…'] as const)
  return new Map([...dots, ...(data ?? []).map(({ id, title }) => [id, title] as const)])
}

/** The filters as they stand in the address; days are those of the reader's time zone. */
/** `first` and `last`: the change sets that a notification is about. */
export type ActivitySearch = {
  key?: string
  client?: string
  by?: string
  from?: string
  to?: string
  first?: string
  last?: string
}

/** Instead of a key: what Kith itself changed. */
export const byKith = 'kith'

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text)

export function readSearch(given: Record<string, unknown>): ActivitySearch {
  const fitting = (value: unknown, fits: (text: string) => boolean) => (fits(String(value)) ? String(value) : undefined)
  const search = {
    key: fitting(given.key, (text) => isId(text) || text === byKith),
    client: given.client === undefined ? undefined : String(given.client).slice(0, 200) || undefined,
    by: fitting(given.by, isId),
    from: fitting(given.from, isDay),
    to: fitting(given.to, isDay),
    first: fitting(given.first, isId),
    last: fitting(given.last, isId),
  }
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}
