import { randomUUIDv7 } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { givenFor } from '../../test/given.ts'
import { startS3 } from '../../test/s3.ts'
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

test('S3 that refuses is named with its reason, and without the secret', async () => {
  const s3 = await startS3()
  afterAll(s3.stop)
  const withS3 = (more = {}) => readConfig({ DATA_DIR: dataDir, ...s3.env, ...more })
  expect(await checkFiles(withS3({ S3_BUCKET: 'other' }), db)).toMatchObject({
    status: 'failed',
    found: `${s3.settings.endpoint.host}: The file storage answered 404 (NoSuchBucket)`,
    advice: 'Check the settings that begin with S3_, and that this key may list, read, write and delete.',
  })
  const wrong = await checkFiles(withS3({ S3_SECRET_ACCESS_KEY: 'wrong-canary' }), db)
  expect(wrong.found).toMatch(/403 \(SignatureDoesNotMatch\)$/)
  expect(JSON.stringify(wrong)).not.toContain('canary')
  expect((await checkFiles(withS3(), db)).found).toContain('missing or incomplete')
  expect(s3.objects.size).toBe(0)
})
