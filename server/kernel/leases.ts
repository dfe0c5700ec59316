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
type Wanted = {
  /** Of rows `t` without a lease. */
  where: Sql
  order: Sql
  limit: number
  /** Of `t`, besides those of the lease. */
  columns: Sql
  set?: Sql
}

const isFree = sql`(t.leased_until is null or t.leased_until < now())`

/** `seconds`: how long a process may be silent before another one takes over. */
export function leasesOf(name: 'lead_routings', seconds: number) {
  const table = sql.table(name)
  const until = sql`now() + make_interval(secs => ${seconds})`
  const isMine = ({ company_id, id, leased_by }: Leased) =>
    sql`company_id = ${company_id} and id = ${id} and leased_by = ${leased_by}`

  return {
    async claim<Row>(db: Db, company_id: string, { where, order, limit, columns, set }: Wanted) {
      // As a condition of the update, PostgreSQL might run the inner query several times, each with the limit.
      const { rows } = await sql<Row & Leased>`
        with free as materialized (
          select t.id from ${table} t where t.company_id = ${company_id} and ${where} and ${isFree}
          order by ${order} limit ${limit} for update skip locked)
        update ${table} t set leased_by = ${randomUUID()}, leased_until = ${until} ${set ? sql`, ${set}` : sql``}
        from free where t.company_id = ${company_id} and t.id = free.id
        returning t.company_id, t.id, t.leased_by, ${columns}`.execute(db)
      return rows
    },

    renew: (db: Db, lease: Leased) =>
      sql`update ${table} set leased_until = ${until} where ${isMine(lease)}`.execute(db),

    release: (db: Db, lease: Leased, set?: Sql) =>
      sql`update ${table} set leased_by = null, leased_until = null ${set ? sql`, ${set}` : sql``}
        where ${isMine(lease)}`.execute(db),

    /** No other process can take over before the end of the transaction. */
    async hold(tx: Db, lease: Leased) {
      const { rows } = await sql`select 1 from ${table}
        where ${isMine(lease)} and leased_until > now() for update`.execute(tx)
      if (!rows.length) throw new LostLease()
    },

    /** When a row of the company without a lease is due, or the lease of a due one ends. `at`: a column of `t`. */
    async nextDue(db: Db, company_id: string, at: string, now: Date) {
      const time = sql.ref(`t.${at}`)
      const { rows } = await sql<{ next: Date | null }>`
        select least(
          (select ${time} from ${table} t where t.company_id = ${company_id} and ${time} is not null and ${isFree}
            order by ${time} limit 1),
          (select ${now}::timestamptz + (min(t.leased_until) - now()) from ${table} t
            where t.company_id = ${company_id} and ${time} <= ${now} and not ${isFree})) as next`.execute(db)
      return rows[0]!.next
    },
  }
}
