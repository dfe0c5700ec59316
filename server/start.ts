// config -> database -> migrations -> app -> listen, and the worker; stopped in the opposite order.
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createApp } from './app.ts'
import { jobs, liveMessagesOf, subscriptions } from './jobs.ts'
import { type Config, StartError } from './kernel/config.ts'
import { joinDatabase, openDatabase, unreachable } from './kernel/database.ts'
import { createDb, createPool, type Db } from './kernel/db.ts'
import { startWorker, type Worker } from './kernel/jobs.ts'
import { createLog } from './kernel/log.ts'
import { migrate } from './kernel/migrate.ts'
import { randomToken } from './kernel/secrets.ts'
import { createVault, forgetKey, readSecretKey, refuseOtherKey } from './kernel/vault.ts'
import { createMailer } from './mail/mailer.ts'
import { forgetMailPasswords } from './mail/queries.ts'
import { seedMissing } from './objects/seed.ts'
import { createFirstAdmin } from './set-up/first-admin.ts'
import { hasUsers } from './set-up/queries.ts'
import { forgetTwoFactor } from './two-factor/queries.ts'

type Say = (text: string) => void
const webFolder = join(import.meta.dirname, '..', 'dist', 'web')
const clock = () => new Date()

export async function startKith(config: Config, say: Say) {
  await using building = new AsyncDisposableStack()
  await refuseTakenPort(config)
  const database = await openDatabase(config, say)
  building.defer(database.stop)
  await bringUpToDate(config, database.connection, say)
  const log = await createLog(config)
  building.defer(() => new Promise<void>((resolve) => log.flush(() => resolve())))
  const pool = createPool(database.connection)
  building.defer(() => pool.end())
  const db = createDb(pool)

  await seedMissing(db)
  if (config.admin) {
    const made = await createFirstAdmin(db, config.admin)
    say(made ? `Created the first Admin, ${config.admin.email}` : 'ADMIN_EMAIL is not used: there are users already')
  }
  const setUpToken = (await hasUsers(db)) ? null : randomToken()

  const house = await furnish(config, db)
  let worker: Worker | undefined
  if (config.worker) {
    worker = await startWorker({ pool, db, log, clock }, jobs(house), subscriptions, { liveMessagesOf })
    building.defer(worker.stop)
  }
  const committed = () => worker?.wake()
  const { http } = await createApp({
    config,
    connection: database.connection,
    pool,
    db,
    log,
    clock,
    house: { ...house, setUpToken },
    webFolder,
    committed,
  })
  building.defer(() => http.close())
  await http.listen({ port: config.port, host: config.host })
  const running = building.move()
  return { http, setUpToken, stop: () => running.disposeAsync() }
}

/** The worker alone, beside server processes that were started with WORKER=0. */
export async function startWorkerAlone(config: Config, say: Say) {
  await using building = new AsyncDisposableStack()
  const database = await joinDatabase(config)
  building.defer(database.stop)
  await bringUpToDate(config, database.connection, say)
  const log = await createLog(config)
  building.defer(() => new Promise<void>((resolve) => log.flush(() => resolve())))
  const pool = createPool(database.connection)
  building.defer(() => pool.end())
  const db = createDb(pool)
  const worker = await startWorker({ pool, db, log, clock }, jobs(await furnish(config, db)), subscriptions, {
    liveMessagesOf,
  })
  building.defer(worker.stop)
  const running = building.move()
  return { stop: () => running.disposeAsync() }
}

/** What handlers and jobs need of this installation. */
async function furnish(config: Config, db: Db) {
  if (config.forgetSecrets) for (const forget of [forgetKey, forgetTwoFactor, forgetMailPasswords]) await forget(db)
  const vault = createVault(readSecretKey(config))
  await refuseOtherKey(db, vault)
  const { baseUrl, openSignup, demo, smtpUrl, mailFrom } = config
  return {
    baseUrl,
    openSignup,
    demo,
    vault,
    mailer: createMailer({ smtpUrl, mailFrom, baseUrl, vault, publicOnly: openSignup }),
  }
}

async function bringUpToDate({ databaseUrl }: Config, connection: Parameters<typeof migrate>[0], say: Say) {
  const applied = await migrate(connection).catch((error) => {
    throw error instanceof StartError || !databaseUrl ? error : unreachable(databaseUrl, error)
  })
  if (applied.length) say(`Prepared the database (${applied.length} ${applied.length === 1 ? 'step' : 'steps'})`)
}

/** Tried before anything is made, so that a start that cannot succeed leaves nothing behind. */
async function refuseTakenPort({ port, host }: Config) {
  const trial = createServer()
  const failure = await new Promise<NodeJS.ErrnoException | undefined>((resolve) =>
    trial.once('error', resolve).listen(port, host, () => trial.close(() => resolve(undefined))),
  )
  if (!failure) return
  if (failure.code === 'EADDRINUSE') {
    throw new StartError(
      `Port ${port} is taken by another program. Stop it, or choose another with PORT=3001 npm start.`,
    )
  }
  throw new StartError(`Kith cannot listen on ${host}:${port} (${failure.code}). Check HOST and PORT.`)
}
