// Checks of a Citus cluster, and of the tables for signing in, which no foreign key protects.
import { citusVersion, kindsOf, workersOf } from '../distribution/citus.ts'
import { distributed, known } from '../distribution/tables.ts'
import type { Db } from '../platform/db.ts'
import { count, sizeOf } from '../platform/terminal.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

type Client = Parameters<typeof citusVersion>[0]

const check = 'Cluster'
/** Less is moved in minutes, and rarely worth it. */
const worthMoving = 1024 ** 3

/** Nothing on PostgreSQL alone. */
export async function checkCluster(client: Client): Promise<Finding | undefined> {
  const version = await citusVersion(client)
  if (!version) return
  const { rows: lost } = await client.query<{ node: string }>(
    `select nodename || ':' || nodeport as node from pg_dist_node where not isactive order by 1`,
  )
  if (lost.length)
    return failed(
      check,
      `Citus ${version}: ${lost.map(({ node }) => node).join(', ')} ${lost.length === 1 ? 'is' : 'are'} not active`,
      'Start the node, and run select citus_activate_node(name, port).',
    )
  const kinds = await kindsOf(client)
  const missing = [...distributed, ...known].filter((name) => !kinds.has(name))
  const workers = await workersOf(client)
  const nodes = count(workers.length, 'worker', 'workers')
  if (missing.length)
    return warning(
      check,
      `Citus ${version}, ${nodes}, ${count(missing.length, 'table is', 'tables are')} not distributed`,
      'Stop Kith and run npm run distribute.',
    )
  const { rows: modes } = await client.query<{ plan_cache_mode: string }>('show plan_cache_mode')
  if (modes[0]!.plan_cache_mode !== 'force_custom_plan')
    return warning(
      check,
      `Citus ${version}, ${nodes}, but statements are planned for all nodes`,
      'Run: alter database NAME set plan_cache_mode = force_custom_plan',
    )
  return placement(client, `Citus ${version}, ${nodes}`)
}

async function placement(client: Client, found: string): Promise<Finding> {
  const { rows } = await client.query<{ node: string; bytes: number }>(
    `select nodename || ':' || nodeport as node, sum(shard_size)::float8 as bytes from citus_shards
     where citus_table_type = 'distributed' group by 1 order by 1`,
  )
  const sizes = rows.map(({ bytes }) => bytes)
  const [most, least] = [Math.max(...sizes), Math.min(...sizes)]
  const each = rows.map(({ node, bytes }) => `${node} ${sizeOf(bytes)}`).join(', ')
  if (most - least > worthMoving && most > 2 * least)
    return warning(check, `${found}. Uneven: ${each}`, 'Run: select citus_rebalance_start()')
  return ok(check, rows.length ? `${found}: ${each}` : found)
}

const signInTables = ['account_links', 'passkeys', 'sign_in_devices', 'sign_in_emails', 'sign_in_steps'] as const

/** Rows for signing in whose user does not exist. They let no one in; something outside of Kith has left them. */
export async function checkSignIns(db: Db): Promise<Finding> {
  const orphans = new Map<string, number>()
  for (const table of signInTables) {
    const rows = await db.selectFrom(table).select(['company_id', 'user_id']).distinct().execute()
    for (const [company_id, some] of Map.groupBy(rows, (row) => row.company_id)) {
      const users = await db.selectFrom('users').select('id').where('company_id', '=', company_id).execute()
      const ids = new Set(users.map(({ id }) => id))
      const lost = some.filter(({ user_id }) => !ids.has(user_id)).length
      if (lost) orphans.set(table, (orphans.get(table) ?? 0) + lost)
    }
  }
  if (!orphans.size) return ok('Sign-in', 'Every sign-in belongs to a user')
  const found = [...orphans].map(([table, lost]) => `${lost} in ${table}`).join(', ')
  return warning('Sign-in', `Sign-ins without a user: ${found}`, 'They let no one in. Delete them with SQL.')
}
