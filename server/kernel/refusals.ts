// Records refused calls in the audit log after the response, whose time must not reveal whether an account exists.

import type { Db } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { AppError } from './app-error.ts'
import type { Caller } from './context.ts'
import { noNotes, rowsOfNotes, writeRows } from './pending-writes.ts'

export type Refusal = NonNullable<AppError['more']['audit']>
export type RefusalLog = ReturnType<typeof createRefusalLog>

type Row = { company_id: string }

const repeatMs = 60_000
const mostRemembered = 10_000
const batchSize = 200

export function createRefusalLog(db: Db, log: Log) {
  const waiting: Row[] = []
  const written = new Map<string, number>()
  let writing: Promise<void> | undefined

  function add(refusal: Refusal, caller: Caller, operation: string, now: Date) {
    if (isRepeated(refusal, operation, now)) return
    const { company_id, actor_id = null, action, data } = refusal
    const notes = { ...noNotes(), audit: [{ company_id, actor_id, action, target_id: null, data }] }
    for (const rows of rowsOfNotes(notes, caller, operation, now).values()) waiting.push(...(rows as Row[]))
    writing ??= writeAll().finally(() => {
      writing = undefined
    })
  }

  /** A call that the role does not allow can be repeated a hundred times a second; one entry a minute is enough. */
  function isRepeated({ company_id, actor_id, action }: Refusal, operation: string, now: Date) {
    if (action !== 'access.refused') return false
    const key = `${company_id} ${actor_id} ${operation}`
    const last = written.get(key)
    if (last !== undefined && now.getTime() - last < repeatMs) return true
    if (written.size >= mostRemembered) written.clear()
    written.set(key, now.getTime())
    return false
  }

  async function writeAll() {
    while (waiting.length) {
      const batch = waiting.splice(0, batchSize)
      for (const rows of Map.groupBy(batch, ({ company_id }) => company_id).values())
        await writeRows(db, { rows: new Map([['audit_events', rows]]), schema: undefined }).catch((error) =>
          log.error({ err: error, lost: rows.length }, 'refusals were not recorded'),
        )
    }
  }

  /** Resolves when everything refused so far is in the audit log. */
  const flush = async () => writing

  return { add, flush }
}
