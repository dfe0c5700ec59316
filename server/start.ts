// Starts Kith: database, migrations, worker, app. Stops in reverse order. With several processes, see processes.ts.
import { createServer } from 'node:net'
import { join } from 'node:path'
import { forgetTwoFactor, resealTwoFactor } from './accounts/credentials/two-factor.ts'
import { createFirstAdmin } from './accounts/set-up/first-admin.ts'
import { hasUsers } from './accounts/set-up/queries.ts'
import { createApp } from './app.ts'
import { startBackground } from './background.ts'
import { createGatewayWaiting } from './channels/api/waiting-gateways.ts'
import { chatKind } from './channels/chat/kind.ts'
import { createChatWaiting } from './channels/chat/waiting-visitors.ts'
import { mailboxKind } from './channels/email/kind.ts'
import { forgetMailboxSecrets, mailboxServices } from './channels/email/mailbox.ts'
import { createSignIns, readProviders } from './channels/email/oauth.ts'
import { providerAddresses } from './channels/gateway/call-provider.ts'
import { gatewayChannelKinds } from './channels/kinds.ts'
import { updateAllBuiltIn } from './engine/objects/built-in.ts'
import { addAllBuiltInViews } from './engine/views/built-in.ts'
import { openFiles } from './files/open.ts'
import type { Worker } from './kernel/queue.ts'
import { forgetDestinationSecrets } from './lead-routing/background-tasks.ts'
import { createMailer } from './mail/mailer.ts'
import { forgetMailPasswords, resealMailPasswords } from './mail/queries.ts'
import type { Metrics } from './metrics/metrics.ts'
import { type Config, StartError } from './platform/config.ts'
import { grantToApp } from './platform/database-roles.ts'
import { createDb, createPool, type Db } from './platform/db.ts'
import { createLog, type Log } from './platform/log.ts'
import { migrate } from './platform/migrate.ts'
import { createOffload } from './platform/offload.ts'
import { type Database, joinDatabase, openDatabase, unreachable } from './platform/open-database.ts'
import { checkReplica, preparePooler, warnOfConnections } from './platform/other-connections.ts'
import { createPools, heavyReads, type Pools, statementSeconds } from './platform/pools.ts'
import { createOutbound } from './platform/public-fetch.ts'
import { createVault, forgetKey, readSecretKey, refuseOtherKey } from './platform/vault.ts'
import { forgetWebhookSecrets } from './webhooks/prune-deliveries.ts'

type Say = (text: string) => void
const webFolder = join(import.meta.dirname, '..', 'dist', 'web')
const clock = () => new Date()

/** Everything in this process. */
export async function startKith(config: Config, say: Say) {
  await using building = new AsyncDisposableStack()
  const { database, log, setUpToken } = await prepare(config, say, building)
  const metrics = await openMetrics(config, building)
  const { http, stop } = await serve(config, database, { log, setUpToken, metrics })
  building.defer(stop)
  const running = building.move()
  return { http, setUpToken, stop: () => running.disposeAsync() }
}

/** What happens once, however many processes serve. */
export async function prepare(config: Config, say: Say, building: AsyncDisposableStack) {
  await refuseUsedPort(config)
  const database = await openDatabase(config, say)
  building.defer(database.stop)
  await bringUpToDate(config, database, say)
  await preparePooler(database)
  await checkReplica(database, say)
  const log = await openLog(config, 'kith', building)
  const pool = createPool(database.connection, { max: 2, statementSeconds: statementSeconds.background })
  await using closing = new AsyncDisposableStack()
  closing.defer(() => pool.end())
  const db = createDb(pool)
  await warnOfConnections(config, db, say)
  await updateAllBuiltIn(db, log)
  await addAllBuiltInViews(db, log, clock())
  await prepareSecrets(config, db)
  if (config.admin) {
    const isCreated = await createFirstAdmin(db, config.admin)
    say(
      isCreated
        ? `Created the first Admin, ${config.admin.email}`
        : 'ADMIN_EMAIL is ignored, because there are already users',
    )
  }
  if (config.openSignup && !config.smtpUrl)
    say('OPEN_SIGNUP is set without SMTP_URL: email addresses are not confirmed. Set SMTP_URL to confirm them')
  return { database, log, setUpToken: (await hasUsers(db)) ? null : setUpTokenOf(config) }
}

/** All servers of an installation print the same link, because any of them may be asked. */
const setUpTokenOf = (config: Config) => createVault(readSecretKey(config)).keyFor('set-up').toString('base64url')

/** Answers requests on the port, and does the background work unless WORKER=0. */
export async function serve(
  config: Config,
  database: Omit<Database, 'stop'>,
  { log, setUpToken, metrics }: { log: Log; setUpToken: string | null; metrics: Metrics | undefined },
) {
  await using building = new AsyncDisposableStack()
  const pools = createPools(database, log)
  building.defer(pools.end)
  const db = createDb(pools.background)
  metrics?.watch({ db, log, pools: poolsOf(pools) })
  const services = createServices(config, db, log)
  building.defer(services.offload.stop)
  let worker: Worker | undefined
  if (config.worker) {
    const more = forJobs(database, pools, building)
    const parts = { pool: pools.background, db, log, clock, lostLease: metrics?.lostLease }
    worker = await startBackground(parts, { ...services, ...more })
    building.defer(worker.stop)
  }
  const { http } = await createApp({
    config,
    connection: database.connection,
    pools,
    log,
    clock,
    services: { ...services, setUpToken },
    webFolder,
    committed: () => worker?.wake(),
    answered: metrics?.answered,
  })
  building.defer(() => http.close())
  building.defer(() => services.chatWaiting.release())
  building.defer(() => services.gatewayWaiting.release())
  await http.listen({ port: config.port, host: config.host })
  const running = building.move()
  return { http, stop: () => running.disposeAsync() }
}

/** Only the worker, for server processes that were started with WORKER=0. */
export async function startWorkerAlone(config: Config, say: Say) {
  await using building = new AsyncDisposableStack()
  const database = await joinDatabase(config)
  building.defer(database.stop)
  await bringUpToDate(config, database, say)
  await preparePooler(database)
  await checkReplica(database, say)
  const log = await openLog(config, 'worker', building)
  const pools = createPools(database, log)
  building.defer(pools.end)
  const pool = pools.background
  const db = createDb(pool)
  await prepareSecrets(config, db)
  const services = { ...createServices(config, db, log), ...forJobs(database, pools, building) }
  building.defer(services.offload.stop)
  const metrics = await openMetrics(config, building)
  metrics?.watch({ db, log, pools: poolsOf(pools) })
  const worker = await startBackground({ pool, db, log, clock, lostLease: metrics?.lostLease }, services)
  building.defer(worker.stop)
  const running = building.move()
  return { stop: () => running.disposeAsync() }
}

export async function openLog(config: Config, name: string, building: AsyncDisposableStack) {
  const log = await createLog(config, name)
  building.defer(() => new Promise<void>((resolve) => log.flush(() => resolve())))
  return log
}

/** Those of this process, offered on a port of their own if there is one. */
async function openMetrics({ metricsHost, metricsPort }: Config, building: AsyncDisposableStack) {
  if (!metricsPort) return
  const [{ createMetrics }, { serveMetrics }] = await Promise.all([
    import('./metrics/metrics.ts'),
    import('./metrics/serve.ts'),
  ])
  const metrics = createMetrics()
  const { stop } = await serveMetrics({ metricsHost, metricsPort }, metrics.registry)
  building.defer(stop)
  return metrics
}

const poolsOf = ({ auth, work, heavy, background }: Pools) => ({ auth, work, heavy, background })

/** For the few jobs that need more rights than the app's role has, and for those that read for long. */
function forJobs({ owner }: Pick<Database, 'owner'>, pools: Pools, building: AsyncDisposableStack) {
  const pool = createPool(owner, { max: 1, statementSeconds: 60 })
  building.defer(() => pool.end())
  const { pool: reads, asOf } = heavyReads(pools, clock)
  return { ownerDb: createDb(pool), heavyDb: createDb(reads), heavyAsOf: asOf }
}

/** What is stored sealed can be opened with the key of this start, or is forgotten. */
async function prepareSecrets(config: Config, db: Db) {
  if (config.forgetSecrets)
    for (const forget of [
      forgetKey,
      forgetTwoFactor,
      forgetMailPasswords,
      forgetWebhookSecrets,
      forgetDestinationSecrets,
      forgetMailboxSecrets,
    ])
      await forget(db)
  const vault = createVault(readSecretKey(config))
  await refuseOtherKey(db, vault)
  for (const reseal of [resealMailPasswords, resealTwoFactor]) await reseal(db, vault)
}

/** What handlers and jobs need from this installation. */
function createServices(config: Config, db: Db, log: Log) {
  const vault = createVault(readSecretKey(config))
  const { baseUrl, openSignup, outboundAllow, demo, smtpUrl, mailFrom } = config
  const signIns = createSignIns({ baseUrl, providers: readProviders(config) })
  const mailboxes = mailboxServices({ vault, signIns, openSignup, outboundAllow })
  const outbound = createOutbound(outboundAllow)
  return {
    baseUrl,
    openSignup,
    demo,
    files: openFiles(config),
    offload: createOffload({ log }),
    vault,
    outbound,
    mailboxes,
    providers: providerAddresses,
    channelKinds: {
      chat: chatKind,
      email: mailboxKind({ db, services: mailboxes, log }),
      ...gatewayChannelKinds({ db, vault, fetch: outbound.fetch, clock, addresses: providerAddresses, baseUrl }),
    },
    chatWaiting: createChatWaiting(log),
    gatewayWaiting: createGatewayWaiting(log),
    mailer: createMailer({ smtpUrl, mailFrom, baseUrl, vault, openSignup, outboundAllow }),
  }
}

async function bringUpToDate({ databaseUrl, databaseOwnerUrl }: Config, { owner, connection }: Database, say: Say) {
  const explain = (error: Error) => {
    if (error instanceof StartError || !databaseUrl) throw error
    if (!databaseOwnerUrl) throw unreachable(databaseUrl, error)
    throw unreachable(databaseOwnerUrl, error, 'DATABASE_OWNER_URL, DATABASE_URL')
  }
  const applied = await migrate(owner).catch(explain)
  if (owner !== connection) await grantToApp(owner, connection).catch(explain)
  if (applied.length) say(`Migrated the database (${applied.length} ${applied.length === 1 ? 'step' : 'steps'})`)
}

/** Checked first, so that a start that cannot succeed creates nothing. */
async function refuseUsedPort({ port, host }: Config) {
  const trial = createServer()
  const failure = await new Promise<NodeJS.ErrnoException | undefined>((resolve) =>
    trial.once('error', resolve).listen(port, host, () => trial.close(() => resolve(undefined))),
  )
  if (!failure) return
  if (failure.code === 'EADDRINUSE') {
    throw new StartError(
      `Port ${port} is already in use. Stop the other program or choose another port: PORT=3001 npm start`,
    )
  }
  throw new StartError(`Kith cannot listen on ${host}:${port} (${failure.code}). Check HOST and PORT.`)
}
