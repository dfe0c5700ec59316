// A widget while it is built: one shape for all types, so that a change of the type keeps what was chosen.

import { periods } from '../../../contract/aggregates.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { mostShown } from '../../../contract/shared/widget.ts'
import { builtInField } from '../../records/data/built-in.ts'
import { isDeals } from '../../records/data/pipelines.ts'
import type { FieldShape, ObjectShape } from '../../records/data/schema.ts'
import { isBuiltIn } from './built-in-widgets.tsx'
import type { Widget } from './dashboard-api.ts'
import { nameOfMeasure } from './measured.ts'
import { type Place, placeBelow } from './places.ts'
import type { typeNames } from './widget.tsx'

export type Draft = {
  id: string
  type: keyof typeof typeNames
  title: string
  place: Place
  object: string
  filter: string
  measure: string
  group_by: string
  split_by: string
  order: 'key' | 'measure'
  date_field: string
  range: string
  compare: boolean
  pipeline: string
  mode: 'in_period' | 'cohort'
  /** The group of a report. */
  by: string
  text: string
  /** What the builder does not ask for is kept. */
  kept: Widget | undefined
}

const dated = (object: ObjectShape) => object.columns.filter(({ type }) => type === 'date' || type === 'datetime')

export function newDraft(objects: ObjectShape[], others: Widget[]): Draft {
  const object = objects.find(isDeals) ?? objects[0]
  const groups = object ? groupChoices(object) : []
  const first = (object && isDeals(object) && builtInField(object, 'stage')?.key) || groups[0]?.value || 'owner'
  return {
    id: `w${Date.now().toString(36)}`,
    type: 'bar',
    title: '',
    place: placeBelow(others, 6, 3),
    object: object?.key ?? '',
    filter: '',
    measure: 'count',
    group_by: first,
    split_by: groups.find(({ value }) => value !== first)?.value ?? 'owner',
    order: 'key',
    date_field: 'created_at',
    range: '',
    compare: true,
    pipeline: '',
    mode: 'in_period',
    by: '',
    text: '',
    kept: undefined,
  }
}

/** Undefined for widgets without settings. */
export function draftOf(widget: Widget): Draft | undefined {
  if (isBuiltIn(widget.type)) return undefined
  const { id, title, x, y, width, height } = widget
  const had = widget as Partial<Record<string, unknown>>
  const text = (key: string, otherwise = '') => (typeof had[key] === 'string' ? (had[key] as string) : otherwise)
  const [group, second] = [had.group_by ?? []].flat() as string[]
  return {
    id,
    type: widget.type as Draft['type'],
    title,
    place: { x, y, width, height },
    object: text('object'),
    filter: text('filter'),
    measure: widget.type === 'table' ? widget.measures[0]! : text('measure', 'count'),
    group_by: group ?? 'owner',
    split_by: text('split_by', second ?? ''),
    order: had.order === 'measure' ? 'measure' : 'key',
    date_field: text('date_field'),
    range: text('range'),
    compare: had.compare !== false,
    pipeline: text('pipeline'),
    mode: had.mode === 'cohort' ? 'cohort' : 'in_period',
    by: 'by' in widget ? widget.by : '',
    text: text('text'),
    kept: widget,
  }
}

const sentBy = ['destination', 'source', 'reason'] as const
const inboxBy = ['channel', 'assignee'] as const
/** Another type of widget may have other groups. */
const oneOf = <T extends string>(all: readonly [T, ...T[]], wanted: string) =>
  all.find((one) => one === wanted) ?? all[0]

export function widgetOf(draft: Draft): Widget {
  const { type, measure, group_by, split_by, order, kept } = draft
  const place = { id: draft.id, title: draft.title.trim(), ...draft.place }
  const filter = draft.filter.trim() || null
  const time = { date_field: draft.date_field || null, range: draft.range || null }
  const data = { ...place, object: draft.object, filter, ...time }
  const top = kept && 'top' in kept ? kept.top : mostShown
  switch (type) {
    case 'number':
      return { type, ...data, measure, compare: draft.compare }
    case 'bar':
    case 'line':
    case 'area':
    case 'donut':
      return { type, ...data, measure, group_by, order, top }
    case 'stacked_bar':
      return { type, ...data, measure, group_by, split_by: split_by || 'owner', order, top }
    case 'leaderboard':
      return { type, ...data, measure, group_by, top: Math.min(top, 10) }
    case 'table': {
      const more = kept?.type === 'table' ? kept.measures.slice(1) : []
      return {
        type,
        ...data,
        measures: [measure, ...more],
        group_by: split_by ? [group_by, split_by] : [group_by],
        order,
        top,
      }
    }
    case 'list': {
      const had = kept?.type === 'list' ? kept : { sort: [], fields: [], limit: 10 }
      return { type, ...data, sort: had.sort, fields: had.fields, limit: had.limit }
    }
    case 'funnel':
      return { type, ...place, pipeline: draft.pipeline || null, filter, range: draft.range || null, mode: draft.mode }
    case 'lead_sending':
      return { type, ...place, by: oneOf(sentBy, draft.by), range: draft.range || null }
    case 'inbox':
      return { type, ...place, by: oneOf(inboxBy, draft.by), range: draft.range || null }
    case 'text':
      return { type, ...place, text: draft.text }
  }
}

const grouped = new Set<FieldShape['type']>(['select', 'multi_select', 'user', 'relation', 'boolean', 'country'])

/** What records can be grouped by: choices, people, related records, short texts, and the periods of dates. */
export function groupChoices(object: ObjectShape) {
  const plain = [...object.columns, ...object.linked]
    .filter(({ type, is_multi }) => grouped.has(type) && !is_multi)
    .map(({ key, label }) => ({ value: key, label }))
  const texts = object.columns
    .filter((field) => field.type === 'text' && field.key !== 'title' && field !== object.titleField)
    .map(({ key, label }) => ({ value: key, label }))
  const timed = dated(object).flatMap(({ key, label }) =>
    periods.map((period) => ({ value: `${period}(${key})`, label: `${label} by ${period}` })),
  )
  return [...plain, ...texts, ...timed]
}

export function measureChoices(object: ObjectShape) {
  const numbers = object.fields.filter(({ type, is_multi }) => (type === 'number' || type === 'money') && !is_multi)
  const amount = isDeals(object) ? builtInField(object, 'amount') : undefined
  const measures = [
    'count',
    ...(isDeals(object) ? numbers : []).flatMap(({ key, type }) => (type === 'money' ? [`sum_not_lost(${key})`] : [])),
    ...numbers.flatMap(({ key }) => ['sum', 'average', 'min', 'max'].map((name) => `${name}(${key})`)),
    ...(amount ? [`weighted(${amount.key})`] : []),
  ]
  return measures.map((value) => ({
    value,
    label: value === 'count' ? `Number of ${inSentence(object.label_plural)}` : nameOfMeasure(value, object),
  }))
}

/** Grouped by the months of a date, the range is about that date, too. */
export function dateIn(group_by: string) {
  const date_field = /\((\w+)\)$/.exec(group_by)?.[1]
  return date_field ? { date_field } : {}
}

export const dateChoices = (object: ObjectShape) => dated(object).map(({ key, label }) => ({ value: key, label }))
