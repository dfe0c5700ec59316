import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ask, folder, inChild, killed } from '../../test/embedded-postgres.ts'
import { waitForProcesses } from '../../test/patience.ts'
import { joinEmbeddedPostgres, runsEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { postgresUser } from './postgres-user.ts'

waitForProcesses()

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

test('a database that another container runs is used by commands, and neither started twice nor taken for a dead one', async () => {
  const dataDir = folder()
  const database = await startEmbeddedPostgres(dataDir)
  const lock = join(dataDir, 'postgres/cluster/postmaster.pid')
  const content = readFileSync(lock, 'utf8')
  // There, the process has an ID that does not exist here, or that belongs to another program.
  for (const pid of [4_194_303, process.pid]) {
    writeFileSync(lock, content.replace(/^\d+/, String(pid)))
    expect(await runsEmbeddedPostgres(dataDir)).toBe(true)
    expect(await ask((await joinEmbeddedPostgres(dataDir)).connection, 'select 1')).toBe(1)
    await expect(startEmbeddedPostgres(dataDir)).rejects.toThrow('Kith is already running')
    expect(readFileSync(lock, 'utf8')).toContain(String(pid))
  }
  writeFileSync(lock, content)
  expect(await ask(database.connection, 'select 1')).toBe(1)
  await database.stop()
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
