// Removes stored bytes without a row: from deleted files, and from uploads that failed after their bytes were stored.

import { sql } from 'kysely'
import type { BackgroundTasks } from '../kernel/queue.ts'
import { type Db, transaction } from '../platform/db.ts'
import { hourMs } from '../platform/times.ts'
import { moveTasks } from './moving-store.ts'
import type { Files } from './queries.ts'
import type { FileStore } from './store.ts'
import { recountFiles } from './usage.ts'

/** Held by a backup, so that no bytes are removed while it copies them. */
export const fileLock = 5_484_204

/** Longer than it takes from the last byte of an upload to its row. */
const untouchedMs = hourMs
const step = 200

export const fileTasks = ({ files: { store, moving } }: { files: Files }): BackgroundTasks => ({
  ...moveTasks(moving),
  sweep_files: { cron: '43 * * * *', run: ({ db, signal }) => sweepFiles(db, store, signal) },
  recount_files: { cron: '23 3 * * *', run: ({ db }) => recountFiles(db) },
})

/** Returns how many files were removed. */
export async function sweepFiles(db: Db, store: FileStore, signal?: AbortSignal) {
  await store.tidy(untouchedMs)
  let swept = 0
  for await (const { company_id, ids } of batches(store.keys(untouchedMs))) {
    if (signal?.aborted) break
    const removed = await sweepSome(db, store, company_id, ids)
    if (removed === null) break
    swept += removed
  }
  return swept
}

async function* batches(keys: AsyncIterable<string>) {
  let batch = { company_id: '', ids: [] as string[] }
  for await (const key of keys) {
    const [company_id, id] = key.split('/') as [string, string]
    if (company_id !== batch.company_id || batch.ids.length === step) {
      if (batch.ids.length) yield batch
      batch = { company_id, ids: [] }
    }
    batch.ids.push(id)
  }
  if (batch.ids.length) yield batch
}

/** Null if a backup or another sweep is running. */
const sweepSome = (db: Db, store: FileStore, company_id: string, ids: string[]) =>
  transaction(db, async (tx) => {
    const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${fileLock}) as free`.execute(tx)
    if (!rows[0]!.free) return null
    const known = await tx
      .selectFrom('files')
      .select('id')
      .where('company_id', '=', company_id)
      .where('id', 'in', ids)
      .execute()
    const kept = new Set(known.map(({ id }) => id))
    const orphans = ids.filter((id) => !kept.has(id))
    for (const id of orphans) await store.remove(`${company_id}/${id}`)
    return orphans.length
  })
