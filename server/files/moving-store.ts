// Two stores, while files move from one to the other: new files go to the first, and each is read where it is.
import { setTimeout as sleep } from 'node:timers/promises'
import type { BackgroundTasks } from '../kernel/queue.ts'
import type { Db } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { type FileStore, unlessMissing } from './store.ts'

export function movingStore(to: FileStore, from: FileStore): FileStore {
  return {
    put: to.put,
    async read(key) {
      for (const store of [to, from])
        try {
          return await store.read(key)
        } catch (error) {
          unlessMissing(error as NodeJS.ErrnoException)
        }
      // It may have moved in between.
      return to.read(key)
    },
    sizeOf: async (key) => (await to.sizeOf(key)) ?? (await from.sizeOf(key)) ?? to.sizeOf(key),
    async remove(key) {
      await from.remove(key)
      await to.remove(key)
    },
    async *keys(olderThanMs) {
      yield* to.keys(olderThanMs)
      yield* from.keys(olderThanMs)
    },
    async tidy(olderThanMs) {
      await to.tidy(olderThanMs)
      await from.tidy(olderThanMs)
    },
  }
}

type Stores = { to: FileStore; from: FileStore }

/** Gives way to uploads. */
const pauseMs = 20

/**
 * Moves what is left, file by file: a file is removed only when its copy is complete, so that an interrupted run goes on
 * where it stopped. Files without a row are left to `sweep.ts`. Returns how many have moved.
 */
export async function moveFiles(db: Db, { to, from }: Stores, log: Log, signal?: AbortSignal) {
  let moved = 0
  for await (const key of from.keys(0)) {
    if (signal?.aborted) break
    const [company_id, id] = key.split('/') as [string, string]
    const rows = db.selectFrom('files').select('sha256').where('company_id', '=', company_id).where('id', '=', id)
    const row = await rows.executeTakeFirst()
    if (!row) continue
    const content = await from.read(key).catch(unlessMissing)
    // It was deleted, or another process has moved it.
    if (!content) continue
    const { sha256 } = await to.put(key, content)
    if (sha256.equals(row.sha256)) {
      await from.remove(key)
      moved++
    } else {
      await to.remove(key)
      log.error({ company_id, file_id: id }, 'a file was not moved: its bytes are not those that were stored')
    }
    await sleep(pauseMs)
  }
  if (moved) log.info({ moved }, 'files were moved to the other store')
  return moved
}

/** Usually one process does this at a time; several do no harm. */
export const moveTasks = (stores: Stores | undefined): BackgroundTasks =>
  stores
    ? {
        move_files: {
          cron: '*/10 * * * *',
          atStart: true,
          concurrency: 1,
          run: ({ db, log, signal }) => moveFiles(db, stores, log, signal),
        },
      }
    : {}
