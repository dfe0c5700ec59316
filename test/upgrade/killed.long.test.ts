// Covers: db/migrations server/platform/migrate.ts test/upgrade
// An upgrade that is killed at any point is completed by the next start, as if nothing had happened.
import pg from 'pg'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { migrationsFolder, readMigrations } from '../../server/platform/migrate.ts'
import { isLong, sized } from '../long.ts'
import { waitForProcesses } from '../patience.ts'
import { type Started, until } from '../process.ts'
import { ask, databaseTime, finishJobs, loadRelease, migrationsOf, type Old, releases, upgrade } from './released.ts'
import { snapshot } from './snapshot.ts'

waitForProcesses()

const pendingAfter = (version: string) => {
  const applied = new Set(migrationsOf(version).map(({ name }) => name))
  return readMigrations(migrationsFolder).filter(({ name }) => !applied.has(name))
}
/** What happened to the upgrade from earlier ones does not change, because released migrations do not. */
const outdated = releases.filter((version) => pendingAfter(version).length).slice(isLong ? 0 : -1)
const distance = sized(20, 5)
/** The first, the last and some between. */
const spread = <T>(all: T[]) => all.filter((_, index) => index % distance === 0 || index === all.length - 1)
const stop = async ({ child, ended }: Started) => {
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
}

/** What some migration since this version locks or changes, so that it waits for the lock. */
const obstacles: Record<string, string[]> = {
  '0.1.0': ['lock table companies in exclusive mode', 'lock table users in exclusive mode'],
  '0.2.0': ['lock table companies in exclusive mode', 'lock table change_sets in exclusive mode'],
  '0.3.0': ['lock table sessions in exclusive mode', 'lock table users in exclusive mode'],
}
/** Since these versions a job stores every record again. */
const reindexed = ['0.1.0']
const deal = "select from records where title = 'Pilot' for update"

/** Holds something that the upgrade needs at one point, so that it waits there while we kill it. */
async function killWaiting(old: Old, obstacle: string, start: () => Started) {
  const blocker = new pg.Client(old.superuser)
  await blocker.connect()
  await blocker.query(`begin; ${obstacle}`)
  const started = start()
  await vi.waitFor(
    async () => {
      const { rowCount } = await ask(
        old.superuser,
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      expect(rowCount, started.output()).toBeGreaterThan(0)
    },
    { timeout: 60_000, interval: 25 },
  )
  started.child.kill('SIGKILL')
  await started.ended
  await blocker.query('rollback')
  await blocker.end()
  await noOneConnected(old)
}

const isApplied = async ({ superuser }: Old, name: string) =>
  Boolean((await ask(superuser, 'select from migrations where name = $1', [name])).rowCount)

/** PostgreSQL notices that a process is gone when it next wants to tell it something. */
const noOneConnected = ({ superuser }: Old) =>
  vi.waitFor(
    async () => {
      const others =
        "select from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()"
      expect((await ask(superuser, others)).rowCount).toBe(0)
    },
    { timeout: 60_000, interval: 25 },
  )

describe.each(outdated)('the upgrade from %s', (version) => {
  let wanted: Awaited<ReturnType<typeof snapshot>>
  beforeAll(async () => {
    const undisturbed = await loadRelease(version)
    await upgrade(undisturbed)
    wanted = await snapshot(undisturbed)
  })

  test('survives kill -9 within and between migrations', async () => {
    const old = await loadRelease(version)
    for (const obstacle of (obstacles[version] ?? []).slice(0, sized(1, 2)))
      await killWaiting(old, obstacle, () => old.start())
    if (reindexed.includes(version)) await killWaiting(old, deal, old.migrating)
    for (const { name } of spread(pendingAfter(version)))
      if (!(await isApplied(old, name)))
        await killWaiting(old, `insert into migrations values ('${name}', 'waits before the next')`, old.migrating)
    await upgrade(old)
    expect(await snapshot(old)).toEqual(wanted)
  })

  test.runIf(isLong)('is done once when two processes start at the same time', async () => {
    const old = await loadRelease(version)
    const since = await databaseTime(old)
    const both = await Promise.all([old.start(), old.start()].map((one) => until(one, 'Kith is ready')))
    expect(both.filter((one) => one.output().includes('Migrated the database'))).toHaveLength(1)
    await finishJobs(old, since)
    await Promise.all(both.map(stop))
    expect(await snapshot(old)).toEqual(wanted)
  })

  test.runIf(reindexed.includes(version))(
    'finishes its background work after kill -9 in the middle of it',
    async () => {
      const old = await loadRelease(version)
      await stop(await until(old.start({ WORKER: '0' }), 'Kith is ready'))
      // People come before deals, so some records are already done.
      await killWaiting(old, deal, () => old.start())
      expect((await snapshot(old)).rows.records).not.toEqual(wanted.rows.records)
      await upgrade(old)
      expect(await snapshot(old)).toEqual(wanted)
    },
  )
})
