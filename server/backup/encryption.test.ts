import { randomBytes } from 'node:crypto'
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { backupHome } from '../../test/backup.ts'
import { headerFrame, packing, rowsFrame, tableFrame, trailerFrame } from './format.ts'
import { openBackup } from './open-backup.ts'

const { newFile } = backupHome()

describe('an encrypted backup of several chunks', () => {
  const passphrase = 'correct horse battery'
  const chunk = 64 * 1024 + 16
  const header = 'KITH BACKUP ENCRYPTED 1\n'.length + 32
  const path = newFile()
  let whole: Buffer

  async function readAll(bytes: Uint8Array, given = passphrase) {
    writeFileSync(path, bytes)
    const backup = await openBackup(path, { passphrase: given })
    try {
      const read = []
      for await (const { rows } of backup.tables()) for await (const part of rows) read.push(part)
      await backup.trailer()
      return Buffer.concat(read)
    } finally {
      backup.close()
    }
  }
  const rows = randomBytes(300_000)
  beforeAll(async () => {
    const frames = function* () {
      const columns = [{ name: 'a', columns: ['b'] }]
      yield* headerFrame({ kith: '1', created_at: '', migrations: [], tables: columns, extras: {} })
      yield* tableFrame('a')
      yield* rowsFrame(rows)
      yield* trailerFrame({ tables: [], sequences: [], files: { count: 0, bytes: 0 } })
    }
    await pipeline(frames, ...packing(passphrase), createWriteStream(path))
    whole = readFileSync(path)
  })
  const [one, two, three] = [0, 1, 2].map((n) => [header + n * chunk, header + (n + 1) * chunk] as const)
  const part = ([from, to]: readonly [number, number]) => whole.subarray(from, to)

  test('is read as it was written', async () => {
    expect(whole.length).toBeGreaterThan(header + 4 * chunk)
    expect(await readAll(whole)).toEqual(rows)
  })

  test('is never the same twice', async () => {
    const again = newFile()
    await pipeline([Buffer.from('x')], ...packing(passphrase), createWriteStream(again))
    const other = readFileSync(again)
    expect(other.subarray(24, 40)).not.toEqual(whole.subarray(24, 40))
  })

  test('a flipped bit anywhere is detected', async () => {
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 8)) {
      const flipped = Buffer.from(whole)
      flipped[at]! ^= 0x10
      await expect(readAll(flipped), `byte ${at}`).rejects.toThrow(
        /not a Kith backup|could not be decrypted|incomplete|damaged/,
      )
    }
  })

  test.each([
    ['cut off inside its header', () => whole.subarray(0, header - 1), /incomplete/],
    ['cut off after its header', () => whole.subarray(0, header), /incomplete/],
    ['cut off between chunks', () => whole.subarray(0, header + 3 * chunk), /incomplete/],
    ['cut off inside a chunk', () => whole.subarray(0, header + 3 * chunk + 100), /incomplete/],
    ['without its last byte', () => whole.subarray(0, -1), /incomplete/],
    ['longer than it was', () => Buffer.concat([whole, Buffer.from('x')]), /incomplete/],
    [
      'with a chunk taken out',
      () => Buffer.concat([whole.subarray(0, two![0]), whole.subarray(two![1])]),
      /damaged|incomplete/,
    ],
    [
      'with two chunks swapped',
      () => Buffer.concat([whole.subarray(0, two![0]), part(three!), part(two!), whole.subarray(three![1])]),
      /damaged/,
    ],
    [
      'with a chunk twice',
      () => Buffer.concat([whole.subarray(0, two![0]), part(one!), whole.subarray(two![1])]),
      /damaged/,
    ],
  ])('%s is refused', async (_, bytes, message) => {
    await expect(readAll(bytes())).rejects.toThrow(message)
  })
})
