// Two database roles: the owner migrates tables, seals the audit log and applies retention; the app does the rest.
import { createHmac } from 'node:crypto'
import pg from 'pg'
import { StartError } from './config.ts'
import { lockMigrations } from './migrate.ts'

export const embeddedRoles = { owner: 'kith_owner', app: 'kith_app' }
/** The job queue maintains its own tables and indexes, so they belong to the app's role. */
const queueSchema = 'pgboss'
const rolesLock = 5_484_204
const quote = pg.escapeIdentifier

/** Derived one way, so that no password but the superuser's has to be stored. */
export const passwordOf = (role: string, superuserPassword: string) =>
  createHmac('sha256', superuserPassword).update(role).digest('base64url')

/**
 * Creates both roles and the database on the embedded PostgreSQL, and transfers ownership from the superuser, who owned
 * everything in version 0.1. Every step can be repeated, so the next start completes an interrupted one.
 */
export async function prepareRoles(superuser: pg.ClientConfig & { password: string }, database: string) {
  await connected({ ...superuser, database: 'postgres' }, async (client) => {
    await client.query('select pg_advisory_lock($1)', [rolesLock])
    // PostgreSQL logs statements that fail, and these contain passwords.
    await client.query("set log_min_error_statement = 'panic'")
    for (const role of Object.values(embeddedRoles)) {
      if (await has(client, 'select from pg_roles where rolname = $1', role)) continue
      const password = pg.escapeLiteral(passwordOf(role, superuser.password))
      await client.query(`create role ${quote(role)} login password ${password}`)
    }
    if (!(await has(client, 'select from pg_database where datname = $1', database)))
      await client.query(`create database ${quote(database)} owner ${quote(embeddedRoles.owner)}`)
    else await client.query(`alter database ${quote(database)} owner to ${quote(embeddedRoles.owner)}`)
    await connected({ ...superuser, database }, (inside) => handOverAll(inside))
  })
}

async function handOverAll(client: pg.Client) {
  await client.query('begin')
  await client.query("set local lock_timeout = '1min'")
  await handOver(client, embeddedRoles.app, true)
  await handOver(client, embeddedRoles.owner, false)
  if (await has(client, 'select from pg_namespace where nspname = $1', queueSchema))
    await client.query(`alter schema ${queueSchema} owner to ${quote(embeddedRoles.owner)}`)
  await client.query('commit')
}

/** Transfers ownership of everything that the current role owns, inside or outside the schema of the job queue. */
async function handOver(client: pg.Client, to: string, isQueue: boolean) {
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter %s %s owner to %I', kind, name, $1::text) as statement
     from (
       select case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end as kind,
         oid::regclass::text as name, relnamespace as namespace, 'pg_class'::regclass as catalog, oid, relowner as owner
       from pg_class c where relkind in ('r', 'p', 'v', 'm', 'S', 'f')
         and not (relkind = 'S' and exists (
           select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('a', 'i')))
       union all
       select 'routine', oid::regprocedure::text, pronamespace, 'pg_proc'::regclass, oid, proowner from pg_proc
       union all
       select 'type', t.oid::regtype::text, typnamespace, 'pg_type'::regclass, t.oid, typowner
       from pg_type t left join pg_class c on c.oid = typrelid where typtype in ('e', 'd', 'r') or c.relkind = 'c'
       union all
       select 'schema', quote_ident(nspname), oid, 'pg_namespace'::regclass, oid, nspowner
       from pg_namespace where nspname <> $2
     ) made
     where owner = (select oid from pg_roles where rolname = current_user) and (namespace = coalesce(to_regnamespace($2), 0)) = $3
       and namespace in (select oid from pg_namespace where nspname !~ '^(pg_|information_schema$)')
       and not exists (select from pg_depend where classid = catalog and objid = made.oid and deptype = 'e')`,
    [to, queueSchema, isQueue],
  )
  for (const { statement } of rows) await client.query(statement)
}

// The app's role can only add to these, or only read them.
const addOnly = ['audit_events']
const readOnly = ['audit_chains', 'migrations']

/**
 * Grants the app's role what it needs and no more. Runs at every start, because migrations create tables and the role
 * may be new.
 */
export async function grantToApp(owner: pg.ClientConfig, app: pg.ClientConfig) {
  const role = await connected(app, whereAmI)
  await connected(owner, async (client) => {
    const ownerRole = await whereAmI(client)
    if (ownerRole.database !== role.database || ownerRole.started !== role.started)
      throw new StartError('DATABASE_URL and DATABASE_OWNER_URL point to different databases. Correct one of them.')
    if (ownerRole.name === role.name) return
    await lockMigrations(client)
    await client.query('begin')
    if (!(await has(client, 'select from pg_namespace where nspname = $1', queueSchema)))
      await client.query(`create schema ${queueSchema}`)
    const [schema, to] = [quote(ownerRole.schema), quote(role.name)]
    await client.query(`grant usage, create on schema ${queueSchema} to ${to}`)
    await handOver(client, role.name, true).catch((error) => {
      throw new StartError(
        `The ownership of the job queue could not be transferred to the role of DATABASE_URL: ${error.message}\n` +
          `As a database administrator, run: grant ${to} to ${quote(ownerRole.name)}`,
      )
    })
    const { rows } = await client.query<{ tables: string; sequences: string | null }>(ownTables)
    const qualified = (names: string[]) => names.map((name) => `${schema}.${name}`).join(', ')
    await client.query(`
      grant usage on schema ${schema} to ${to};
      grant select, insert, update, delete on ${rows[0]!.tables} to ${to};
      revoke update, delete, truncate on ${qualified(addOnly)} from ${to};
      revoke insert, update, delete, truncate on ${qualified(readOnly)} from ${to}`)
    if (rows[0]!.sequences) await client.query(`grant usage, select on sequence ${rows[0]!.sequences} to ${to}`)
    await client.query('commit')
  })
}

// Only tables that belong to Kith: other applications may have tables in the same schema.
const ownTables = `
  select string_agg(oid::regclass::text, ', ') filter (where relkind in ('r', 'p', 'v', 'm')) as tables,
    string_agg(oid::regclass::text, ', ') filter (where relkind = 'S') as sequences
  from pg_class
  where relnamespace = to_regnamespace(quote_ident(current_schema()))
    and relowner = (select oid from pg_roles where rolname = current_user)`

type CurrentRole = { name: string; database: string; schema: string; started: string }

export async function whereAmI(client: pg.Client) {
  const { rows } = await client.query<CurrentRole>(
    'select current_user::text as name, current_database()::text as database, current_schema()::text as schema, extract(epoch from pg_postmaster_start_time())::text as started',
  )
  return rows[0]!
}

const has = async (client: pg.Client, text: string, name: string) =>
  Boolean((await client.query(text, [name])).rowCount)

export async function connected<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client(connection)
  client.on('error', () => {}) // The running query reports the error.
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end() // Closing the connection rolls an open transaction back.
  }
}
