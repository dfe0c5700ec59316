import type { SelectQueryBuilder } from 'kysely'
import { isId } from '../../contract/shared/ids.ts'
import { readCursor, writeCursor } from './cursor.ts'

/** One page of rows with time-ordered ids, newest first. The cursor is the last id, encoded. */
export async function newestFirst<DB, T extends keyof DB, Row extends { id: string }>(
  query: SelectQueryBuilder<DB, T, Row>,
  id: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const column = id as never
  const from = cursor === undefined ? query : query.where(column, '<', readIdCursor(cursor) as never)
  const rows = await from
    .orderBy(column, 'desc')
    .limit(limit + 1)
    .execute()
  const { rows: items, next_cursor } = pageFrom(rows as Row[], limit)
  return { items, next_cursor }
}

/** Expects one row more than `limit`, to know whether there is a next page. */
export function pageFrom<Row extends { id: string }>(fetched: Row[], limit: number) {
  const rows = fetched.slice(0, limit)
  return { rows, next_cursor: fetched.length > limit ? writeCursor(rows.at(-1)!.id) : null }
}

export const readIdCursor = (cursor: string) => readCursor(cursor, (id) => (isId(id) ? id : undefined))

/** One page of a list that is read whole, because it is short. If its last item is gone, the next page starts there. */
export function pageIn<Item extends { id: string }>(
  all: Item[],
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const from = cursor === undefined ? 0 : readCursor(cursor, (text) => placeAfter(all, text))
  const items = all.slice(from, from + limit)
  const end = from + items.length
  return { items, next_cursor: end < all.length ? writeCursor(`${end} ${items.at(-1)!.id}`) : null }
}

function placeAfter(all: { id: string }[], text: string) {
  const [, place, id] = /^(\d{1,6}) (\S+)$/.exec(text) ?? []
  if (place === undefined) return undefined
  const found = all.findIndex((item) => item.id === id)
  return found < 0 ? Number(place) - 1 : found + 1
}
