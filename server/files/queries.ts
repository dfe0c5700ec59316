// The rows of files. The bytes are stored first, outside the transaction; the row makes them a file.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '../kernel/app-error.ts'
import { forEachCompany } from '../kernel/companies.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { inBatches } from '../kernel/prune.ts'
import type { Db } from '../platform/db.ts'
import { safeName } from './names.ts'
import { typeOf } from './sniff.ts'
import { type Content, type FileStore, keyOf, type Stored } from './store.ts'
import { countAdded, deleteFiles } from './usage.ts'

/** `quotaBytes`: per company. `moving`: files that are still in the one place move to the other. */
export type Files = { store: FileStore; quotaBytes: number; moving?: { to: FileStore; from: FileStore } }

/** Stored bytes without a row yet. If they never get one, `sweep.ts` removes them. */
export type Kept = Stored & { id: string }

export async function keepBytes({ store }: Files, context: Context, content: Content): Promise<Kept> {
  const { company_id } = actorOf(context)
  const id = randomUUIDv7()
  const stored = await store.put(keyOf({ company_id, id }), content).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOSPC' && error.code !== 'EDQUOT') throw error
    throw new AppError('unavailable', 'The disk of this server is full. Ask its operator to free some space.')
  })
  return { ...stored, id }
}

type NewFile = { purpose: string; name: string; expires_at?: Date }

export async function addFile({ quotaBytes }: Files, context: Context, kept: Kept, { name, ...wanted }: NewFile) {
  const { company_id, user_id } = actorOf(context)
  const { db, now } = context
  const { id, size, sha256, head } = kept
  const row = {
    company_id,
    id,
    name: safeName(name),
    type: typeOf(head, name),
    size,
    sha256,
    created_by: user_id,
    created_at: now,
    ...wanted,
  }
  await db.insertInto('files').values(row).execute()
  await countAdded(db, company_id, [size])
  // Afterwards: counting locks, so that concurrent uploads cannot exceed the quota together.
  await refuseOverQuota(db, company_id, 0, quotaBytes)
  return { expires_at: null, ...row }
}

/** `bytes`: that are not stored yet. */
export async function refuseOverQuota(db: Db, company_id: string, bytes: number, quotaBytes: number) {
  const { rows } = await sql<{ used: number }>`
    select bytes::float8 as used from file_usage where company_id = ${company_id}`.execute(db)
  if ((rows[0]?.used ?? 0) + bytes <= quotaBytes) return
  const most = Math.floor(quotaBytes / 1024 / 1024)
  throw new AppError('conflict', `Your company's files can take up at most ${most} MB. Delete some and try again.`)
}

export const findFile = (db: Db, company_id: string, id: string, ...purposes: string[]) =>
  db
    .selectFrom('files')
    .selectAll()
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .where('purpose', 'in', purposes)
    .executeTakeFirst()

type OwnPurpose = 'import' | 'export' | 'record'

/** A file that the caller has uploaded or exported, that has not expired, and that no record has. */
export async function findOwnFile(context: Context, id: string, ...purposes: OwnPurpose[]) {
  const { company_id, user_id } = actorOf(context)
  const file = await findFile(context.db, company_id, id, ...purposes)
  const isGone =
    !file ||
    file.created_by !== user_id ||
    file.record_id !== null ||
    (file.expires_at && file.expires_at <= context.now)
  return isGone ? undefined : file
}

/** Postpones when a file of the caller expires. Whether there still is one. */
export async function keepUntil(context: Context, id: string, until: Date) {
  const { company_id } = actorOf(context)
  const { numUpdatedRows } = await context.db
    .updateTable('files')
    .set({ expires_at: until })
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Undefined if its bytes are missing. */
export const readFile = ({ store }: Files, file: { company_id: string; id: string }) =>
  store.read(keyOf(file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })

/** `sweep.ts` removes the bytes later. */
export const deleteRow = (db: Db, company_id: string, id: string) => deleteFiles(db, company_id, sql`id = ${id}`)

export const pruneFiles = (db: Db, now: Date) =>
  forEachCompany(db, ({ id }) =>
    inBatches((limit) =>
      deleteFiles(
        db,
        id,
        sql`id in (select f.id from files f where f.company_id = ${id} and f.expires_at <= ${now}
          order by f.expires_at limit ${limit})`,
      ),
    ),
  )
