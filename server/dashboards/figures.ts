// Figures: numbers with the filter of the list behind them. All are computed by engine/aggregates.

import type { Figure, WidgetAnswer } from '../../contract/dashboards.ts'
import { answered } from '../engine/aggregates/groups.ts'
import { readQuestion } from '../engine/aggregates/question.ts'
import { findRecords } from '../engine/read/query.ts'
import { findObject } from '../engine/rights/rights.ts'
import { type ScopedField, scopeOf } from '../engine/rights/scope.ts'
import type { ObjectSchema, Schema } from '../engine/schema/schema.ts'
import { refused } from '../kernel/app-error.ts'
import type { Actor, Context } from '../kernel/context.ts'
import { type Days, daysOf, daysText } from './ranges.ts'

/** What all widgets of a dashboard have in common. */
export type Frame = {
  context: Context
  actor: Actor
  schema: Schema
  range: string | null
  owner: string | null
}
/** Undefined parts of an answer are empty. */
export type Computed = Partial<Omit<WidgetAnswer, 'id' | 'type' | 'title' | 'error'>>

type RecordSelection = { object: string; filter: string | null; date_field: string | null; range: string | null }
/** `parts`: what the filter of every figure consists of, without the range. */
export type Subject = { object: ObjectSchema; parts: string[]; range: string | null; field: ScopedField | undefined }

/** The records that a widget is about. Its own range counts before that of the dashboard. */
export function subjectOf(frame: Frame, { object: key, filter, date_field, range }: RecordSelection): Subject {
  const object = findObject(frame.schema, frame.actor, key)
  const field = date_field === null ? undefined : dateField(frame, object, date_field)
  const parts = [filter?.trim() ?? '', ownerPart(frame, object)].filter((part) => part !== '')
  return { object, parts, field, range: field ? (range ?? frame.range) : null }
}

/** The days of the range, and the filter with them. */
export function within(frame: Frame, { parts, field, range }: Subject, days?: Days) {
  if (!field || range === null) return { parts, range: null }
  const wanted = days ?? daysOf(range, frame.schema, frame.context.now)
  return {
    parts: [...parts, daysText(field, wanted, frame.schema.time_zone)],
    range: { field: field.key, ...wanted },
  }
}

function dateField({ schema, actor }: Frame, object: ObjectSchema, key: string): ScopedField {
  const { fields } = scopeOf(schema, actor)[object.key] ?? { fields: [] }
  const dates = (fields as ScopedField[]).filter(
    ({ type, stage }) => (type === 'date' || type === 'datetime') && !stage,
  )
  const found = dates.find((field) => field.key === key)
  if (found) return found
  const valid = dates.map((field) => field.key).join(', ')
  throw refused('date_field', `${key} is not a date of ${object.label_plural}. Use one of: ${valid}`)
}

/** Tasks count for their assignee. */
export function ownerPart({ owner }: Frame, object: ObjectSchema, fallback: string | null = null) {
  const who = owner ?? fallback
  if (who === null) return ''
  const field = (object.built_in_key === 'tasks' && object.builtIn.get('assignee')?.key) || 'owner'
  return `${field} = ${who === 'me' ? 'me' : `"${who}"`}`
}

export const allOf = (parts: (string | null)[]) => {
  const all = parts.filter((part): part is string => !!part)
  return all.length > 1 ? all.map((part) => `(${part})`).join(' and ') : (all[0] ?? '')
}

const noFigure = {
  key: null,
  keys: [],
  labels: [],
  is_other: false,
  values: {},
  unconverted: [],
  object: null,
  filter: null,
  records: [],
}
export const figure = (parts: Partial<Figure>): Figure => ({ ...noFigure, ...parts })

type FigureQuery = {
  object: ObjectSchema
  parts: string[]
  measures: string[]
  group_by?: string[]
  order?: 'key' | 'measure'
  top?: number
}

/** Every figure also has the count of its records. Empty periods are included, and only other groups are cut. */
export async function measuredFigures({ context }: Frame, asked: FigureQuery) {
  const { object, parts, group_by = [], order = 'key', top } = asked
  const filter = allOf(parts)
  const measures = [...new Set([...asked.measures, 'count'])]
  const { asking, question } = await readQuestion(context, {
    object: object.key,
    filter: filter as never,
    measures,
    group_by,
    order: order === 'measure' ? `-${measures[0]}` : 'key',
    top,
    fill: false,
  })
  const isTimed = question.dimensions[0]?.period !== undefined
  const { totals, groups, unconverted, currency } = await answered(asking, {
    ...question,
    hasFilters: true,
    top: isTimed ? undefined : question.top,
    fill: isTimed,
  })
  const figures = groups.map(({ filter: own, ...group }) =>
    figure({
      ...group,
      key: group.keys[0] === null || group.keys[0] === undefined ? null : String(group.keys[0]),
      object: object.key,
      filter: own === null ? null : allOf([filter, own]),
    }),
  )
  const total = figure({ key: 'total', values: totals, unconverted, object: object.key, filter })
  return { figures, total, currency }
}

type Listed = { sort?: string[]; fields?: string[]; limit?: number }

/** The number of records, and the first of them. */
export async function listFigure(
  frame: Frame,
  key: string,
  object: ObjectSchema,
  parts: string[],
  { sort, fields, limit = 5 }: Listed,
) {
  const { total } = await measuredFigures(frame, { object, parts, measures: ['count'] })
  const question = { filter: total.filter ?? '', sort, fields, limit }
  const { records } = await findRecords(frame.context, frame.schema, object, question)
  return { ...total, key, records: records as Figure['records'] }
}
