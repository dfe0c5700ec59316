import type { Column } from '../../../records/list-search.ts'
import type { Side } from './use-reorder.ts'

/** Beside another column it is pinned as that one is, for pinned ones stand together. */
export function placedBeside(columns: Column[], key: string, other: string, side: Side): Column[] {
  const moved = columns.find((column) => column.key === key)
  const target = columns.find((column) => column.key === other)
  if (!moved || !target) return columns
  const rest = columns.filter((column) => column.key !== key)
  const index = rest.indexOf(target) + (side === 'after' ? 1 : 0)
  const { pinned: _, ...bare } = moved
  return rest.toSpliced(index, 0, target.pinned ? { ...bare, pinned: true } : bare)
}

/** One place to the left or to the right, among its like. */
export function stepped(columns: Column[], key: string, by: number): Column[] {
  const column = columns.find((one) => one.key === key)
  const like = columns.filter((one) => Boolean(one.pinned) === Boolean(column?.pinned))
  const other = like[like.findIndex((one) => one.key === key) + by]
  return other ? placedBeside(columns, key, other.key, by < 0 ? 'before' : 'after') : columns
}

export const changed = (columns: Column[], key: string, patch: Partial<Column>): Column[] =>
  columns.map((column) => (column.key === key ? { ...column, ...patch } : column))

/** A pinned column goes to the end of the pinned ones, a freed one to the beginning of the others. */
export function pinned(columns: Column[], key: string, isPinned: boolean): Column[] {
  const column = columns.find((one) => one.key === key)
  if (!column) return columns
  const { pinned: _, ...bare } = column
  const rest = columns.filter((one) => one.key !== key)
  const place = rest.filter((one) => one.pinned).length
  return rest.toSpliced(place, 0, isPinned ? { ...bare, pinned: true } : bare)
}
