// PostgreSQL, PgBouncer and nginx as an operator runs them around Kith, each of which can be killed. PostgreSQL is the one
// that Kith brings; the others are Debian's.
import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findPrograms, startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { exists, readLockFile, stopProcess } from '../server/platform/postgres-process.ts'
import { postgresUser } from '../server/platform/postgres-user.ts'
import { install } from './packages.ts'
import { freePort } from './process.ts'

type Program = { program: string; args: string[]; uid?: number; gid?: number }
/** A server that can be killed and started again. */
export type Server = { kill(): Promise<void>; start(): Promise<void>; stop(): Promise<void> }

const folderFor = (name: string) => mkdtempSync(join(tmpdir(), `${name}-`))

/** `answers`: whether it does its work. */
function serverOf(command: Program, answers: () => Promise<boolean>): Server {
  let child: ChildProcess | undefined
  let said = ''
  const end = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode) return
    const gone = new Promise((resolve) => child!.once('exit', resolve))
    // With its children, which are in its group.
    process.kill(-child.pid!, signal)
    await gone
  }
  return {
    async start() {
      const { program, args, ...as } = command
      child = spawn(program, args, { ...as, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
      for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text) => (said += text))
      for (const last = Date.now() + 60_000; !(await answers()); await sleep(50))
        if (Date.now() > last || child.exitCode !== null) throw new Error(`${program} did not start: ${said}`)
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

async function canConnect(connection: pg.ClientConfig) {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** A primary and a replica that streams from it. */
export async function startReplicated() {
  const folder = folderFor('rp')
  const primary = await startEmbeddedPostgres(join(folder, 'primary'))
  const [from, to] = ['primary', 'replica'].map((name) => join(folder, name, 'postgres', 'cluster')) as [string, string]
  const copy = new pg.Client(primary.superuser)
  await copy.connect()
  await copy.query("select pg_backup_start('replica', true)")
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('postmaster.pid') })
  const { rows } = await copy.query<{ labelfile: string }>('select labelfile from pg_backup_stop()')
  await copy.end()
  const socket = join(folder, 'replica', 'socket')
  mkdirSync(socket)
  writeFileSync(join(to, 'backup_label'), rows[0]!.labelfile)
  writeFileSync(join(to, 'standby.signal'), '')
  const { host, user, password } = primary.superuser
  appendFileSync(
    join(to, 'postgresql.auto.conf'),
    `\nprimary_conninfo = 'host=${host} user=${user} password=${password}'\nhot_standby_feedback = on\n`,
  )
  const { postgres } = await findPrograms()
  const command = postgresUser().command(postgres, ['-D', to, '-k', socket, '-c', 'listen_addresses='])
  const connection = { ...primary.connection, host: socket }
  const server = serverOf(command, () => canConnect(connection))
  await server.start()
  const pid = () => readLockFile(to)!.pid
  const replica = {
    ...server,
    connection,
    async kill() {
      const id = pid()
      process.kill(id, 'SIGKILL')
      while (exists(id)) await sleep(5)
    },
    async stop() {
      await stopProcess(pid())
    },
    superuser: { ...primary.superuser, host: socket },
  }
  return {
    primary,
    replica,
    async remove() {
      await replica.stop()
      await primary.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** In front of this database, one transaction at a time. */
export async function startPgbouncer({ host, user, password, database }: pg.ClientConfig) {
  const program = '/usr/sbin/pgbouncer'
  if (!existsSync(program)) await install(['pgbouncer'])
  const folder = folderFor('pb')
  const port = await freePort()
  writeFileSync(join(folder, 'users'), `"${user}" "${password}"\n`)
  writeFileSync(
    join(folder, 'conf'),
    `[databases]
${database} = host=${host} dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users')}
admin_users = ${user}
pool_mode = transaction
default_pool_size = 12
max_client_conn = 500
logfile =
`,
  )
  const connection = { host: '127.0.0.1', port, user, password, database } as pg.ClientConfig
  const command = postgresUser().command(program, [join(folder, 'conf')])
  const server = serverOf(command, () => canConnect(connection))
  await server.start()
  return {
    ...server,
    connection,
    async remove() {
      await server.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** In front of these ports of this machine. */
export async function startNginx(ports: number[]) {
  const program = '/usr/sbin/nginx'
  if (!existsSync(program)) await install(['nginx'])
  const folder = folderFor('ng')
  const port = await freePort()
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  writeFileSync(
    join(folder, 'conf'),
    `daemon off;
pid ${folder}/pid;
error_log stderr error;
events {}
http {
  access_log off;
  ${paths.join('\n  ')}
  upstream kith {
    ${ports.map((one) => `server 127.0.0.1:${one} max_fails=1 fail_timeout=1s;`).join('\n    ')}
    keepalive 16;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://kith;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host localhost;
      proxy_connect_timeout 2s;
    }
  }
}
`,
  )
  const answers = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
  const server = serverOf({ program, args: ['-c', join(folder, 'conf'), '-p', folder, '-e', 'stderr'] }, answers)
  await server.start()
  return {
    url: `http://127.0.0.1:${port}`,
    async remove() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
