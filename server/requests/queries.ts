import type { Output, Parsed } from '../../contract/operation.ts'
import type { requests } from '../../contract/requests.ts'
import { forEachCompany } from '../kernel/companies.ts'
import { newestFirst } from '../kernel/page.ts'
import { deleteOlder } from '../kernel/prune.ts'
import { inserting, Params, run } from '../kernel/statement.ts'
import type { Db } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { dayMs } from '../platform/times.ts'

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
  trace_id: string | null
  error_code: string | null
  ip: string
}

const mostWaiting = 10_000
/** Small batches, so that writing one does not delay current requests. */
const batchSize = 200
const mostRoutine = 200

/** Writes requests in batches after their responses, so that logging does not slow them down. */
export function createRequestLog(
  db: Db,
  log: Log,
  uses: { add(seen: SeenRequest): void; flush(): Promise<void> },
  everyMs = 500,
) {
  const waiting: SeenRequest[] = []
  let busy: Promise<void> | undefined
  let routineThisSecond = 0

  /** Resolves when everything waiting has been written. */
  async function flush() {
    // A drain that has already begun may have counted the uses of keys before the latest of them.
    await busy
    do await begin()
    while (waiting.length)
  }

  async function drain() {
    await uses.flush().catch((error) => log.warn({ err: error }, 'the use of API keys was not recorded'))
    // Writes only what is waiting now. Including new requests would lead to ever smaller batches without end.
    for (let left = waiting.length; left > 0; left -= batchSize) {
      const batch = waiting.splice(0, Math.min(left, batchSize))
      await insert(db, batch).catch((error) =>
        log.warn({ err: error, lost: batch.length }, 'requests were not recorded'),
      )
    }
  }

  function begin() {
    busy ??= drain().finally(() => {
      busy = undefined
    })
    return busy
  }

  const timers = [
    setInterval(begin, everyMs).unref(),
    setInterval(() => {
      routineThisSecond = 0
    }, 1000).unref(),
  ]
  return {
    /** Successful reads are routine, and under load only some of them are kept. Returns whether this one was kept. */
    add(seen: SeenRequest, isRoutine: boolean) {
      uses.add(seen)
      if (isRoutine && ++routineThisSecond > mostRoutine) return false
      if (waiting.length >= mostWaiting) return false
      waiting.push(seen)
      if (waiting.length >= batchSize) void begin()
      return true
    },
    flush,
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await flush()
    },
  }
}

const statusRange = { ok: [0, 399], refused: [400, 499], failed: [500, 599] } as const
type RequestQuery = Parsed<typeof requests.listRequests>

export async function listRequestsOf(
  db: Db,
  company_id: string,
  { request_id, trace_id, user_id, api_key_id, status, ...page }: RequestQuery,
): Promise<Output<typeof requests.listRequests>> {
  let rows = db
    .selectFrom('requests as r')
    .leftJoin('users as u', (join) => join.onRef('u.company_id', '=', 'r.company_id').onRef('u.id', '=', 'r.user_id'))
    .select(['r.id', 'r.at', 'r.door as via', 'r.door', 'r.method', 'r.route', 'r.operation', 'r.status'])
    .select([
      'r.duration_ms',
      'r.user_id',
      'u.name as user_name',
      'r.api_key_id',
      'r.client',
      'r.trace_id',
      'r.error_code',
    ])
    .where('r.company_id', '=', company_id)
  if (request_id) rows = rows.where('r.id', '=', request_id)
  if (trace_id) rows = rows.where('r.trace_id', '=', trace_id)
  if (user_id) rows = rows.where('r.user_id', '=', user_id)
  if (api_key_id) rows = rows.where('r.api_key_id', '=', api_key_id)
  if (status) {
    const [from, to] = statusRange[status]
    rows = rows.where('r.status', '>=', from).where('r.status', '<=', to)
  }
  const { items, next_cursor } = await newestFirst(rows, 'r.id', page)
  return {
    items: items.map(({ id, at, ...row }) => ({ request_id: id, at: at.toISOString(), ...row })) as never,
    next_cursor,
  }
}

async function insert(db: Db, batch: SeenRequest[]) {
  for (const seen of Map.groupBy(batch, ({ company_id }) => company_id).values()) {
    const params = new Params()
    const rows = seen.map(({ ip: _, at, ...row }) => ({ ...row, at: at.toISOString() }))
    await run(db, inserting('requests', rows)(params), params)
  }
}

/** Each company sets how long its requests are kept. */
export const pruneRequests = (db: Db, now: Date) =>
  forEachCompany(db, ({ id, request_days }) =>
    deleteOlder(db, 'requests', id, new Date(now.getTime() - request_days * dayMs)),
  )
