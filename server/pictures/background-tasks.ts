// Moves pictures of older versions from the database to the file store. They keep their IDs.
import { sql } from 'kysely'
import type { Files } from '../files/queries.ts'
import { keyOf } from '../files/store.ts'
import { countAdded } from '../files/usage.ts'
import type { BackgroundTasks } from '../kernel/queue.ts'
import { type Db, transaction } from '../platform/db.ts'

export const pictureTasks = ({ files }: { files: Files }): BackgroundTasks => ({
  move_pictures: {
    atStart: true,
    concurrency: 1,
    async run({ db, signal }) {
      while (!signal.aborted && (await moveNext(db, files)));
    },
  },
})

/** One at a time. Locks the row, so that the picture cannot be removed while it is moved. */
const moveNext = (db: Db, { store }: Files) =>
  transaction(db, async (tx) => {
    const picture = await tx.selectFrom('pictures').selectAll().limit(1).forUpdate().skipLocked().executeTakeFirst()
    if (!picture) return false
    const { bytes, ...row } = picture
    const { size, sha256 } = await store.put(keyOf(row), [bytes])
    await tx
      .insertInto('files')
      .values({ ...row, purpose: 'picture', name: 'picture', size, sha256 })
      .execute()
    await countAdded(tx, row.company_id, [size])
    await sql`delete from pictures where company_id = ${row.company_id} and id = ${row.id}`.execute(tx)
    return true
  })
