// What Kith asks of Citus, and what it must find there.
import type pg from 'pg'
import { StartError } from '../platform/config.ts'

const oldest = 12

type Client = Pick<pg.Client, 'query'>

/** The version of Citus in this database; undefined on PostgreSQL alone. */
export async function citusVersion(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ exists: boolean }>(`select to_regproc('citus_version') is not null as exists`)
  if (!rows[0]!.exists) return
  const { rows: versions } = await client.query<{ version: string }>('select citus_version() as version')
  return /[\d.]+/.exec(versions[0]!.version)?.[0] ?? versions[0]!.version
}

export type Node = { name: string; port: number }

export async function workersOf(client: Client): Promise<Node[]> {
  const { rows } = await client.query<Node>(
    `select nodename as name, nodeport as port from pg_dist_node
     where isactive and noderole = 'primary' and shouldhaveshards order by nodename, nodeport`,
  )
  return rows
}

/** What Citus knows of each table: "distributed", "local" if it is on the coordinator and known, or undefined. */
export async function kindsOf(client: Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; kind: string }>(
    `select c.relname::text as name, t.citus_table_type as kind from citus_tables t join pg_class c on c.oid = t.table_name
     where c.relnamespace = current_schema()::regnamespace`,
  )
  return new Map(rows.map(({ name, kind }) => [name, kind]))
}

/** Refuses a database that cannot be distributed, with what to do. */
export async function refuseWithoutCitus(client: Client): Promise<{ version: string; workers: Node[] }> {
  const version = await citusVersion(client)
  if (!version)
    throw new StartError(
      'Citus is not installed in this database. Nothing was changed.\n' +
        'Install Citus on every node, add it to shared_preload_libraries, restart PostgreSQL, and run\n' +
        '  create extension citus;\n' +
        'in the database of Kith on every node. docs/scale.md describes each step.',
    )
  if (Number.parseInt(version, 10) < oldest)
    throw new StartError(`Kith needs Citus ${oldest} or later, but this is ${version}. Update it on every node.`)
  const workers = await workersOf(client)
  if (!workers.length)
    throw new StartError(
      'The cluster has no worker yet. Nothing was changed. Add one, and run this again:\n' +
        `  select citus_set_coordinator_host('COORDINATOR', 5432);\n  select citus_add_node('WORKER', 5432);`,
    )
  return { version, workers }
}
