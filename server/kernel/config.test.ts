import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('an empty environment is a good one', () => {
  const config = readConfig({})
  expect(config).toMatchObject({ port: 3000, host: '127.0.0.1', trustProxy: false, worker: true })
  expect(config.baseUrl.href).toBe('http://localhost:3000/')
  expect(readConfig({ PORT: '4000', BASE_URL: '' }).baseUrl.href).toBe('http://localhost:4000/')
})

test.each([
  [{ PORT: 'web' }, /PORT/],
  [{ PORT: '70000' }, /PORT/],
  [{ BASE_URL: 'crm.example.com' }, /BASE_URL/],
  [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL/],
  [{ ADMIN_EMAIL: 'a@example.com' }, /ADMIN_EMAIL and ADMIN_PASSWORD together/],
  [{ ADMIN_EMAIL: 'a@example.com', ADMIN_PASSWORD: 'short' }, /ADMIN_PASSWORD/],
  [{ TRUST_PROXY: 'yes' }, /TRUST_PROXY/],
])('%o is refused by name', (env, message) => {
  expect(() => readConfig(env as never)).toThrow(message)
})
