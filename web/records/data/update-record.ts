import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, api } from '../../client/api.ts'
import { isConnected } from '../../client/connection.ts'
import { recent } from '../../client/recent.ts'
import { complain, say } from '../../ui/basics/notices.tsx'
import { askAboutConflict } from './conflict.ts'
import { cachedRecord, changeInCache, plain, recordsChangedSoon } from './record-cache.ts'
import type { RecordShape } from './records-api.ts'
import { quietlyUndoable, saidAndUndoable } from './undo.ts'

export type Values = Record<string, unknown>
/** `version`: of the record as it was seen when the change was made; left out: as it is known now. */
export type Update = { id: string; values: Values; version?: number | undefined }
type Settings = {
  /** What was done, for Ctrl+Z and, with `isAnnounced`, for a notice: a value that changes before one's eyes needs none. */
  said: (update: Update) => string
  isAnnounced?: boolean
  /** A refusal that some field shows. Left out: a notice tells it. */
  onRefused?: (error: unknown, update: Update) => void
}

export const isAway = (error: unknown) => error instanceof ApiError && error.isAway

/** Changes one record: shown at once, taken back when refused; a conflict shows both values. */
export function useUpdateRecord(object: string, settings: Settings) {
  return useMutation({
    ...updateOptions(useQueryClient(), object, settings),
    // One after the other: a second change of a record needs the version that the first one gave it.
    scope: { id: `records ${object}` },
    retry: (failures, error) => failures === 0 && isConnected() && isAway(error),
    retryDelay: 400,
  })
}

export const updateOptions = (client: QueryClient, object: string, { said, isAnnounced, onRefused }: Settings) => ({
  mutationKey: ['records', object],
  mutationFn: (update: Update) =>
    send(object, { ...update, version: update.version ?? cachedRecord(client, object, update.id)?.version }),
  onMutate: ({ id, values }: Update): Values => {
    void client.cancelQueries({ queryKey: ['records', object] })
    const old = pick(cachedRecord(client, object, id) ?? {}, Object.keys(values))
    changeInCache(client, object, id, (record) => ({ ...record, ...values }))
    return old
  },
  onSuccess: (answer: Written | null, update: Update) => {
    // What is on its way was read before this change.
    void client.cancelQueries({ queryKey: ['records', object] })
    const written = answer?.records[0]
    if (!written) return
    changeInCache(client, object, update.id, (old) => merged(old, written))
    if (!answer.change_set_id) say('No changes to save.')
    else if (isAnnounced) saidAndUndoable(said(update), answer.change_set_id, [update.id])
    else quietlyUndoable(said(update), answer.change_set_id, [update.id])
  },
  onError: (error: Error, update: Update, before: Values | undefined) => {
    changeInCache(client, object, update.id, (record) => ({ ...record, ...before }))
    if (onRefused) onRefused(error, update)
    else complain('This was not saved', error)
  },
  onSettled: () => recordsChangedSoon(client, object),
})

/** Up to a hundred at once, all or none. No version is sent: what others changed in other fields stays. */
export function useUpdateRecords(object: string, said: (updates: Update[]) => string) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: ['records', object],
    mutationFn: (updates: Update[]) => api.updateRecords({ object, records: updates, return: 'record' }),
    onMutate: (updates) => {
      void client.cancelQueries({ queryKey: ['records', object] })
      return updates.map(({ id, values }) => {
        const old = pick(cachedRecord(client, object, id) ?? {}, Object.keys(values))
        changeInCache(client, object, id, (record) => ({ ...record, ...values }))
        return { id, old }
      })
    },
    onSuccess: ({ records, change_set_id }, updates) => {
      for (const written of records) changeInCache(client, object, written.id, (old) => merged(old, written))
      const about = updates.map(({ id }) => id)
      if (change_set_id) saidAndUndoable(said(updates), change_set_id, about)
      else say('Nothing was changed.')
    },
    onError: (error, _, before) => {
      for (const { id, old } of before ?? []) changeInCache(client, object, id, (record) => ({ ...record, ...old }))
      complain('This was not saved', error)
    },
    onSettled: () => recordsChangedSoon(client, object),
  })
}

type Written = Awaited<ReturnType<typeof api.updateRecords>>

/** Maps versions to those that your own changes created: you still know what you saw before your change. */
const ownVersions = recent<number>(1000)

/** null: someone else had changed it, and their value was kept. */
async function send(object: string, { id, values, version: seen }: Update): Promise<Written | null> {
  let version = seen
  for (let next = version; next !== undefined; next = ownVersions.get(`${id} ${next}`)) version = next
  const record = { id, values, ...(version !== undefined && { version }) }
  try {
    const answer = await api.updateRecords({ object, records: [record], return: 'record' })
    const now = answer.records[0]?.version
    if (now !== undefined && now !== version) ownVersions.set(`${id} ${version}`, now)
    return answer
  } catch (error) {
    if (version === undefined || !isConflict(error)) throw error
    const theirs = await api.getRecord({ object, id })
    // Not outdated, then: another record has a value that must be unique.
    if (theirs.version === version) throw error
    return sendOver(object, { id, values }, theirs, error)
  }
}

/** Only the same field is worth a question: a change of another one is no contradiction. */
async function sendOver(object: string, update: Update, theirs: RecordShape, error: ApiError): Promise<Written | null> {
  const changed = new Set((error.problem.errors ?? []).map(({ path }) => path.split('.').at(-1)))
  const disputed = Object.keys(update.values).filter(
    (key) => changed.has(key) && !isSame(theirs[key], update.values[key]),
  )
  const values = disputed.length
    ? await askAboutConflict(object, theirs, pick(update.values, disputed), await lastChange(update.id))
    : {}
  if (values === null) return null
  const kept = { ...without(update.values, disputed), ...values }
  if (!Object.keys(kept).length) return null
  return send(object, { id: update.id, values: kept, version: theirs.version })
}

/** Who changed the record last; nothing if that cannot be told. */
async function lastChange(record_id: string) {
  const [set] = await api.listChanges({ record_id, limit: 1, max_changes: 1 }).then(
    ({ items }) => items,
    () => [],
  )
  const name = set?.principal?.name ?? set?.actor_name
  return set && name ? { name, at: set.at } : undefined
}

const isConflict = (error: unknown): error is ApiError => error instanceof ApiError && error.problem.code === 'conflict'

const isSame = (a: unknown, b: unknown) => JSON.stringify(plain(a) ?? null) === JSON.stringify(plain(b) ?? null)
const pick = (values: Values, keys: string[]) => Object.fromEntries(keys.map((key) => [key, values[key]]))
const without = (values: Values, keys: string[]) =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key)))

/** Lists may hold only some fields of a record, and then go on doing so. An answer leaves empty fields out. */
const merged = (old: RecordShape, now: RecordShape): RecordShape => {
  const all = Object.keys(old).map((key) => [key, now[key] ?? null])
  return { ...now, ...Object.fromEntries(all) }
}
