import { sql } from 'kysely'
import type { Db } from '../kernel/db.ts'
import type { Log } from '../kernel/log.ts'

export type SeenRequest = {
  company_id: string
  /** The request id. */
  id: string
  at: Date
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
  ip: string
}

const keptDays = 7
const mostWaiting = 10_000
/** Small batches, so that writing one never holds up the requests of the moment. */
const batchSize = 200
const mostRoutine = 200

/** Requests are written behind their answers, in batches: looking at the log must not slow down what it looks at. */
export function createRequestLog(
  db: Db,
  log: Log,
  uses: { add(seen: SeenRequest): void; flush(): Promise<void> },
  everyMs = 500,
) {
  const waiting: SeenRequest[] = []
  let busy: Promise<void> | undefined
  let routineThisSecond = 0

  /** Everything that waits now is written when this resolves. */
  function flush(): Promise<void> {
    busy ??= drain().finally(() => {
      busy = undefined
    })
    return busy.then(() => (waiting.length ? flush() : undefined))
  }

  async function drain() {
    await uses.flush().catch((error) => log.warn({ err: error }, 'the uses of keys were not recorded'))
    while (waiting.length) {
      const batch = waiting.splice(0, batchSize)
      await insert(db, batch).catch((error) =>
        log.warn({ err: error, lost: batch.length }, 'requests were not recorded'),
      )
    }
  }

  const timers = [
    setInterval(flush, everyMs).unref(),
    setInterval(() => {
      routineThisSecond = 0
    }, 1000).unref(),
  ]
  return {
    /** What went well and changed nothing is routine: of that, a storm keeps only a part here. Tells whether it was kept. */
    add(seen: SeenRequest, isRoutine: boolean) {
      uses.add(seen)
      if (isRoutine && ++routineThisSecond > mostRoutine) return false
      if (waiting.length >= mostWaiting) return false
      waiting.push(seen)
      if (waiting.length >= batchSize && !busy) void flush()
      return true
    },
    flush,
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await flush()
    },
  }
}

async function insert(db: Db, batch: object[]) {
  await sql`insert into requests select * from jsonb_populate_recordset(null::requests, ${JSON.stringify(batch)}::jsonb)`.execute(
    db,
  )
}

/** The first id of that moment; ids are ordered by time. */
const firstIdOf = (moment: Date) => {
  const hex = moment.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

export const pruneRequests = (db: Db, now: Date) => {
  const oldest = firstIdOf(new Date(now.getTime() - keptDays * 86_400_000))
  return sql`delete from requests r using companies c where r.company_id = c.id and r.id < ${oldest}`.execute(db)
}
