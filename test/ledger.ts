// People who create records while servers are killed, and what became of each of their calls.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '../server/platform/db.ts'

type Failure = { at: number; why: string }
type Options = {
  writers?: number
  /** Whether a call that failed is sent again, with its idempotency key. */
  repeats: boolean
}

/** How these people are told from others. */
const mark = 'Ledger '
const patience = 30_000
/** Keeps a dozen writers below the rate limit of a key. */
const pauseMs = 150

/** Each writer creates one person after the other, until it is told to stop. */
export function keepCreating(url: string, key: string, { writers = 4, repeats }: Options) {
  const created: string[] = []
  const failures: Failure[] = []
  let isOver = false

  async function create(first_name: string) {
    const answer = await fetch(`${url}/api/v1/records/people`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': first_name },
      body: JSON.stringify({ records: [{ first_name }] }),
      signal: AbortSignal.timeout(patience),
    })
    if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`)
    await answer.arrayBuffer()
  }

  async function write() {
    while (!isOver) {
      const name = `${mark}${randomUUID()}`
      for (let isDone = false; !isDone; )
        try {
          await create(name)
          created.push(name)
          isDone = true
        } catch (error) {
          const { message, cause } = error as Error
          failures.push({ at: Date.now(), why: `${message} ${(cause as Error | undefined)?.message ?? ''}` })
          isDone = !repeats
        } finally {
          await sleep(pauseMs)
        }
    }
  }
  const writing = Promise.all(Array.from({ length: writers }, write))
  return {
    created,
    failures,
    async stop() {
      isOver = true
      await writing
    },
  }
}

/** What was answered with success is there, once, with one entry in its history; what failed is there once or not at all. */
export async function compareLedger(
  db: Db,
  company_id: string,
  { created, failures }: ReturnType<typeof keepCreating>,
) {
  const { rows } = await sql<{ name: string; changes: number }>`
    select r.values ->> 'first_name' as name, (select count(*)::int from changes c
      where c.company_id = ${company_id} and c.record_id = r.id) as changes
    from records r where r.company_id = ${company_id} and r.object_id =
      (select id from objects where company_id = ${company_id} and key = 'people')
      and r.values ->> 'first_name' like ${`${mark}%`}`.execute(db)
  const counts = Map.groupBy(rows, ({ name }) => name)
  expect(created.filter((name) => counts.get(name)?.length !== 1)).toEqual([])
  expect(rows.filter(({ changes }) => changes !== 1)).toEqual([])
  expect(rows.length).toBeGreaterThanOrEqual(created.length)
  expect(rows.length).toBeLessThanOrEqual(created.length + failures.length)
}
