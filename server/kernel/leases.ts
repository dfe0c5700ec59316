// Rows that one process at a time works on. It holds a lease, which it renews meanwhile; if it dies, the lease ends and
// another process takes over. Each lease has a name of its own, so that work that lost it cannot go on, not even in the same
// process. The end of a lease is by the clock of the database.
import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/db.ts'

export class LostLease extends Error {
  override name = 'LostLease'
}

export type Leased = { company_id: string; id: string; leased_by: string }

type Sql = RawBuilder<unknown>
type Table = 'channels' | 'jobs' | 'lead_routings' | 'messages' | 'webhooks'
type Waiting = { where?: Sql; at?: Sql }
type Wanted = {
  /** Of rows `t` without a lease. */
  where: Sql
  order: Sql
  limit: number
  /** Of `t`, besides those of the lease. */
  columns: Sql
  set?: Sql
}

/** Of a row `t`. */
export const isFree = sql`(t.leased_until is null or t.leased_until < now())`

/**
 * `seconds`: how long a process may be silent before another one takes over. `isOpen`: of a row `t`, that there is still
 * something to do. Otherwise its lease cannot be renewed or held.
 */
export function leasesOf(name: Table, seconds: number, isOpen: Sql = sql`true`) {
  const table = sql.table(name)
  const until = (length = seconds) => sql`now() + make_interval(secs => ${length})`
  const isMine = ({ company_id, id, leased_by }: Leased) =>
    sql`t.company_id = ${company_id} and t.id = ${id} and t.leased_by = ${leased_by}`

  /** What a statement sets that takes the lease. */
  const taking = (leased_by: string, length?: number) => sql`leased_by = ${leased_by}, leased_until = ${until(length)}`
  /** The row, which no other process can take over before the end of the transaction. */
  const held = (lease: Leased, columns: Sql = sql`1`) =>
    sql`select ${columns} from ${table} t where ${isMine(lease)} and ${isOpen} for no key update`

  return {
    taking,
    held,

    async claim<Row>(db: Db, company_id: string, { where, order, limit, columns, set }: Wanted) {
      // As a condition of the update, PostgreSQL might run the inner query several times, each with the limit.
      const { rows } = await sql<Row & Leased>`
        with free as materialized (
          select t.id from ${table} t where t.company_id = ${company_id} and ${where} and ${isFree}
          order by ${order} limit ${limit} for update skip locked)
        update ${table} t set ${taking(randomUUID())} ${set ? sql`, ${set}` : sql``}
        from free where t.company_id = ${company_id} and t.id = free.id
        returning t.company_id, t.id, t.leased_by, ${columns}`.execute(db)
      return rows
    },

    /** False: it is lost. */
    async renew(db: Db, lease: Leased, set?: Sql) {
      const { numAffectedRows } =
        await sql`update ${table} t set leased_until = ${until()} ${set ? sql`, ${set}` : sql``}
        where ${isMine(lease)} and ${isOpen}`.execute(db)
      return Boolean(numAffectedRows)
    },

    /** False: it was lost before. */
    async release(db: Db, lease: Leased, set?: Sql) {
      const { numAffectedRows } = await sql`update ${table} t set leased_by = null, leased_until = null
        ${set ? sql`, ${set}` : sql``} where ${isMine(lease)}`.execute(db)
      return Boolean(numAffectedRows)
    },

    async hold<Row>(tx: Db, lease: Leased, columns?: Sql) {
      const { rows } = await sql<Row>`${held(lease, columns)}`.execute(tx)
      if (!rows[0]) throw new LostLease()
      return rows[0]
    },

    /** When a row `t` like this without a lease is due, or the lease of a due one ends. `at`: now if omitted. */
    async nextDue(
      db: Db,
      company_id: string,
      now: Date,
      { where = sql`true`, at = sql`${now}::timestamptz` }: Waiting,
    ) {
      const isLike = sql`t.company_id = ${company_id} and ${where}`
      const { rows } = await sql<{ next: Date | null }>`
        select least(
          (select ${at} from ${table} t where ${isLike} and ${at} is not null and ${isFree} order by ${at} limit 1),
          (select ${now}::timestamptz + (min(t.leased_until) - now()) from ${table} t
            where ${isLike} and ${at} <= ${now} and not ${isFree})) as next`.execute(db)
      return rows[0]!.next
    },
  }
}
