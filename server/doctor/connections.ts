// Checks of the addresses besides DATABASE_URL: a pooler and a replica. DATABASE_URL itself must not be a pooler's.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Config } from '../platform/config.ts'
import { connected } from '../platform/database-roles.ts'
import type { Database } from '../platform/open-database.ts'
import { checkReplica, isTransactionPooler, verifyPooler } from '../platform/other-connections.ts'
import { type Finding, failed, ok, warning, wordsOf } from './finding.ts'

const mostBehindMs = 5000

export function otherConnections(
  { databaseUrl }: Config,
  { connection, pooled, reading }: Database,
): [string, () => Promise<Finding>][] {
  return [
    ...(databaseUrl ? [['Connections', () => checkDirect(connection)] satisfies [string, unknown]] : []),
    ...(pooled ? [['Pooler', () => checkPooler({ connection, pooled })] satisfies [string, unknown]] : []),
    ...(reading ? [['Replica', () => checkReading(connection, reading)] satisfies [string, unknown]] : []),
  ]
}

async function checkDirect(connection: pg.ClientConfig) {
  const check = 'Connections'
  if (!(await isTransactionPooler(connection))) return ok(check, 'DATABASE_URL keeps a connection to itself')
  return failed(
    check,
    'DATABASE_URL leads to a transaction pooler, so live updates and locks do not work',
    'Set DATABASE_URL to the database itself and DATABASE_POOL_URL to the pooler.',
  )
}

async function checkPooler(database: Parameters<typeof verifyPooler>[0]) {
  const check = 'Pooler'
  try {
    await verifyPooler(database)
    return ok(check, 'DATABASE_POOL_URL leads to the same database, with the settings of Kith')
  } catch (error) {
    const [found = '', ...advice] = (error as Error).message.split('\n')
    return failed(check, found, advice.join(' ') || 'See docs/scale.md.')
  }
}

async function checkReading(connection: pg.ClientConfig, reading: pg.ClientConfig) {
  const check = 'Replica'
  const fallback = 'Until then, Kith reads from DATABASE_URL.'
  let away = ''
  try {
    await checkReplica({ connection, reading }, (text) => {
      away = text
    })
  } catch (error) {
    return failed(check, wordsOf(error), 'See docs/scale.md.')
  }
  if (away) return warning(check, 'DATABASE_READ_URL does not respond', `Start the replica. ${fallback}`)
  const began = Date.now()
  const place = await askFor(connection, 'select pg_current_wal_lsn()::text as answer')
  while ((await askFor(reading, `select (pg_last_wal_replay_lsn() >= '${place}')::text as answer`)) !== 'true') {
    if (Date.now() - began > mostBehindMs)
      return warning(
        check,
        `It is more than ${mostBehindMs / 1000} seconds behind`,
        `Check its load and network. ${fallback}`,
      )
    await sleep(100)
  }
  return ok(check, `It follows within ${Math.max(1, Math.round((Date.now() - began) / 1000))} s`)
}

const askFor = (connection: pg.ClientConfig, question: string) =>
  connected(connection, (client) => client.query<{ answer: string }>(question).then(({ rows }) => rows[0]!.answer))
