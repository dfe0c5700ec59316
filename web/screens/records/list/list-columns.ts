import type { CSSProperties } from 'react'
import type { Column } from '../../../records/list-search.ts'
import type { FieldShape, ObjectShape } from '../../../records/schema.ts'

const mostAtFirst = 9
const rarelyRead = new Set(['long_text'])
const widths: Partial<Record<FieldShape['type'], number>> = {
  boolean: 110,
  number: 110,
  money: 140,
  date: 130,
  datetime: 180,
  select: 140,
  email: 220,
  multi_select: 200,
  relation: 190,
  long_text: 280,
}
const titleWidth = 260
const usualWidth = 160

export const widthOf = ({ key, type }: FieldShape) => (key === 'title' ? titleWidth : (widths[type] ?? usualWidth))

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
  (field.key === 'title' && object.titleField && record[object.titleField.key]) || record[field.key]

const partsOfTitle = new Set(['first_name', 'last_name'])

export function usualColumns(object: ObjectShape): Column[] {
  const isPerson = object.byKey.has('first_name') && object.byKey.has('last_name')
  const own = choicesOf(object).filter(
    ({ key, type, is_system }) =>
      key !== 'title' && !is_system && !rarelyRead.has(type) && !(isPerson && partsOfTitle.has(key)),
  )
  const shown = own.slice(0, mostAtFirst).map(({ key }) => ({ key }))
  return [{ key: 'title', pinned: true }, ...shown, { key: 'owner' }, { key: 'created_at' }]
}

const unsortable = new Set<FieldShape['type']>(['multi_select', 'relation', 'long_text'])
export const canSort = ({ type, is_multi }: FieldShape) => !is_multi && !unsortable.has(type)

export type Shown = Column & { field: FieldShape; width: number }

/** The columns of which the object has a field, pinned ones first; the title is always there. */
export function shownColumns(object: ObjectShape, columns: Column[]): Shown[] {
  const known = columns.flatMap((column) => {
    const field = object.byKey.get(column.key)
    return field ? [{ ...column, field, width: column.width ?? widthOf(field) }] : []
  })
  const title = object.byKey.get('title')!
  const all = known.some(({ key }) => key === 'title')
    ? known
    : [{ key: 'title', pinned: true, field: title, width: titleWidth }, ...known]
  return [...all.filter(({ pinned }) => pinned), ...all.filter(({ pinned }) => !pinned)]
}

/** Where a column's cells stand. */
export const placeOf = (key: string, pinned: boolean | undefined) =>
  ({ width: `var(--w-${key})`, ...(pinned && { '--left': `var(--l-${key})` }) }) as CSSProperties
