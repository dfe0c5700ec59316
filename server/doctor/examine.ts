// Checks an installation step by step, whether it is running or not. Stops whatever it started.
import type pg from 'pg'
import { mailboxServices } from '../channels/email/mailbox.ts'
import { createSignIns } from '../channels/email/oauth.ts'
import { providerAddresses } from '../channels/gateway/call-provider.ts'
import { openFiles } from '../files/open.ts'
import { createMailer } from '../mail/mailer.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { createDb, createPool, type Db } from '../platform/db.ts'
import type { Database } from '../platform/open-database.ts'
import { createOutbound } from '../platform/public-fetch.ts'
import { randomToken } from '../platform/secrets.ts'
import { createVault } from '../platform/vault.ts'
import { checkAudit, checkRoles } from './audit.ts'
import { checkAddress, checkHttps } from './base-url.ts'
import { checkCluster, checkSignIns } from './cluster.ts'
import { otherConnections } from './connections.ts'
import { checkMigrations, checkSearch, checkSecret, findSecret, openForCheck } from './database.ts'
import { checkFiles } from './files.ts'
import { type Finding, look, ok } from './finding.ts'
import { loopbackOf } from './http.ts'
import { checkDataFolder, checkNode, checkPackages, checkWebApp } from './machine.ts'
import { checkMail } from './mail.ts'
import { checkMcp, onOwnApp } from './mcp.ts'
import { checkQueue, checkWorker } from './queue.ts'
import { answersHere, checkServer, hasOthers } from './server.ts'
import { checkConfig, misfits } from './settings.ts'

/** On a busy machine, the checks wait for each other. */
const seconds = 30

export async function* examine(env: NodeJS.ProcessEnv): AsyncGenerator<Finding> {
  yield checkNode()
  yield checkPackages()
  yield checkWebApp()
  const { config, finding } = checkConfig(() => readConfig(env))
  yield finding
  if (!config) return
  yield* misfits(config, env)
  yield checkDataFolder(config)

  const { finding: reached, opened, close } = await openForCheck(config)
  try {
    yield reached
    if (opened) yield* examineDatabase(config, opened.client, opened.database)
  } finally {
    await close()
  }
}

async function* examineDatabase(config: Config, client: pg.Client, database: Database) {
  const { connection } = database
  const isOpenElsewhere = await hasOthers(client)
  const migrations = await look('Migrations', seconds, async () => checkMigrations(client, await answersHere(config)))
  yield migrations
  if (migrations.status !== 'ok') return
  yield await look('Secret key', seconds, () => checkSecret(client, config))
  yield await look('Search', seconds, () => checkSearch(client))
  yield* await clusterOf(client)
  yield* await Promise.all(otherConnections(config, database).map(([check, work]) => look(check, seconds, work)))

  const pool = createPool(connection)
  // If the examination is aborted, wait for all checks, because some have to clean up.
  const checks: Promise<Finding>[] = []
  try {
    const db = createDb(pool)
    const server = await look('Server', seconds, () => checkServer(config, db, isOpenElsewhere))
    yield server
    checks.push(...startChecks({ config, connection, db }, server.status === 'ok'))
    for (const check of checks) yield await check
  } finally {
    await Promise.all(checks)
    await pool.end()
  }
}

/** Only if there is one. */
async function clusterOf(client: pg.Client): Promise<Finding[]> {
  let seen = true
  const finding = await look('Cluster', seconds, async () => {
    const found = await checkCluster(client)
    seen = found !== undefined
    return found ?? ok('Cluster', 'None')
  })
  return seen ? [finding] : []
}

type Reached = { config: Config; connection: pg.ClientConfig; db: Db }

/** Runs independent checks concurrently. */
function startChecks({ config, connection, db }: Reached, isRunning: boolean): Promise<Finding>[] {
  const vault = createVault(findSecret(config).secret ?? randomToken())
  const mailer = createMailer({ baseUrl: config.baseUrl, vault, openSignup: true })
  const { baseUrl, openSignup } = config
  const services = {
    baseUrl,
    openSignup,
    vault,
    mailer,
    files: openFiles(config),
    channelKinds: {},
    providers: providerAddresses,
    mailboxes: mailboxServices({
      vault,
      openSignup: config.openSignup,
      outboundAllow: config.outboundAllow,
      signIns: createSignIns({ baseUrl: config.baseUrl, providers: {} }),
    }),
    setUpToken: null,
    outbound: createOutbound(config.outboundAllow),
  }
  const origin = loopbackOf(config)
  const commonChecks = [
    look('Roles', seconds, () => checkRoles(config, db)),
    look('Sign-in', seconds, () => checkSignIns(db)),
    look('Audit log', seconds, () => checkAudit(db, isRunning)),
    look('Files', seconds, () => checkFiles(config, db)),
    look('Jobs', seconds, () => checkQueue(db, isRunning)),
    look('Mail', seconds, () => checkMail(config, db, vault)),
    look('Agents (MCP)', seconds, () =>
      isRunning
        ? checkMcp(db, origin)
        : onOwnApp({ config, connection, services }, (ownOrigin) => checkMcp(db, ownOrigin)),
    ),
  ]
  if (isRunning) {
    const worker = look('Worker', seconds, () => checkWorker(config, db))
    return [worker, look('Address', seconds, () => checkAddress(config, db)), ...commonChecks]
  }
  const https = checkHttps(config)
  return https ? [Promise.resolve(https), ...commonChecks] : commonChecks
}
