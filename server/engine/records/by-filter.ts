// Changes all records that match a filter in one call, if they are few enough.
import type { FilterInput } from '../../../contract/filter/index.ts'
import { mostByFilter } from '../../../contract/records.ts'
import { mostShown } from '../../../contract/shared/record-shapes.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import { Params, run } from '../../kernel/statement.ts'
import { conditionsOf } from '../read/conditions.ts'
import type { Target } from '../schema/target.ts'
import type { WrittenChanges } from '../values/change.ts'

export type ByFilter = string | FilterInput | undefined

/** Refuses a call that selects records in two ways, or in none. `path`: the other way. */
export function refuseBoth(given: unknown, filter: ByFilter, path: string) {
  const hasFilter = filter !== undefined && filter !== '' && !(Array.isArray(filter) && !filter.length)
  if ((given !== undefined) !== hasFilter) return
  throw refused(path, `Send either "${path}", or a filter with at least one condition`)
}

export async function idsMatching({ context, schema, object }: Target, filter: ByFilter): Promise<string[]> {
  const conditions = await conditionsOf(context, schema, object, { filter, deleted: false, at: context.now })
  const params = new Params()
  const matching = `from records r where ${conditions(params).join(' and ')}`
  const rows = await run<{ id: string }>(
    context.db,
    `select r.id ${matching} order by r.id limit ${mostByFilter + 1}`,
    params,
  )
  if (rows.length <= mostByFilter) return rows.map(({ id }) => id)
  const [counted] = await run<{ count: number }>(context.db, `select count(*)::int as count ${matching}`, params)
  const [count, most] = [counted!.count, mostByFilter].map((number) => number.toLocaleString('en'))
  const message = `The filter matches ${count} records, more than the ${most} of one call`
  throw new AppError('invalid_input', `${message}. Nothing was changed. Narrow the filter, or use a bulk update.`, {
    errors: [{ path: 'filter', message }],
  })
}

/** Of the records that a filter selected, those that are returned. */
export const firstWritten = (written: WrittenChanges): WrittenChanges => ({
  ...written,
  records: written.records.slice(0, mostShown),
  changes: written.changes.slice(0, mostShown),
})
