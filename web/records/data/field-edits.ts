// Edits of single fields, from the moment they are made until the server has them: kept outside of pages, so that none
// is lost with the page that it was made on.

import { isConnected } from '../../client/connection.ts'
import { queryClient } from '../../client/queries.ts'
import { createStore } from '../../client/store.ts'
import { markUnsaved } from '../../client/unsaved.ts'
import { fieldErrors, holderOf, wordsOf } from '../../ui/basics/errors.ts'
import { complain } from '../../ui/basics/notices.tsx'
import { changeInCache } from './record-cache.ts'
import type { RecordShape } from './records-api.ts'
import type { FieldShape, ObjectShape } from './schema.ts'
import { isAway, type Update, updateOptions } from './update-record.ts'
import { isEmpty } from './value-text.ts'

export type FieldEdit = {
  value: unknown
  /** Of the record as it was seen when the field was edited. */
  version: number
  /** The server was not reached: it is sent when it can be. */
  isWaiting?: boolean
  /** Why it is not saved. Nothing: it is being sent. */
  message?: string
  holder?: ReturnType<typeof holderOf>
  /** Takes back what waits. */
  drop?: () => void
  sender?: object
}

/** By record and field. */
export const fieldEdits = createStore<ReadonlyMap<string, FieldEdit>>(new Map())
export const editKey = (id: string, field: FieldShape) => `${id} ${field.key}`

fieldEdits.subscribe(() => markUnsaved('field edits', fieldEdits.get().size > 0))

/** Refused, or waiting: not only on its way. */
export const isKept = ({ message }: FieldEdit) => message !== undefined

export const keepEdit = (key: string, edit: FieldEdit) => fieldEdits.set(new Map(fieldEdits.get()).set(key, edit))

function forgetEdit(key: string) {
  const left = new Map(fieldEdits.get())
  if (left.delete(key)) fieldEdits.set(left)
}

/** Gives up what waits or was refused. What is being sent goes on. */
export function dropEdit(key: string) {
  const edit = fieldEdits.get().get(key)
  if (!edit || !isKept(edit)) return
  edit.drop?.()
  forgetEdit(key)
}

export function dropEdits() {
  for (const key of fieldEdits.get().keys()) dropEdit(key)
}

const waits = 'Waiting for a connection'
const longestDelayMs = 30_000

type Saved = {
  object: ObjectShape
  record: RecordShape
  field: FieldShape
  value: unknown
  version: number
  said: string
  /** With a notice, because the record may go from the list. */
  isAnnounced?: boolean
  /** Does the place where it was entered show a refusal? Otherwise a notice does. */
  isShown: () => boolean
}

/** Sends one field, or waits with it until the server can be reached. */
export function saveField({ object, record, field, value, version, said, isAnnounced, isShown }: Saved) {
  const { id } = record
  const key = editKey(id, field)
  const update: Update = { id, values: { [field.key]: isEmpty(value) ? null : value }, version }
  const mutations = queryClient.getMutationCache()
  const isCurrent = () => fieldEdits.get().get(key)?.sender === mutation
  const keep = (more: Partial<FieldEdit>) => keepEdit(key, { value, version, sender: mutation, ...more })
  let isDropped = false
  const drop = () => {
    isDropped = true
    mutations.remove(mutation)
    changeInCache(queryClient, object.key, id, (now) => ({ ...now, ...mutation.state.context }))
  }
  const wait = () => keep({ isWaiting: true, message: waits, drop })
  const options = updateOptions(queryClient, object.key, {
    said: () => said,
    ...(isAnnounced && { isAnnounced }),
    onRefused: (error) => {
      if (isCurrent())
        keep({ message: Object.values(fieldErrors(error))[0] ?? wordsOf(error), holder: holderOf(error) })
      if (!isShown()) complain(`${field.label} of ${String(record.title)} was not saved`, error)
    },
  })
  const mutation = mutations.build(queryClient, {
    ...options,
    // A second change of a record needs the version that the first one gave it.
    scope: { id: `record ${id}` },
    networkMode: 'online',
    retry: (_, error) => isAway(error),
    retryDelay: (failures) => Math.min(400 * 2 ** failures, longestDelayMs),
    mutationFn: async (given: Update) => {
      if (isDropped) return null
      try {
        return await options.mutationFn(given)
      } catch (error) {
        if (isAway(error) && isCurrent()) wait()
        throw error
      }
    },
    onSuccess: (answer, given) => {
      options.onSuccess(answer, given)
      if (isCurrent()) forgetEdit(key)
    },
  })
  // What waits is replaced: only the last value counts.
  fieldEdits.get().get(key)?.drop?.()
  if (isConnected()) keep({})
  else wait()
  // A refusal is shown, not thrown.
  mutation.execute(update).catch(() => {})
}
