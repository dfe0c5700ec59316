import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../kernel/db.ts'
import type { Log } from '../kernel/log.ts'

export type SeenRequest = {
  company_id: string
  at: Date
  request_id: string
  door: string
  method: string
  route: string
  operation: string | null
  status: number
  duration_ms: number
  user_id: string
  api_key_id: string | null
  client: string | null
  error_code: string | null
}

const keptDays = 7
const mostWaiting = 10_000

/** Requests are written behind their answers, in batches: looking at the log must not slow down what it looks at. */
export function createRequestLog(db: Db, log: Log, everyMs = 500) {
  let waiting: (SeenRequest & { id: string })[] = []
  let writing = Promise.resolve()

  function flush() {
    if (!waiting.length) return writing
    const batch = waiting
    waiting = []
    writing = writing
      .then(() => insert(db, batch))
      .catch((error) => log.warn({ err: error, lost: batch.length }, 'requests were not recorded'))
    return writing
  }

  const timer = setInterval(flush, everyMs).unref()
  return {
    add(seen: SeenRequest) {
      if (waiting.length < mostWaiting) waiting.push({ ...seen, id: randomUUIDv7() })
    },
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

async function insert(db: Db, batch: object[]) {
  await sql`insert into requests select * from jsonb_populate_recordset(null::requests, ${JSON.stringify(batch)}::jsonb)`.execute(
    db,
  )
}

export const pruneRequests = (db: Db, now: Date) =>
  db
    .deleteFrom('requests')
    .where('at', '<', new Date(now.getTime() - keptDays * 86_400_000))
    .execute()
