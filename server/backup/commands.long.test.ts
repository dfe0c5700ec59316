// Covers: server/backup server/commands
// npm run backup and npm run restore with keys, passphrases and backups of version 0.1.
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ask, backupHome, emptyDatabase, inFirstFormat, run } from '../../test/backup.ts'
import { preparedFolder } from '../../test/installation.ts'
import { oldMigrations } from '../../test/old-migrations.ts'
import { oldSeal } from '../../test/old-seal.ts'
import { waitForProcesses } from '../../test/patience.ts'
import { freePort, launch, until } from '../../test/process.ts'
import { placeOfSecret } from '../accounts/credentials/two-factor.ts'
import { joinEmbeddedPostgres } from '../platform/embedded-postgres.ts'
import { migrate } from '../platform/migrate.ts'
import { createVault } from '../platform/vault.ts'
import { backUp } from './backup.ts'
import { openBackup } from './open-backup.ts'

waitForProcesses()

const { home, newFile, store } = backupHome()

test('a backup of version 0.1 that includes its key is restored with all secrets readable', async () => {
  const old = await emptyDatabase()
  await migrate(old, oldMigrations())
  const key = 'a key of more than thirty-two characters'
  const [company, person] = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002']
  await ask(old, `insert into companies (id, name) values ('${company}', 'Acme')`)
  await ask(old, `insert into roles (company_id, id, name) values ('${company}', '${company}', 'Member')`)
  await ask(
    old,
    `insert into users (company_id, id, role_id, name, totp_secret) values ('${company}', '${person}', '${company}', 'Ada',
      '\\x${oldSeal(key, 'a seed').toString('hex')}')`,
  )
  await ask(old, `insert into installation values ('vault', '${createVault(key).fingerprint}')`)
  const file = newFile()
  await backUp({ store, connection: old, file, extras: { secret_key: key } })
  writeFileSync(file, inFirstFormat(file))
  expect(readFileSync(file).subarray(0, 14).toString()).toBe('KITH BACKUP 1\n')

  const env = { DATA_DIR: mkdtempSync(join(home, 'old-')), PORT: String(await freePort()), LOG: 'off' }
  const restored = run('restore', env, file)
  expect([await restored.ended, restored.output()]).toEqual([0, expect.not.stringContaining('FORGET_SECRETS')])
  expect(readFileSync(join(env.DATA_DIR, 'secret.key'), 'utf8').trim()).toBe(key)
  const kith = await until(launch('main', env), 'Kith is ready')
  const { connection } = await joinEmbeddedPostgres(env.DATA_DIR)
  const [user] = await ask<{ totp_secret: Buffer }>(connection, 'select totp_secret from users')
  const place = placeOfSecret({ company_id: company, user_id: person })
  expect(user!.totp_secret.subarray(0, 5).toString()).toBe('KITH2')
  expect(createVault(key).open(user!.totp_secret, place)).toBe('a seed')
  kith.child.kill('SIGTERM')
  expect(await kith.ended).toBe(0)
})

test('a backup includes the secret key only on request, and can be encrypted', async () => {
  const own = { DATA_DIR: preparedFolder(), PORT: String(await freePort()), LOG: 'off' }
  const other = { ...own, DATA_DIR: mkdtempSync(join(home, 'with-key-')) }
  const kith = await until(launch('main', own), 'Kith is ready')
  kith.child.kill('SIGTERM')
  expect(await kith.ended).toBe(0)
  const key = readFileSync(join(own.DATA_DIR, 'secret.key'), 'utf8')
  const extrasOf = async (path: string, passphrase?: string) => {
    const backup = await openBackup(path, { passphrase })
    backup.close()
    return backup.header.extras
  }

  const [plain, open, closed] = [newFile(), newFile(), newFile()]
  expect(await run('backup', own, plain).ended).toBe(0)
  expect(await extrasOf(plain)).toEqual({})
  const unguarded = run('backup', own, '--with-secret-key', open)
  expect(await unguarded.ended).toBe(0)
  expect(unguarded.output()).toContain('anyone with the file can read every secret')
  expect(await extrasOf(open)).toEqual({ secret_key: key.trim() })

  const BACKUP_PASSPHRASE = 'correct horse battery'
  const guarded = run('backup', { ...own, BACKUP_PASSPHRASE }, closed, '--with-secret-key')
  expect(await guarded.ended).toBe(0)
  expect(guarded.output()).toMatch(/kB, encrypted\)/)
  expect(await extrasOf(closed, BACKUP_PASSPHRASE)).toEqual({ secret_key: key.trim() })

  const without = run('restore', other, closed)
  expect(await without.ended).toBe(1)
  expect(without.output()).toContain('Set BACKUP_PASSPHRASE')
  expect(readdirSync(other.DATA_DIR)).toEqual([])
  writeFileSync(join(other.DATA_DIR, 'secret.key'), 'of another database')
  const restored = run('restore', { ...other, BACKUP_PASSPHRASE }, closed)
  expect([await restored.ended, restored.output()]).toEqual([0, expect.not.stringContaining('FORGET_SECRETS')])
  expect(readFileSync(join(other.DATA_DIR, 'secret.key'), 'utf8')).toBe(key)
  const kept = readdirSync(other.DATA_DIR).find((name) => name.startsWith('secret.key.before-restore'))
  expect(readFileSync(join(other.DATA_DIR, kept!), 'utf8')).toBe('of another database')
  for (const { output } of [unguarded, guarded, restored])
    for (const secret of [key.trim(), BACKUP_PASSPHRASE]) expect(output()).not.toContain(secret)

  const unknown = run('backup', own, '--fast')
  expect(await unknown.ended).toBe(1)
  expect(unknown.output()).toContain('--with-secret-key')
})
