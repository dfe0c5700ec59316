// Reads all records that match, in order and in portions, through a cursor of the database: one plan for the whole list.
import { actorOf, type Reader } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { seenBy } from '../rights/rights.ts'
import type { Target } from '../schema/target.ts'
import { type Stored, storedColumns } from '../values/from-row.ts'
import { conditionsOf } from './conditions.ts'
import { linkedObject } from './fields.ts'
import { orderBy, readSort } from './page.ts'
import { stretchesOf } from './sort-ranges.ts'

const portion = 1000

type Question = { filter: string | undefined; sort: string[]; at: Date }

/** Needs a transaction, which decides what is seen. */
export async function* allRecords({ context, schema, object }: Target, { filter, sort, at }: Question) {
  const actor = actorOf(context)
  const conditions = await conditionsOf(context, schema, object, { filter, deleted: false, at })
  for (const stretch of stretchesOf(
    schema,
    actor,
    readSort(seenBy(actor, object), sort, linkedObject(schema, actor)),
  )) {
    const params = new Params()
    const from = stretch.from(params)
    const where = [...conditions(params), ...stretch.where(params)].join(' and ')
    await run(
      context.db,
      `declare all_records no scroll cursor for select ${storedColumns} from ${from} where ${where} order by ${orderBy(stretch.order, false)}`,
      params,
    )
    yield* portions(context)
    await run(context.db, 'close all_records', new Params())
  }
}

async function* portions({ db }: Reader) {
  for (;;) {
    const rows = await run<Stored>(db, `fetch ${portion} from all_records`, new Params())
    if (rows.length) yield rows
    if (rows.length < portion) return
  }
}
