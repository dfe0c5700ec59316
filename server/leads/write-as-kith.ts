import { readSchema, type Schema } from '../engine/schema/schema.ts'
import type { Target } from '../engine/schema/target.ts'
import type { Stored } from '../engine/values/from-row.ts'
import { saveChanges } from '../engine/write/save.ts'
import { changedRecord } from '../engine/write/update.ts'
import { actAs } from '../kernel/act-as.ts'
import { type Db, transaction } from '../platform/db.ts'

type Task = { task: string; now: Date }

/** What Kith itself writes about leads, with its history. Nothing if the company has archived leads. */
export async function writeAsKith(
  db: Db,
  company_id: string,
  { task, now }: Task,
  write: (target: Target, tx: Db) => Promise<void>,
) {
  await transaction(db, async (tx) => {
    const schema = await readSchema(tx, company_id)
    const object = schema.builtIn.get('leads')
    if (!object || object.archived_at) return
    await actAs(tx, { company_id, task, now }, (context) => write({ context, schema, object }, tx))
  })
}

/** Records changes to leads that Kith itself makes. */
export const changeLeads = (
  db: Db,
  company_id: string,
  task: Task,
  find: (schema: Schema, tx: Db) => Promise<{ lead: Stored; values: Record<string, unknown> }[]>,
) =>
  writeAsKith(db, company_id, task, async (target, tx) => {
    const found = await find(target.schema, tx)
    const changes = found.map(({ lead, values }) => changedRecord(target, lead, values, 'lead').change)
    if (changes.length) await saveChanges(target, changes, false)
  })
