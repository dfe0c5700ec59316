import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, api } from '../api.ts'
import { isConnected } from '../connection.ts'
import { complain, say } from '../ui/notices.tsx'
import { askAboutConflict } from './conflict.ts'
import { cachedRecord, changeInCache, recordsChanged } from './record-cache.ts'
import type { RecordShape } from './records-api.ts'
import { plain } from './related.ts'
import { pushStep } from './undo-stack.ts'
import { saidAndUndoable } from './undo-toast.ts'

export type Values = Record<string, unknown>
/** `version`: of the record as it was when editing began; left out: as it is known now. */
type Update = { id: string; values: Values; version?: number | undefined }
type Settings = {
  /** What was done, for Ctrl+Z and, with `isAnnounced`, for a notice: a value that changes before one's eyes needs none. */
  said?: (count: number, updates: Update[]) => string
  isAnnounced?: boolean
  /** A refusal that some field shows. Left out: a notice tells it. */
  onRefused?: (error: unknown, update: Update) => void
}

/** Changes one record: shown at once, taken back when refused; a conflict shows both values. */
export function useUpdateRecord(object: string, settings: Settings = {}) {
  const update = useUpdateRecords(object, settings)
  return {
    ...update,
    mutate: (one: Update) => update.mutate([one]),
    mutateAsync: (one: Update) => update.mutateAsync([one]),
  }
}

/** Up to a hundred at once, all or none. Of many no version is sent: what others changed in other fields stays. */
export function useUpdateRecords(object: string, { said, isAnnounced, onRefused }: Settings = {}) {
  const client = useQueryClient()
  return useMutation({
    // One after the other: a second change of a record needs the version that the first one gave it.
    scope: { id: `records ${object}` },
    // One request may be lost by itself. A server that cannot be reached is waited for by whoever shows the value.
    retry: (failures, error) => failures === 0 && isConnected() && error instanceof ApiError && error.isAway,
    retryDelay: 400,
    mutationFn: (updates: Update[]) => {
      const versions = new Map(updates.map(({ id }) => [id, cachedRecord(client, object, id)]))
      return send(object, updates, (id) => versions.get(id))
    },
    onMutate: (updates) => {
      void client.cancelQueries({ queryKey: ['records', object] })
      return updates.map(({ id, values }) => {
        const old = cachedRecord(client, object, id)
        changeInCache(client, object, new Set([id]), (record) => ({ ...record, ...values }))
        return { id, values: pick(old ?? {}, Object.keys(values)) }
      })
    },
    onSuccess: (answer, updates) => {
      if (!answer) return
      const written = new Map(answer.records.map((record) => [record.id, record]))
      changeInCache(client, object, new Set(written.keys()), (old) => merged(old, written.get(old.id)!))
      if (!said) return
      const text = said(updates.length, updates)
      if (!answer.change_set_id) return void say('Nothing was changed.')
      if (isAnnounced) saidAndUndoable(text, answer.change_set_id)
      else pushStep({ said: text, change_set_ids: [answer.change_set_id] })
    },
    onError: (error, updates, before) => {
      for (const { id, values } of before ?? [])
        changeInCache(client, object, new Set([id]), (record) => ({ ...record, ...values }))
      if (onRefused && updates[0]) onRefused(error, updates[0])
      else complain('This was not saved', error)
    },
    onSettled: () => void recordsChanged(client, object),
  })
}

type Known = (id: string) => RecordShape | undefined

/** null: somebody else had changed it, and their value was kept. */
async function send(object: string, updates: Update[], known: Known): Promise<Written | null> {
  const [only] = updates
  const version = updates.length === 1 && only ? (only.version ?? known(only.id)?.version) : undefined
  const records = updates.map(({ id, values }) => ({ id, values, ...(version !== undefined && { version }) }))
  try {
    return await api.updateRecords({ object, records, return: 'record' })
  } catch (error) {
    if (!only || version === undefined || !isConflict(error)) throw error
    const theirs = await api.getRecord({ object, id: only.id })
    // Not outdated, then: another record has a value that must be unique.
    if (theirs.version === version) throw error
    return sendOver(object, only, theirs, error)
  }
}

type Written = Awaited<ReturnType<typeof api.updateRecords>>

/** Only the same field is worth a question: a change of another one is no contradiction. */
async function sendOver(object: string, update: Update, theirs: RecordShape, error: ApiError): Promise<Written | null> {
  const changed = new Set((error.problem.errors ?? []).map(({ path }) => path.split('.').at(-1)))
  const disputed = Object.keys(update.values).filter(
    (key) => changed.has(key) && !isSame(theirs[key], update.values[key]),
  )
  const values = disputed.length ? await askAboutConflict(object, theirs, pick(update.values, disputed)) : {}
  if (values === null) return null
  const kept = { ...without(update.values, disputed), ...values }
  if (!Object.keys(kept).length) return null
  return send(object, [{ id: update.id, values: kept }], () => theirs)
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
