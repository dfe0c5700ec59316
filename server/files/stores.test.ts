// Every place for files keeps the same promises: the disk, S3 as strictly as it is specified, and both while files move.
import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { keepsItsPromises, type Place } from '../../test/file-store.ts'
import { startS3 } from '../../test/s3.ts'
import { movingStore } from './moving-store.ts'
import { s3Store } from './s3-store.ts'
import { diskStore } from './store.ts'

const home = mkdtempSync(join(tmpdir(), 'kith-stores-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const fast = { partBytes: 1000, firstWaitMs: 1, attempts: 3 }

function disk(): Place {
  const folder = mkdtempSync(join(home, 'disk-'))
  const age = () => {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) utimesSync(join(folder, name), 0, 0)
  }
  return { store: diskStore(folder), age }
}

async function strict(): Promise<Place> {
  const s3 = await startS3({ leastPart: 1000 })
  afterAll(s3.stop)
  return { store: s3Store(s3.settings, fast), age: () => s3.age(3_600_000) }
}

async function moving(): Promise<Place> {
  const [to, from] = [await strict(), disk()]
  return {
    store: movingStore(to.store, from.store),
    age: () => {
      to.age()
      from.age()
    },
  }
}

const places: [string, () => Place | Promise<Place>, number[]][] = [
  ['the disk', disk, [0, 31, 100_000]],
  ['S3', strict, [0, 31, 1000, 1001, 2000, 12_345]],
  ['S3 and the disk, while files move', moving, [0, 31, 12_345]],
]
describe.each(places)('%s', async (_name, open, sizes) => keepsItsPromises(await open(), sizes))

describe('S3', () => {
  const content = randomBytes(5000)
  const key = () => `${randomUUIDv7()}/${randomUUIDv7()}`

  test('what an interrupted upload left is removed later', async () => {
    const s3 = await startS3({ leastPart: 1000 })
    const store = s3Store(s3.settings, fast)
    const cut = async function* () {
      yield content.subarray(0, 2500)
      s3.becomes('deaf')
      yield content.subarray(2500)
    }
    await expect(store.put(key(), cut())).rejects.toThrow('The file storage does not respond')
    s3.becomes('there')
    expect([s3.objects.size, s3.uploads.size]).toEqual([0, 1])
    await store.tidy(60_000)
    expect(s3.uploads.size).toBe(1)
    s3.age(3_600_000)
    await store.tidy(60_000)
    expect(s3.uploads.size).toBe(0)
    s3.stop()
  })

  test('a short absence is bridged, and a long one is reported as temporary', async () => {
    const s3 = await startS3({ leastPart: 1000 })
    const store = s3Store(s3.settings, { ...fast, attempts: 8, firstWaitMs: 20 })
    for (const how of ['away', 'deaf'] as const) {
      s3.becomes(how)
      const name = key()
      const storing = store.put(name, [content])
      setTimeout(() => s3.becomes('there'), 100)
      expect((await storing).size).toBe(5000)
      expect(await store.sizeOf(name)).toBe(5000)
    }
    s3.becomes('away')
    await expect(s3Store(s3.settings, fast).put(key(), [content])).rejects.toMatchObject({ code: 'unavailable' })
    s3.stop()
  })

  test('a wrong secret is refused at once, and neither it nor what the service says is repeated', async () => {
    const s3 = await startS3()
    const store = s3Store({ ...s3.settings, secretAccessKey: 'wrong-canary' }, fast)
    const error = await store.put(key(), [content]).catch((one: Error) => one)
    expect((error as Error).message).toBe('The file storage answered 403 (SignatureDoesNotMatch)')
    expect(String((error as Error).stack)).not.toContain('canary')
    s3.stop()
  })
})
