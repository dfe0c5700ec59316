// npm run backup and npm run restore.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupHome, run } from '../../test/backup.ts'
import { waitForProcesses } from '../../test/patience.ts'
import { freePort, launch, until } from '../../test/process.ts'

waitForProcesses()

const { home } = backupHome()

test('npm run backup and npm run restore work whether Kith is running or not', async () => {
  const port = String(await freePort())
  const own = { DATA_DIR: join(home, 'own'), PORT: port, LOG: 'off' }
  const other = { ...own, DATA_DIR: join(home, 'other') }
  const credentials = { email: 'ada@example.com', password: 'correct horse' }
  const nothing = run('backup', own)
  expect(await nothing.ended).toBe(1)
  expect(nothing.output()).toContain('There is no database in')
  expect(existsSync(own.DATA_DIR)).toBe(false)

  const admin = { ADMIN_EMAIL: credentials.email, ADMIN_PASSWORD: credentials.password }
  const kith = await until(launch('main', { ...own, ...admin }), 'Kith is ready')
  const beside = run('backup', own)
  expect([await beside.ended, beside.output()]).toEqual([0, expect.stringMatching(/Backed up \d+ rows in \d+ tables/)])
  const backups = join(own.DATA_DIR, 'backups')
  expect(statSync(backups).mode & 0o777).toBe(0o700)
  expect(readdirSync(backups)).toEqual([expect.stringMatching(/^kith-\d{4}-\d\d-\d\dT\d{6}Z\.kith$/)])
  const under = run('restore', own, join(backups, readdirSync(backups)[0]!))
  expect(await under.ended).toBe(1)
  expect(under.output()).toContain('Kith is already running with')
  kith.child.kill('SIGTERM')
  expect(await kith.ended).toBe(0)

  mkdirSync(other.DATA_DIR)
  const keyOf = ({ DATA_DIR }: typeof own) => readFileSync(join(DATA_DIR, 'secret.key'), 'utf8')
  writeFileSync(join(other.DATA_DIR, 'secret.key'), 'of another database')
  const path = join(other.DATA_DIR, 'stopped.kith')
  const alone = run('backup', own, path)
  expect([await alone.ended, alone.output()]).toEqual([0, expect.stringContaining(path)])
  expect(alone.output()).toContain(`The secret key is not in the backup. Store a copy of ${own.DATA_DIR}/secret.key`)
  expect(alone.output()).toContain('Set BACKUP_PASSPHRASE')
  expect(existsSync(join(own.DATA_DIR, 'postgres/cluster/postmaster.pid'))).toBe(false)

  const moved = run('restore', other, path)
  expect([await moved.ended, moved.output()]).toEqual([0, expect.stringMatching(/Restored and verified \d+ rows/)])
  expect(moved.output()).toMatch(/copy secret\.key from the previous installation.*\n.*FORGET_SECRETS=1/)
  expect(keyOf(other)).toBe('of another database')
  const refused = launch('main', other)
  expect(await refused.ended).toBe(1)
  expect(refused.output()).toContain('encrypted with another key')
  writeFileSync(join(other.DATA_DIR, 'secret.key'), keyOf(own))
  const second = await until(launch('main', other), 'Kith is ready')
  const signedIn = await fetch(`http://localhost:${port}/app/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  })
  expect(signedIn.status).toBe(201)
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe(0)
})
