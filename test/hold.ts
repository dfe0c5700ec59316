// Stops other processes at a chosen row, so that a test does not have to be faster than they are.
import pg from 'pg'
import { expect, onTestFinished, vi } from 'vitest'

const within = { timeout: 120_000, interval: 20 }
/** What runs in the test's own process comes soon, or not at all. */
const inTurn = { timeout: 15_000, interval: 20 }
const firstKey = 7_000_000
let holds = 0

async function ask(connection: pg.ClientConfig, text: string) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

/**
 * Transactions that write a row with this condition (on `new`) wait there until `release` is called. Neither the row nor
 * the transaction has to exist yet, and the hold survives a kill of the database.
 */
export async function holdWrites(owner: pg.ClientConfig, table: string, condition: string) {
  const number = ++holds
  const name = `hold_${number}`
  const key = firstKey + number
  // The advisory lock only shows that the row was reached.
  await ask(
    owner,
    `create table if not exists holds (number int primary key);
    grant select on holds to public;
    insert into holds values (${number});
    create function ${name}() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock_shared(${key});
      while exists (select from public.holds where number = ${number}) loop perform pg_sleep(0.02); end loop;
      return new;
    end $$;
    create trigger ${name} before insert or update on ${table} for each row when (${condition}) execute function ${name}()`,
  )
  const release = async () => void (await ask(owner, `delete from holds where number = ${number}`))
  onTestFinished(() => release().catch(() => {}))
  return {
    /** Until a transaction waits at the row. */
    reached: () =>
      vi.waitFor(async () => {
        const held = `select from pg_locks where locktype = 'advisory' and objid = ${key}`
        expect(
          (await ask(owner, `${held} and database = (select oid from pg_database where datname = current_database())`))
            .rowCount,
        ).toBeGreaterThan(0)
      }, within),
    release,
  }
}

export type Hold = Awaited<ReturnType<typeof holdWrites>>

/** Until a statement that contains this text waits for a lock. The connection must have the same role. */
export const untilWaiting = (connection: pg.ClientConfig, text: string) =>
  vi.waitFor(async () => {
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const client = new pg.Client(connection)
    await client.connect()
    const { rowCount } = await client.query(`${waiting} and query ilike $1`, [`%${text}%`]).finally(() => client.end())
    expect(rowCount, `a statement with "${text}" waits for a lock`).toBeGreaterThan(0)
  }, inTurn)
