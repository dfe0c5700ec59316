import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, settingNames } from './config.ts'

test('an empty environment is valid', () => {
  const config = readConfig({})
  expect(config).toMatchObject({ port: 3000, host: '127.0.0.1', trustProxy: false, worker: true })
  expect(config.baseUrl.href).toBe('http://localhost:3000/')
  expect(readConfig({ PORT: '4000', BASE_URL: '' }).baseUrl.href).toBe('http://localhost:4000/')
})

test.each([
  ['', false],
  ['0', false],
  ['1', true],
  ['10.0.0.0/8,127.0.0.1', ['10.0.0.0/8', '127.0.0.1']],
  ['fd00::/8, ::1', ['fd00::/8', '::1']],
])('TRUST_PROXY=%s is read', (text, expected) => {
  expect(readConfig({ TRUST_PROXY: text }).trustProxy).toEqual(expected)
})

test.each([
  [{ TRUST_PROXY: '10.0.0.0/8,proxy.internal' }, /TRUST_PROXY/],
  [{ PORT: 'web' }, /PORT/],
  [{ PORT: '70000' }, /PORT/],
  [{ BASE_URL: 'crm.example.com' }, /BASE_URL/],
  [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL/],
  [{ DATABASE_OWNER_URL: 'postgres://kith@localhost/kith' }, /DATABASE_OWNER_URL: Also set DATABASE_URL/],
  [{ BACKUP_PASSPHRASE: 'too short' }, /BACKUP_PASSPHRASE: Use at least 12/],
  [{ COMPANY_COUNTRY: 'Austria' }, /COMPANY_COUNTRY: Use a country code/],
  [{ ADMIN_EMAIL: 'a@example.com' }, /ADMIN_EMAIL and ADMIN_PASSWORD together/],
  [{ ADMIN_EMAIL: 'a@example.com', ADMIN_PASSWORD: 'short' }, /ADMIN_PASSWORD/],
  [{ TRUST_PROXY: 'yes' }, /TRUST_PROXY/],
  [{ OUTBOUND_ALLOW: 'http://10.0.0.1' }, /OUTBOUND_ALLOW/],
  [{ OUTBOUND_ALLOW: '10.0.0.0/40' }, /OUTBOUND_ALLOW/],
])('%o is refused by name', (env, message) => {
  expect(() => readConfig(env as never)).toThrow(message)
})

test('a secret can be in a file, whose faults are named without its content', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kith-secrets-'))
  const file = join(folder, 'key')
  const secret = 'canary-of-thirty-two-characters-or-more'
  writeFileSync(file, `${secret}\n`)
  expect(readConfig({ SECRET_KEY_FILE: file }).secretKey).toBe(secret)
  const refusal = (env: Record<string, string>) => {
    try {
      readConfig(env)
      return 'none'
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(refusal({ SECRET_KEY_FILE: file, SECRET_KEY: secret })).toMatch(/Set SECRET_KEY or SECRET_KEY_FILE, not both/)
  expect(refusal({ SECRET_KEY_FILE: join(folder, 'none') })).toMatch(/SECRET_KEY_FILE: .* cannot be read \(ENOENT\)/)
  expect(refusal({ DATABASE_URL_FILE: file })).toMatch(/DATABASE_URL: Must start with postgres/)
  expect(refusal({ DATABASE_URL_FILE: file })).not.toContain('canary')
  writeFileSync(file, '\n')
  expect(refusal({ SECRET_KEY_FILE: file })).toMatch(/SECRET_KEY_FILE: .* is empty/)
})

test('.env.example lists every setting and no other, and sets none', () => {
  const named = readFileSync('.env.example', 'utf8').matchAll(/^(# ?)?([A-Z][A-Z0-9_]+)=/gm)
  const settings = [...named].map(([, isComment, name]) => ({ name, isComment: Boolean(isComment) }))
  expect(settings.map(({ name }) => name).toSorted()).toEqual(settingNames.toSorted())
  expect(settings.every(({ isComment }) => isComment)).toBe(true)
})

test('the README explains every setting', () => {
  const table = readFileSync('README.md', 'utf8')
    .split('\n## ')
    .find((section) => section.startsWith('Settings'))
  for (const name of settingNames) expect(table).toContain(`\`${name}\``)
})
