import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { createLog } from './log.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'kith-log-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

test('an error of PostgreSQL is logged by its code and its names, never with the value that it quotes', async () => {
  const { pool } = await testDatabase()
  const log = await createLog({ log: 'file', dataDir })
  const id = crypto.randomUUID()
  const statements = [
    "select 'canary@example.com'::uuid",
    "select 'canary@example.com'::int",
    `insert into companies (id, name) values ('${id}', 'x'), ('${id}', 'canary@example.com')`,
    "insert into roles (company_id, id, name) values (gen_random_uuid(), gen_random_uuid(), 'canary@example.com')",
    "insert into sign_in_emails values ('canary@example.com', null, null)",
  ]
  for (const statement of statements) {
    const error = await pool.query(statement).catch((error) => error)
    log.error({ err: error }, 'a request failed')
    // As the job queue reports it.
    log.child({ queue: 'x' }).warn({ err: { ...error, message: error.message, stack: error.stack } }, 'a job failed')
  }
  log.error({ err: new Error('of our own') }, 'a request failed')
  await new Promise<void>((resolve) => log.flush(() => resolve()))
  const text = readFileSync(join(dataDir, 'logs', 'kith.1.log'), 'utf8')
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(text).not.toContain('canary')
  expect(lines.map(({ err }) => err.code)).toEqual(
    expect.arrayContaining(['22P02', '22P02', '23505', '23505', '23503', '23502']),
  )
  expect(lines).toContainEqual(
    expect.objectContaining({ err: expect.objectContaining({ constraint: 'companies_pkey', table: 'companies' }) }),
  )
  expect(lines[0].err.routine).toEqual(expect.any(String))
  expect(lines[0].err.stack).toContain('log.test.ts')
  expect(lines.at(-1).err.message).toBe('of our own')
})
