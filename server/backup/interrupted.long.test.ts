// Backups and restores of many rows, while others write or the process is killed.
import { mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { ask, backupHome, contentOf, emptyDatabase, run } from '../../test/backup.ts'
import { testDatabase } from '../../test/database.ts'
import { waitForProcesses } from '../../test/patience.ts'
import { databaseUrlOf, until } from '../../test/process.ts'
import { backUp } from './backup.ts'

waitForProcesses()

const { home, newFile, store, restoreInto } = backupHome()
const eventCount = 10_000

describe('with many rows', () => {
  let source: pg.ClientConfig
  let file: string
  const company = "'01900000-0000-7000-8000-000000000000'"
  const events = (from: string) =>
    `insert into audit_events (company_id, id, at, action, door, request_id, data) select ${company}, gen_random_uuid(), now(), 'x', 'web', 'r', jsonb_build_object('text', repeat(md5(n::text), 4)) ${from}`
  const requests = `insert into requests (company_id, id, at, door, method, route, status, duration_ms) select ${company}, gen_random_uuid(), now(), 'web', 'GET', '/', 200, 1`
  beforeAll(async () => {
    source = (await testDatabase()).owner
    await ask(source, `insert into companies (id, name) values (${company}, 'Acme')`)
    await ask(source, events(`from generate_series(1, ${eventCount}) n`))
    file = newFile()
    await backUp({ store, connection: source, file })
  })
  /** A command that has copied some of the rows, and then halts. */
  const amidRows = (program: 'backup' | 'restore', connection: pg.ClientConfig, path: string) => {
    const env = { DATABASE_URL: databaseUrlOf(connection), DATA_DIR: join(home, 'x'), HOLD_COPY: 'audit_events' }
    return until(run(program, env, path), 'The copy is held.')
  }
  const filesOf = (folder: string) => readdirSync(folder).sort()
  const newFolder = () => mkdtempSync(join(home, 'to-'))

  test('a backup is a consistent snapshot, even while others write', async () => {
    const changing = newFile()
    const writer = new pg.Client(source)
    await writer.connect()
    let done = false
    const making = backUp({ store, connection: source, file: changing }).finally(() => {
      done = true
    })
    const together = async () => {
      await writer.query('begin')
      await writer.query(events('from generate_series(1, 1) n'))
      await writer.query(requests)
      await writer.query('commit')
    }
    while (!done) await together()
    await writer.end()
    await making
    const target = await emptyDatabase()
    await restoreInto(target, changing)
    const count = (connection: pg.ClientConfig) =>
      ask<{ events: number; requests: number }>(
        connection,
        `select (select count(*)::int - ${eventCount} from audit_events) as events, (select count(*)::int from requests) as requests`,
      )
    const [[copy], [original]] = [await count(target), await count(source)]
    expect(copy!.events).toBe(copy!.requests)
    expect(original!.requests).toBeGreaterThan(copy!.requests)
  })

  test('kill -9 of a backup leaves nothing that looks like a backup, and the next backup succeeds', async () => {
    const folder = newFolder()
    const path = join(folder, 'a.kith')
    const started = await amidRows('backup', source, path)
    started.child.kill('SIGKILL')
    expect(await started.ended).toBe(null)
    expect(filesOf(folder)).toEqual(['a.kith.partial'])
    const again = await vi.waitFor(() => backUp({ store, connection: source, file: path }), {
      timeout: 60_000,
      interval: 100,
    })
    expect(again.rows).toBeGreaterThan(eventCount)
    expect(filesOf(folder)).toEqual(['a.kith'])
  })

  test('Ctrl-C ends a backup and leaves no file', async () => {
    const folder = newFolder()
    const started = await amidRows('backup', source, join(folder, 'a.kith'))
    started.child.kill('SIGINT')
    expect(await started.ended).toBe(130)
    expect(started.output()).toContain('Stopped. No backup was created.')
    expect(filesOf(folder)).toEqual([])
  })

  test.each([
    ['kill -9', 'SIGKILL', null, ''],
    ['Ctrl-C', 'SIGINT', 130, 'Stopped. Nothing was changed.'],
  ] as const)(
    '%s of a restore leaves the database unchanged, and the next restore succeeds',
    async (_, signal, code, said) => {
      const { owner: connection } = await testDatabase()
      const before = await contentOf(connection)
      const started = await amidRows('restore', connection, file)
      started.child.kill(signal)
      expect(await started.ended).toBe(code)
      expect(started.output()).toContain(said)
      expect(await contentOf(connection)).toEqual(before)
      expect((await restoreInto(connection, file)).rows).toBeGreaterThan(eventCount)
    },
  )
})
