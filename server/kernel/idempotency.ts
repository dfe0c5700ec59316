import { sql } from 'kysely'
import { type Db, isLockTimeout } from '../platform/db.ts'
import { sha256 } from '../platform/secrets.ts'
import { dayMs } from '../platform/times.ts'
import { AppError } from './app-error.ts'
import { forEachCompany } from './companies.ts'
import type { Actor } from './context.ts'
import { inBatches } from './prune.ts'

const waitLimit = '4s'

type Repeatable = {
  actor: Actor
  operation: string
  key: string
  input: unknown
  now: Date
  /** Throws if the caller may no longer make this call. */
  mayRepeat(): Promise<unknown> | undefined
}

/**
 * Runs the work of an idempotency key at most once, inside the transaction of the work.
 * A second call with the same key waits at the insert until the first is done, and gets the same response.
 */
export async function once<T>(
  tx: Db,
  { actor, operation, key, input, now, mayRepeat }: Repeatable,
  work: () => Promise<T>,
): Promise<T> {
  if (key.length < 1 || key.length > 255)
    throw new AppError('bad_request', 'Use an idempotency key of 1 to 255 characters.')
  const { company_id, user_id } = actor
  const input_hash = sha256(canonical(input))
  const row = { company_id, user_id, operation, key }
  await sql`select set_config('lock_timeout', ${waitLimit}, true)`.execute(tx)
  const claimed = await tx
    .insertInto('idempotency_keys')
    .values({ ...row, input_hash, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
    .catch((error) => {
      if (!isLockTimeout(error)) throw error
      throw new AppError('conflict', 'A request with this idempotency key is still running. Retry in a few seconds.')
    })
  const isThisKey = () => Object.entries(row).map(([name, value]) => sql<boolean>`${sql.ref(name)} = ${value}`)
  if (!claimed.numInsertedOrUpdatedRows) {
    const stored = await tx
      .selectFrom('idempotency_keys')
      .select(['input_hash', 'answer'])
      .where((eb) => eb.and(isThisKey()))
      .executeTakeFirstOrThrow()
    if (!stored.input_hash.equals(input_hash)) {
      throw new AppError(
        'idempotency_key_reused',
        'Use a new idempotency key for a new request, or send the same input again.',
      )
    }
    await mayRepeat()
    return stored.answer as T
  }
  const answer = await work()
  await tx
    .updateTable('idempotency_keys')
    .set({ answer: JSON.stringify(answer) })
    .where((eb) => eb.and(isThisKey()))
    .execute()
  return answer
}

/** The order of properties does not matter. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

const keptMs = dayMs

export const pruneIdempotencyKeys = (db: Db, now: Date) =>
  forEachCompany(db, ({ id }) =>
    inBatches((limit) =>
      sql`delete from idempotency_keys where company_id = ${id} and (user_id, operation, key) in (
        select k.user_id, k.operation, k.key from idempotency_keys k where k.company_id = ${id}
          and k.created_at < ${new Date(now.getTime() - keptMs)} order by k.created_at limit ${limit})`.execute(db),
    ),
  )
