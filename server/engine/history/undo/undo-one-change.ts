// Undoes one change of one record, in memory, as far as nothing changed later.
import { isDeepStrictEqual } from 'node:util'
import { own } from '../../../../contract/shared/own.ts'
import type { Field, ObjectSchema, Schema } from '../../schema/schema.ts'
import type { Target } from '../../schema/target.ts'
import { builtInValue } from '../../values/built-in-values.ts'
import type { Stored } from '../../values/from-row.ts'
import { countryOf, findOption } from '../../values/read-values.ts'
import type { Since } from './changed-since.ts'
import { alreadyUndone, type Left, type PastChange } from './past-change.ts'
import { inTrash } from './who-set-last.ts'

const changedAgain = 'It was changed again later'

export function undoOneChange(
  { context, schema, object }: Target,
  row: Stored,
  change: PastChange,
  since: Since,
  left: Left[],
) {
  const { action, fields, record_id, version, undone_by } = change
  const setLast = since.setLast(record_id)
  const keep = (field: string | null, reason: string) => left.push({ record_id, field, reason })
  const isBack = action === 'deleted' ? !row.deleted_at : action !== 'updated' && row.deleted_at
  if (undone_by && isBack) return keep(null, alreadyUndone)
  if (action === 'created' && row.deleted_at) return
  if (action === 'created' && since.isEditedSince(record_id)) return keep(null, 'It was changed later')
  if (action === 'created' && since.isLinkedSince(record_id)) return keep(null, 'Other records link to it now')
  if (action === 'deleted' || action === 'restored') {
    const isSame = Boolean(row.deleted_at) === (action === 'deleted')
    if (isSame && !setLast.isBy(inTrash, version)) return keep(null, `It was ${action} again later`)
    setLast.takenBack(inTrash)
  }
  if (action === 'created' || action === 'restored') row.deleted_at ??= context.now.toISOString()
  if (action === 'deleted') row.deleted_at = null
  if (action === 'created') return
  for (const [key, { from, to }] of Object.entries(fields)) {
    const field = object.byKey.get(key)
    const now = key === 'owner' ? row.owner_id : (own(row.values, key) ?? null)
    const asNow = (value: unknown) => asStored(schema, object, field, value, row)
    const was = asNow(from)
    if (!isDeepStrictEqual(asNow(now), asNow(to))) {
      const isBefore = isDeepStrictEqual(asNow(now), was)
      // A part of the changes may have been undone before.
      if (!isBefore) keep(key, changedAgain)
      else if (undone_by) keep(key, alreadyUndone)
      continue
    }
    if (!setLast.isBy(key, version)) {
      keep(key, changedAgain)
      continue
    }
    setLast.takenBack(key)
    const { value, lost } = stillPossible(field, was, since)
    if (lost) keep(key, lost)
    if (isEmpty(value) && field?.is_required) keep(key, 'It is required now')
    else if (lost && !Array.isArray(was)) continue
    else if (key === 'owner') row.owner_id = value as string | null
    else if (isEmpty(value)) delete row.values[key]
    else row.values[key] = value
  }
}

/** Changes of earlier versions name countries and options as they were entered, and stages that pipelines shared. */
function asStored(schema: Schema, object: ObjectSchema, field: Field | undefined, value: unknown, row: Stored) {
  if (field?.type === 'country' && typeof value === 'string') return countryOf(value, schema)
  if (field?.type === 'select' && typeof value === 'string' && field.built_in_key !== 'stage')
    return findOption(field, value)?.key ?? value
  if (object.built_in_key !== 'deals' || field?.built_in_key !== 'stage' || value === null) return value
  const key = builtInValue(object, row.values, 'pipeline')
  const stages = schema.pipelines.find((pipeline) => pipeline.key === key)?.stages
  return stages?.find(({ shared_key }) => shared_key === value)?.key ?? value
}

const isEmpty = (value: unknown) => value === null || value === undefined || (Array.isArray(value) && !value.length)

/** The part of an earlier value that can still be written, and why the rest cannot. */
function stillPossible(field: Field | undefined, was: unknown, { isDeleted }: Since) {
  const options = field?.options ? new Set(field.options.map(({ key }) => key)) : undefined
  const isLost = (item: unknown) =>
    isDeleted(item) || (item !== null && options !== undefined && !options.has(item as string))
  const value = Array.isArray(was) ? was.filter((item) => !isLost(item)) : isLost(was) ? null : was
  if (isDeepStrictEqual(value, was)) return { value, lost: undefined }
  return {
    value,
    lost: options
      ? 'One of its options was removed'
      : `It ${field?.type === 'file' ? 'had a file' : 'linked to a record'} that was permanently deleted`,
  }
}
