import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { joinEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { postgresUser } from './postgres-user.ts'

const folders: string[] = []
const folder = () => {
  folders.push(mkdtempSync(join(tmpdir(), 'kith-pg-')))
  return join(folders.at(-1)!, 'data')
}
afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true })
})

async function ask(connection: pg.ClientConfig, text: string) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query(text)
    return rows[0] && Object.values(rows[0])[0]
  } finally {
    await client.end()
  }
}

/** Kith's database in a process of its own, so that it can be killed. `first`: code that runs before it starts. */
async function inChild(dataDir: string, first = ''): Promise<ChildProcess> {
  const program = `
    ${first}
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./embedded-postgres.ts', import.meta.url).href)}
    await startEmbeddedPostgres(process.argv[1])
    process.send('up')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await new Promise((resolve) => child.once('message', resolve))
  return child
}
const killed = (child: ChildProcess) => {
  child.kill('SIGKILL')
  return new Promise((resolve) => child.once('exit', resolve))
}

test('a new cluster is UTF-8 with checksums and a password, whatever LANG says, and keeps its data', async () => {
  const lang = process.env.LANG
  delete process.env.LANG
  const dataDir = folder()
  const first = await startEmbeddedPostgres(dataDir)
  process.env.LANG = lang
  expect(await ask(first.connection, 'show server_encoding')).toBe('UTF8')
  expect(await ask(first.connection, 'show data_checksums')).toBe('on')
  expect(await ask(first.connection, 'show listen_addresses')).toBe('')
  await expect(ask({ ...first.connection, password: 'wrong' }, 'select 1')).rejects.toThrow(/password/)
  await ask(first.owner, `create table kept as select 'ä€😀' as text`)
  await first.stop()
  expect(existsSync(join(dataDir, 'postgres/cluster/postmaster.pid'))).toBe(false)
  const second = await startEmbeddedPostgres(dataDir)
  expect(await ask(second.owner, 'select text from kept')).toBe('ä€😀')
  await second.stop()
})

test('PostgreSQL does not log the values of statements that fail', async () => {
  const dataDir = folder()
  const database = await startEmbeddedPostgres(dataDir)
  await expect(ask(database.owner, "select 'canary@example.com'::uuid")).rejects.toThrow(/canary/)
  await ask(database.owner, 'create table one (id text primary key)')
  await ask(database.owner, "insert into one values ('canary@example.com')")
  await expect(ask(database.owner, "insert into one values ('canary@example.com')")).rejects.toThrow(/one_pkey/)
  await database.stop()
  const log = readFileSync(join(dataDir, 'logs', 'postgres.log'), 'utf8')
  expect(log).toContain('database system is ready')
  expect(log).not.toContain('canary')
})

test('a database left running by a killed Kith is taken over, with everything that was acknowledged', async () => {
  const dataDir = folder()
  const child = await inChild(dataDir)
  const guest = await joinEmbeddedPostgres(dataDir)
  await ask(guest.owner, 'create table kept as select 42 as answer')
  await killed(child)
  const again = await startEmbeddedPostgres(dataDir)
  expect(await ask(again.owner, 'select answer from kept')).toBe(42)
  await again.stop()
  expect(existsSync(join(dataDir, 'postgres/cluster/postmaster.pid'))).toBe(false)
})

test('a database that was killed together with Kith recovers', async () => {
  const dataDir = folder()
  const child = await inChild(dataDir)
  const guest = await joinEmbeddedPostgres(dataDir)
  await ask(guest.owner, 'create table kept as select 42 as answer')
  const postmaster = Number(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0])
  process.kill(postmaster, 'SIGKILL')
  await killed(child)
  const again = await startEmbeddedPostgres(dataDir)
  expect(await ask(again.owner, 'select answer from kept')).toBe(42)
  await again.stop()
})

test('a second start on the same folder is refused, and the first keeps running', async () => {
  const dataDir = folder()
  const child = await inChild(dataDir)
  await expect(startEmbeddedPostgres(dataDir)).rejects.toThrow(`Kith is already running with ${dataDir}`)
  const guest = await joinEmbeddedPostgres(dataDir)
  expect(await ask(guest.connection, 'select 1')).toBe(1)
  await killed(child)
  await (await startEmbeddedPostgres(dataDir)).stop()
})

test('two concurrent first starts create one cluster and one owner', async () => {
  const dataDir = folder()
  const starts = await Promise.allSettled([startEmbeddedPostgres(dataDir), startEmbeddedPostgres(dataDir)])
  const won = starts.filter((start) => start.status === 'fulfilled')
  expect(won).toHaveLength(1)
  expect(readdirSync(dataDir).sort()).toEqual(['logs', 'postgres'])
  await won[0]!.value.stop()
})

test('a stale lock file whose process id went to another program does not stop the start', async () => {
  const dataDir = folder()
  await (await startEmbeddedPostgres(dataDir)).stop()
  const lock = join(dataDir, 'postgres/cluster/postmaster.pid')
  writeFileSync(lock, `${process.pid}\n${join(dataDir, 'postgres/cluster')}\n1700000000\n5432\n${dataDir}\n\n`)
  await (await startEmbeddedPostgres(dataDir)).stop()
})

test('data of another major version is refused with advice, untouched', async () => {
  const dataDir = folder()
  await (await startEmbeddedPostgres(dataDir)).stop()
  writeFileSync(join(dataDir, 'postgres/cluster/PG_VERSION'), '17\n')
  await expect(startEmbeddedPostgres(dataDir)).rejects.toThrow(
    /written by PostgreSQL 17.*includes PostgreSQL 18[\s\S]*backup/,
  )
})

test('a very long path gets its socket elsewhere', async () => {
  const dataDir = join(folder(), 'a'.repeat(60), 'b'.repeat(60))
  const database = await startEmbeddedPostgres(dataDir)
  expect(await ask(database.connection, 'select 1')).toBe(1)
  await database.stop()
})

test('missing symbolic links of the package are restored', async () => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const programs = await import(name)
  // On a copy, because other tests start clusters with the package meanwhile.
  const copy = folder()
  chmodSync(dirname(copy), 0o711)
  cpSync(join(dirname(programs.postgres), '..', '..'), copy, { recursive: true, verbatimSymlinks: true })
  const [link] = JSON.parse(readFileSync(join(copy, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[]
  unlinkSync(join(copy, link!.target))
  const url = pathToFileURL(join(copy, 'dist/index.js')).href
  const dataDir = folder()
  const child = await inChild(
    dataDir,
    `import { registerHooks } from 'node:module'
    registerHooks({
      resolve: (specifier, context, next) =>
        specifier === ${JSON.stringify(name)} ? { url: ${JSON.stringify(url)}, shortCircuit: true } : next(specifier, context),
    })`,
  )
  expect(existsSync(join(copy, link!.target))).toBe(true)
  const guest = await joinEmbeddedPostgres(dataDir)
  expect(await ask(guest.connection, 'select 1')).toBe(1)
  await killed(child)
  await (await startEmbeddedPostgres(dataDir)).stop()
})

describe.runIf(process.getuid?.() === 0)('started by root', () => {
  test('runs inside a folder that only root may enter, and leaves the files to root', async () => {
    const dataDir = folder()
    chmodSync(dirname(dataDir), 0o700)
    const database = await startEmbeddedPostgres(dataDir)
    expect(await ask(database.connection, 'select 1')).toBe(1)
    expect(statSync(join(dataDir, 'postgres/cluster/PG_VERSION')).uid).toBe(0)
    await database.stop()
  })

  test('without user namespaces, it gives its folder to the user nobody, or says what to do', () => {
    const user = postgresUser(true, () => false)
    const open = folder()
    mkdirSync(open, { recursive: true })
    chmodSync(dirname(open), 0o711)
    expect(user.command('postgres', ['-D', 'x'])).toEqual({
      program: 'postgres',
      args: ['-D', 'x'],
      uid: 65534,
      gid: 65534,
    })
    user.reach(join(open, 'x'))
    user.own(open)
    expect(statSync(open)).toMatchObject({ uid: 65534, gid: 65534 })
    chmodSync(dirname(open), 0o700)
    expect(() => user.reach(join(open, 'x'))).toThrow(/regular user.*DATABASE_URL/s)
  })
})

test('a regular user runs it directly', () => {
  expect(postgresUser(false).command('postgres', [])).toEqual({ program: 'postgres', args: [] })
})
