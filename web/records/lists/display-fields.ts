// By which fields a list can be a board, a calendar or groups, and which fields its cards show.
import type { Filter } from '../../../contract/filter/index.ts'
import type { FieldShape, ObjectShape } from '../data/schema.ts'
import { type Column, writeColumns } from './list-search.ts'
import { usualColumns } from './use-columns.ts'
import type { ListState } from './use-list-state.ts'

/** Fields by whose values a board can have columns. */
export const boardFields = (object: ObjectShape) =>
  object.columns.filter(({ type, is_multi }) => (type === 'select' || type === 'user') && !is_multi)

/** The one that was chosen, or the stage, the status, or whatever comes first. */
export function boardField(object: ObjectShape, state: Pick<ListState, 'groupBy'>): FieldShape | undefined {
  const fields = boardFields(object)
  const chosen = fields.find(({ key }) => key === state.groupBy?.field)
  const stage = fields.find(({ options }) => options?.some(({ kind }) => kind))
  return chosen ?? stage ?? fields.find(({ key }) => key === 'status') ?? fields[0]
}

/** Fields by whose days a calendar can show records. */
export const calendarFields = (object: ObjectShape) =>
  object.columns.filter(({ type, is_multi }) => (type === 'date' || type === 'datetime') && !is_multi)

/** The one that was chosen, or the date that the object has, or when records were created. */
export function calendarField(object: ObjectShape, state: Pick<ListState, 'groupBy'>): FieldShape | undefined {
  const fields = calendarFields(object)
  const chosen = fields.find(({ key }) => key === state.groupBy?.field)
  return chosen ?? fields.find(({ is_read_only }) => !is_read_only) ?? fields[0]
}

export const groupFields = (object: ObjectShape) => [...boardFields(object), ...calendarFields(object)]

export const conditionOf = (field: FieldShape, value: string | null): Filter =>
  value === null ? { field: field.key, op: 'is_empty' } : { field: field.key, op: 'eq', value }

const mostFields = 5
const inCards = new Set([
  'amount',
  'organization',
  'expected_close',
  'owner',
  'due_at',
  'assignee',
  'company_name',
  'job_title',
])

/** The fields of a card: those that were chosen, otherwise the few that matter most. */
export function cardFields(object: ObjectShape, columns: Column[], grouped: FieldShape): FieldShape[] {
  const isUsual = writeColumns(columns) === writeColumns(usualColumns(object))
  const fields = columns.flatMap(({ key }) => object.byKey.get(key) ?? [])
  const shown = fields.filter(({ key }) => key !== 'title' && key !== grouped.key)
  if (!isUsual) return shown
  const isStaged = grouped.options?.some(({ kind }) => kind)
  const best = shown.filter(({ key }) => inCards.has(key) || (key === 'stage' && !isStaged))
  return (object.is_built_in && best.length ? best : shown).slice(0, mostFields)
}
