import type { SelectQueryBuilder } from 'kysely'
import { isId } from '../../contract/shared/ids.ts'
import { AppError } from './app-error.ts'

/** One page of rows with time-ordered ids, newest first. The cursor is the last id, encoded. */
export async function newestFirst<DB, T extends keyof DB, Row extends { id: string }>(
  query: SelectQueryBuilder<DB, T, Row>,
  id: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const column = id as never
  const from = cursor === undefined ? query : query.where(column, '<', readCursor(cursor) as never)
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

export const writeCursor = (id: string) => Buffer.from(id).toString('base64url')

export function readCursor(cursor: string) {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (isId(id)) return id
  throw new AppError('invalid_input', 'This cursor is invalid. Omit it to start from the first page.', {
    errors: [{ path: 'cursor', message: 'Send the next_cursor of the previous page unchanged' }],
  })
}
