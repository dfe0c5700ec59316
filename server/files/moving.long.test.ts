// Covers: server/files
// An installation whose files move to S3 and back, while it runs, is killed, and S3 is away for a while.
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { install } from '../../test/installation.ts'
import { waitForProcesses } from '../../test/patience.ts'
import { endLaunched, launch, until } from '../../test/process.ts'
import { startS3 } from '../../test/s3.ts'

waitForProcesses()
afterAll(endLaunched)

const count = 60
const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

test('no file is lost on the way to S3 and back, whatever is killed or away', async () => {
  const s3 = await startS3()
  afterAll(s3.stop)
  const kith = await install()
  const user = await kith.given.company()
  const api = kith.withKey(await kith.given.key(user))
  const hashes = new Map<string, string>()
  async function store() {
    // One file is larger than a part.
    const content = randomBytes(hashes.size ? 20_000 : 9 * 1024 * 1024)
    const { id } = await api.uploadFile({ purpose: 'import', name: 'people.csv', file: new Blob([content]) })
    hashes.set(id, hashOf(content))
  }
  async function allAreThere() {
    for (const [id, hash] of hashes)
      expect(hashOf(new Uint8Array(await (await api.downloadFile({ id })).arrayBuffer())), id).toBe(hash)
  }
  const onDisk = () => {
    const names = readdirSync(join(kith.dataDir, 'files', user.company_id))
    return names.filter((name) => hashes.has(name)).length
  }
  const onS3 = () => [...s3.objects.keys()].filter((key) => hashes.has(key.split('/')[1]!)).length

  for (let i = 0; i < count; i++) await store()
  expect([onDisk(), onS3()]).toEqual([count, 0])
  await kith.kill(kith.server)

  const env = { DATA_DIR: kith.dataDir, PORT: new URL(kith.url).port }
  const startWith = (more: Record<string, string>) => until(launch('main', { ...env, ...more }), 'Kith is ready')
  const passes = async (isTrue: () => boolean) => {
    for (const last = Date.now() + 90_000; !isTrue(); await sleep(10)) if (Date.now() > last) expect.fail('not in time')
  }

  let kills = 0
  let server = await startWith(s3.env)
  for (const part of [0.2, 0.6]) {
    await passes(() => onS3() > count * part)
    await kith.kill(server)
    kills++
    server = await startWith(s3.env)
    await allAreThere()
  }
  await passes(() => onDisk() === 0)
  expect(onS3()).toBe(count)
  await allAreThere()

  const backup = join(kith.dataDir, 'files.kith-backup')
  const backingUp = launch('commands/backup', { ...env, ...s3.env }, [backup])
  expect([await backingUp.ended, backingUp.output()]).toEqual([0, expect.stringContaining(`${count} files`)])
  const examined = launch('commands/doctor', { ...env, ...s3.env })
  await examined.ended
  expect(examined.output()).toMatch(new RegExp(`Files +${count} files`))

  s3.becomes('away')
  const refused = await api
    .uploadFile({ purpose: 'import', name: 'a.csv', file: new Blob(['a']) })
    .catch((error) => error)
  expect(refused.problem).toMatchObject({
    status: 503,
    code: 'unavailable',
    detail: 'The file storage does not respond. Try again in a minute.',
  })
  s3.becomes('there')
  await store()
  await allAreThere()
  await kith.kill(server)

  server = await startWith({ ...s3.env, FILES_STORE: 'disk' })
  await passes(() => onS3() > 0 && onDisk() > 10)
  s3.becomes('deaf')
  await sleep(2000)
  s3.becomes('there')
  await store()
  await kith.kill(server)
  server = await startWith({ ...s3.env, FILES_STORE: 'disk' })
  await passes(() => onS3() === 0)
  await allAreThere()
  await kith.kill(server)

  server = await startWith({})
  await allAreThere()
  expect([kills, onDisk()]).toEqual([2, count + 2])
})
