// How many rows of a table statements read, as PostgreSQL counts them.
import type { Pool } from '../server/platform/db.ts'
import type { Sent } from './statements.ts'

type Plan = {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

const isExplained = ({ text }: Sent) => /^\s*(select|with|update|delete|\()/i.test(text) && !/insert into/i.test(text)

/**
 * Sends the statements again in a transaction that is rolled back. Small tables would be read whole whatever indexes they
 * have, so that is ruled out.
 */
export async function rowsRead(pool: Pool, sent: Sent[], tables: string[]) {
  const client = await pool.connect()
  const counts = Object.fromEntries(tables.map((table) => [table, 0]))
  const add = (plan: Plan) => {
    const table = plan['Relation Name']
    if (table !== undefined && table in counts)
      counts[table]! +=
        (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)) *
        plan['Actual Loops']
    plan.Plans?.forEach(add)
  }
  try {
    await client.query('begin')
    await client.query('set local enable_seqscan = off')
    for (const { text, values } of sent.filter(isExplained)) {
      const { rows } = await client.query(`explain (analyze, format json) ${text}`, values)
      add(rows[0]['QUERY PLAN'][0].Plan)
    }
  } finally {
    await client.query('rollback')
    client.release()
  }
  return counts
}
