// The keys and pairs of all records, after an update of Kith that compares records in another way.

import { sql } from 'kysely'
import { smallestId } from '../../kernel/first-id.ts'
import { inserting, Params, run } from '../../kernel/statement.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { kindOf } from '../duplicates/facts.ts'
import { duplicateVersion, storedKeys } from '../duplicates/keys.ts'
import { updatePairs } from '../duplicates/pairs.ts'
import { type ObjectSchema, readSchema } from '../schema/schema.ts'
import { type Stored, storedColumns } from '../values/from-row.ts'
import { mergeCertain } from './merge-certain.ts'

const step = 200

export async function findAllDuplicates(db: Db, now: Date) {
  const outdated = db.selectFrom('companies').select('id').where('duplicate_version', '<', duplicateVersion)
  for (const { id } of await outdated.execute()) {
    await db.deleteFrom('duplicate_keys').where('company_id', '=', id).execute()
    const { objects } = await readSchema(db, id)
    const compared = [...objects.values()].filter((object) => kindOf(object) && !object.archived_at)
    for (const object of compared) await inSteps((after) => storeKeys(db, id, object, after))
    for (const object of compared) await inSteps((after) => findPairs(db, id, object, after, now))
    for (const object of compared) await mergeCertain(db, id, object.id, now)
    await db.updateTable('companies').set({ duplicate_version: duplicateVersion }).where('id', '=', id).execute()
  }
}

/** `work` returns the records of a step, in order. */
async function inSteps(work: (after: string) => Promise<{ id: string }[]>) {
  for (let after: string | undefined = smallestId; after; ) {
    const from: string = after
    const rows: { id: string }[] = await work(from)
    after = rows.length === step ? rows.at(-1)!.id : undefined
  }
}

/** Locks the records, so that no one changes their keys meanwhile. */
const storeKeys = (db: Db, company_id: string, object: ObjectSchema, after: string) =>
  transaction(db, async (tx) => {
    const params = new Params()
    const rows = await run<Stored>(
      tx,
      `select ${storedColumns} from records r where r.company_id = ${params.add(company_id, 'uuid')}
        and r.object_id = ${params.add(object.id, 'uuid')} and r.id > ${params.add(after, 'uuid')}
        order by r.id limit ${step} for update`,
      params,
    )
    const keys = rows
      .filter(({ deleted_at }) => !deleted_at)
      .flatMap(({ id, values }) => storedKeys(object, values).map((key) => ({ company_id, key, record_id: id })))
    const added = new Params()
    if (keys.length) await run(tx, `${inserting('duplicate_keys', keys)(added)} on conflict do nothing`, added)
    return rows
  })

async function findPairs(db: Db, company_id: string, object: ObjectSchema, after: string, now: Date) {
  const { rows } = await sql<{ id: string }>`
    select id from records where company_id = ${company_id} and object_id = ${object.id} and id > ${after}
    order by id limit ${step}`.execute(db)
  await updatePairs(
    db,
    company_id,
    object,
    rows.map(({ id }) => id),
    now,
  )
  return rows
}
