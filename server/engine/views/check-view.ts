// A view can only be saved with fields that exist. If one is archived later, the list shows an error.
import { hasFaults } from '../../../contract/filter/index.ts'
import type { ViewColumn } from '../../../contract/views.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { linkedObject, readFields } from '../read/fields.ts'
import { readSort } from '../read/page.ts'
import { storeFilter } from '../read/stored-filter.ts'
import { openAmong } from '../rights/readable-among.ts'
import { seenBy } from '../rights/rights.ts'
import { readFilterIn, scopeOf } from '../rights/scope.ts'
import type { ObjectSchema, Schema } from '../schema/schema.ts'

type ViewSettings = {
  filter?: string | null | undefined
  sort?: string[] | undefined
  columns?: (typeof ViewColumn)['_zod']['output'][] | undefined
  group_by?: { field: string } | null | undefined
}

/** Checks the settings. Returns the columns to store for the filter, or nothing if it is not being changed. */
export async function checkSaved(
  context: Context,
  schema: Schema,
  object: ObjectSchema,
  { filter, sort, columns = [], group_by }: ViewSettings,
) {
  readSort(seenBy(actorOf(context), object), sort, linkedObject(schema, actorOf(context)))
  refuseColumns(context, schema, object, columns)
  refuseGroups(context, schema, object, group_by)
  if (filter === undefined) return {}
  if (!filter?.trim()) return { filter: null, filter_field_ids: [] }
  const { text, field_ids } = await storeFilter(context, schema, object, filter)
  return { filter: text || null, filter_field_ids: field_ids }
}

/** Callers who may read everything also see broken views. For others, a broken view may mention hidden fields. */
export function mentionsNothingHidden(
  context: Context,
  schema: Schema,
  object: ObjectSchema,
  { filter, sort, columns, group_by }: ViewSettings,
) {
  const actor = actorOf(context)
  if (openAmong(actor, [...schema.objects.values()]).length === schema.objects.size) return true
  try {
    readSort(seenBy(actor, object), sort, linkedObject(schema, actor))
    refuseColumns(context, schema, object, columns ?? [])
    refuseGroups(context, schema, object, group_by)
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
  return !filter?.trim() || !hasFaults(readFilterIn(scopeOf(schema, actor), object.key, filter))
}

function refuseGroups(context: Context, schema: Schema, object: ObjectSchema, group_by: ViewSettings['group_by']) {
  if (!group_by) return
  try {
    readFields(schema, actorOf(context), seenBy(actorOf(context), object), [group_by.field])
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const message = error.more.errors?.[0]?.message ?? error.message
    throw new AppError('invalid_input', `Correct group_by. ${message}`, {
      errors: [{ path: 'group_by.field', message }],
    })
  }
}

function refuseColumns(context: Context, schema: Schema, object: ObjectSchema, columns: { key: string }[]) {
  const seen = new Set<string>()
  for (const [i, { key }] of columns.entries()) {
    const path = `columns.${i}.key`
    if (key === '*') throw refused(path, 'List each column')
    if (seen.has(key)) throw refused(path, `${key} appears twice. Remove one`)
    seen.add(key)
    try {
      readFields(schema, actorOf(context), seenBy(actorOf(context), object), [key])
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      throw refused(path, error.more.errors?.[0]?.message ?? error.message)
    }
  }
}
