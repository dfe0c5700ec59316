import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { preparedFolder } from '../test/installation.ts'
import { waitForProcesses } from '../test/patience.ts'
import { launch, until } from '../test/process.ts'

waitForProcesses()

const home = mkdtempSync(join(tmpdir(), 'kith-start-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

test('the worker alone reports what it needs', async () => {
  const worker = launch('worker', { DATA_DIR: join(home, 'nothing') })
  expect(await worker.ended).toBe(1)
  expect(worker.output()).toContain('Start Kith first (npm start) or set DATABASE_URL')
})

test.each([
  ['PORT', { PORT: 'many', DATA_DIR: join(home, 'bad') }],
  ['HOST', { HOST: '192.0.2.1', PORT: '0', DATA_DIR: join(home, 'bad') }],
  ['DATA_DIR', { PORT: '0', DATA_DIR: join(import.meta.filename, 'inside') }],
])('an invalid %s is named without a stack trace, and leaves nothing behind', async (name, env) => {
  const started = launch('main', env)
  expect(await started.ended).toBe(1)
  // What it said may come a moment after its end.
  await expect.poll(started.output).toContain(name)
  expect(started.output()).not.toContain('    at ')
  expect(existsSync(join(home, 'bad'))).toBe(false)
})

test('keeps running when no one reads its output', async () => {
  const started = await until(launch('main', { PORT: '0', DATA_DIR: preparedFolder() }), 'Kith is ready')
  started.child.stdout!.destroy()
  started.child.stderr!.destroy()
  started.child.kill('SIGTERM')
  expect(await started.ended).toBe(0)
})

test('a database that cannot be reached is named without its password', async () => {
  const secret = 'canary-secret'
  const started = launch('main', {
    DATABASE_URL: `postgres://kith:${secret}@127.0.0.1:1/kith`,
    DATA_DIR: join(home, 'x'),
  })
  expect(await started.ended).toBe(1)
  expect(started.output()).toContain('127.0.0.1:1/kith cannot be used')
  expect(started.output()).not.toContain(secret)
})
