import { type CSSProperties, type PointerEvent, useCallback, useState } from 'react'
import { builtInName } from '../data/built-in.ts'
import { isDeals } from '../data/pipelines.ts'
import type { FieldShape, ObjectShape } from '../data/schema.ts'
import { calculationsOf } from './calculations.ts'
import { titleWidth, widthOf } from './column-widths.ts'
import { type Calculation, type Column, fitting } from './list-search.ts'
import type { ListState } from './use-list-state.ts'

export const markWidth = 44

/** Widths and places of the columns, as styles of the grid: while one is made wider, no row is drawn again. */
export function useColumns(columns: Shown[], state: ListState) {
  const [resized, setResized] = useState<{ key: string; width: number }>()
  const widthNow = ({ key, width }: Shown) => (resized?.key === key ? resized.width : width)

  const style: Record<string, string> = {}
  let [width, pinnedWidth] = [markWidth, markWidth]
  for (const column of columns) {
    style[`--w-${named(column.key)}`] = `${widthNow(column)}px`
    if (column.pinned) {
      style[`--l-${named(column.key)}`] = `${pinnedWidth}px`
      pinnedWidth += widthNow(column)
    }
    width += widthNow(column)
  }

  /** Follows the pointer; the address learns of the new width when it is let go. */
  const resize = useCallback(
    (key: string, event: PointerEvent<HTMLElement>) => {
      const handle = event.currentTarget
      const before = columns.find((column) => column.key === key)!.width
      const from = event.clientX
      const widthAt = ({ clientX }: { clientX: number }) => fitting(before + clientX - from)
      const move = (moved: globalThis.PointerEvent) => setResized({ key, width: widthAt(moved) })
      const stop = new AbortController()
      const end = (ended: globalThis.PointerEvent) => {
        stop.abort()
        setResized(undefined)
        const after = ended.type === 'pointerup' ? widthAt(ended) : before
        if (after !== before) state.change({ columns: changed(state.columns, key, { width: after }) })
      }
      handle.setPointerCapture(event.pointerId)
      handle.addEventListener('pointermove', move, { signal: stop.signal })
      handle.addEventListener('pointerup', end, { signal: stop.signal })
      handle.addEventListener('pointercancel', end, { signal: stop.signal })
    },
    [columns, state],
  )
  return { style: style as CSSProperties, width, pinnedWidth, isResizing: resized !== undefined, resize }
}

const mostAtFirst = 9
const rarelyRead = new Set(['long_text'])
/** What a list can show. A name that is the title by itself shows as the title, not twice. */
export const choicesOf = (object: ObjectShape) =>
  object.columns.filter(({ key }) => key === 'title' || key !== object.titleField?.key)

/** The field that is edited in a column: of a title, the one that it is. */
export const editedIn = (object: ObjectShape, field: FieldShape): FieldShape | undefined => {
  const edited = field.key === 'title' ? object.titleField : field
  return edited && !edited.is_read_only ? edited : undefined
}

/** A title that is a field of its own shows what was written, at once. */
export const valueIn = (object: ObjectShape, field: FieldShape, record: Record<string, unknown>) =>
  field.key.includes('.')
    ? throughLink(field.key, record)
    : (field.key === 'title' && object.titleField && record[object.titleField.key]) || record[field.key]

/** Nothing when the link has just been changed: its fields come with the next answer. */
function throughLink(path: string, record: Record<string, unknown>) {
  const [key, inner] = path.split('.') as [string, string]
  const linked = record[key]
  return typeof linked === 'object' && linked !== null ? (linked as Record<string, unknown>)[inner] : undefined
}

/** First and last name are the title of a person. */
const partsOfTitle = new Set(['first_name', 'last_name'])

export function usualColumns(object: ObjectShape): Column[] {
  const isPerson = object.byKey.has('first_name') && object.byKey.has('last_name')
  const own = choicesOf(object).filter(
    ({ key, type, is_system }) =>
      key !== 'title' && !is_system && !rarelyRead.has(type) && !(isPerson && partsOfTitle.has(key)),
  )
  const isThere = (key: string) => object.byKey.has(key) && key !== object.titleField?.key
  const usual = usualOf[builtInName(object) ?? '']
  const keys = usual?.filter(isThere) ?? [...own.slice(0, mostAtFirst).map(({ key }) => key), 'owner', 'created_at']
  // What the deals are worth together is the first question about them.
  const summed = isDeals(object) ? 'amount' : undefined
  const columns = keys.map((key): Column => (key === summed ? { key, calculation: 'sum_not_lost' } : { key }))
  return [{ key: 'title', pinned: true }, ...columns]
}

/** What is read in sales, the most important first. What the company adds is shown when it is wanted. */
const usualOf: Record<string, string[]> = {
  people: [
    'organization',
    'job_title',
    'emails',
    'phones',
    'status',
    'owner',
    'last_activity_at',
    'score',
    'tags',
    'city',
    'country',
    'created_at',
  ],
  organizations: [
    'industry',
    'country',
    'city',
    'owner',
    'last_activity_at',
    'domains',
    'phone',
    'size',
    'tags',
    'created_at',
  ],
  deals: [
    'amount',
    'stage',
    'organization',
    'owner',
    'expected_close',
    'last_activity_at',
    'probability',
    'people',
    'tags',
    'source',
    'created_at',
  ],
  leads: [
    'company_name',
    'status',
    'score',
    'owner',
    'source',
    'first_response_at',
    'email',
    'phone',
    'campaign',
    'created_at',
  ],
  tasks: ['due_at', 'priority', 'assignee', 'about', 'status', 'owner', 'created_at'],
  activities: ['kind', 'at', 'about', 'people', 'outcome', 'owner', 'created_at'],
}

const unsortable = new Set<FieldShape['type']>(['multi_select', 'long_text'])
export const canSort = ({ type, is_multi }: FieldShape) => !is_multi && !unsortable.has(type)

/** `calculations`: what can be calculated of it. */
export type Shown = Column & { field: FieldShape; width: number; calculations: Calculation[] }

/** The columns of which the object has a field, pinned ones first; the title is always there. */
export function shownColumns(object: ObjectShape, columns: Column[]): Shown[] {
  const known = columns.flatMap((column) => {
    const field = object.byKey.get(column.key)
    const calculations = field ? calculationsOf(field, object) : []
    return field ? [{ ...column, field, width: column.width ?? widthOf(field), calculations }] : []
  })
  const title = object.byKey.get('title')!
  const all = known.some(({ key }) => key === 'title')
    ? known
    : [
        { key: 'title', pinned: true, field: title, width: titleWidth, calculations: calculationsOf(title, object) },
        ...known,
      ]
  return [...all.filter(({ pinned }) => pinned), ...all.filter(({ pinned }) => !pinned)]
}

/** Where a column's cells stand. */
export const placeOf = (key: string, pinned: boolean | undefined) =>
  ({ width: `var(--w-${named(key)})`, ...(pinned && { '--left': `var(--l-${named(key)})` }) }) as CSSProperties

/** As the styles name it: a point is no part of a name there. */
export const named = (key: string) => key.replace('.', '--')

export const changed = (columns: Column[], key: string, patch: Partial<Column>): Column[] =>
  columns.map((column) => (column.key === key ? { ...column, ...patch } : column))
