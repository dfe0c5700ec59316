import { randomUUIDv7 } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { givenFor } from '../../test/given.ts'
import { openFiles } from '../files/open.ts'
import { readConfig } from '../platform/config.ts'
import { checkFiles } from './files.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'kith-doctor-files-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const { db } = await testDatabase()
const { company_id } = await givenFor(db, () => new Date()).company()
const config = readConfig({ DATA_DIR: dataDir })
const { store } = openFiles(config)

test('files that are missing or incomplete are named', async () => {
  expect(await checkFiles(config, db)).toMatchObject({ status: 'ok', found: 'None yet' })
  const ids = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()]
  for (const id of ids) {
    const { size, sha256 } = await store.put(`${company_id}/${id}`, [Buffer.from('content')])
    const row = { company_id, id, purpose: 'import', name: 'a', type: 'text/plain', size, sha256 }
    await db
      .insertInto('files')
      .values({ ...row, created_at: new Date() })
      .execute()
  }
  expect(await checkFiles(config, db)).toMatchObject({ status: 'ok', found: expect.stringMatching(/^3 files/) })
  rmSync(join(dataDir, 'files', company_id, ids[0]!))
  writeFileSync(join(dataDir, 'files', company_id, ids[1]!), 'con')
  const { status, found } = await checkFiles(config, db)
  expect(status).toBe('failed')
  expect(found).toContain('2 files are missing or incomplete')
  expect(found).toContain(`${ids[0]} is missing`)
  expect(found).toContain(`${ids[1]} has 3 bytes`)
})
