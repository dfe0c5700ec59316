// Unique values that several records share, because an upgrade compares them in another way than when they were entered.
import type { Output } from '../../../contract/operation.ts'
import { mostRecords, type records } from '../../../contract/records.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { schemaOf } from '../schema/schema.ts'

type Shared = { field_id: string; key: string; records: { id: string; title: string }[] }

export async function listSharedValues(context: Context): Promise<Output<typeof records.listSharedValues>> {
  const actor = actorOf(context)
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  const rows = await run<Shared>(
    context.db,
    `select d.field_id, d.key, jsonb_agg(jsonb_build_object('id', r.id, 'title', r.title) order by r.id) as records
      from duplicate_values d join records r on r.company_id = ${company} and r.id = d.record_id and r.deleted_at is null
      where d.company_id = ${company} group by d.field_id, d.key having count(*) > 1
      order by d.field_id, d.key limit ${mostRecords + 1}`,
    params,
  )
  const { objects } = await schemaOf(context.db, actor)
  const fields = new Map(
    [...objects.values()].flatMap((object) => object.fields.map((field) => [field.id, { object, field }] as const)),
  )
  const items = rows.slice(0, mostRecords).flatMap(({ field_id, key, records }) => {
    const { object, field } = fields.get(field_id) ?? {}
    return object && field ? [{ object: object.key, field: field.key, value: key, records }] : []
  })
  return { items, has_more: rows.length > mostRecords }
}
