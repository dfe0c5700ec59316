// Reads a backup file in chunks, and refuses files that are incomplete, damaged or not a backup.
import { pipeline } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import type * as z from 'zod'
import { StartError } from '../platform/config.ts'
import { damaged, notWhole } from './damage.ts'
import type { Source } from './encryption.ts'
import {
  beginHash,
  chunkSize,
  firstLine,
  format,
  Header,
  headBytes,
  kinds,
  lastLine,
  lastLineBytes,
  Trailer,
} from './format.ts'
import { openSource, piecesOf } from './source.ts'

const largestFrame = 64 * 1024 * 1024

export type OpenBackup = Awaited<ReturnType<typeof openBackup>>
type Options = { passphrase?: string | undefined; progress?: (share: number) => void }

/** Refuses an incomplete backup immediately. Other damage is detected while reading. */
export async function openBackup(file: string, { passphrase, progress = () => {} }: Options = {}) {
  const source = await openSource(file, passphrase)
  const { digest, line } = await look(file, source).catch(async (error) => {
    await source.close()
    throw error
  })
  const unpacked = createZstdDecompress({ chunkSize })
  const hash = beginHash(line)
  let bytes = 0
  pipeline(packed, unpacked, () => {}) // Readers of `unpacked` get any error.
  const next = frameReader(file, unpacked)
  const header = parse(file, Header, await expectFrame(file, next, 'header'))
  let ahead = await next()

  return {
    file,
    header,
    /** Yields each table. Its rows must be read before the next table. */
    async *tables() {
      while (ahead?.kind === 'table') yield { name: String(ahead.body), rows: pieces('rows') }
    },
    /** After the last table, yields each file. Its bytes must be read before the next file. */
    async *files() {
      while (ahead?.kind === 'file') yield { key: String(ahead.body), bytes: pieces('bytes') }
    },
    /** After the last file, reads to the end and verifies the hash of the whole file. */
    async trailer() {
      if (ahead?.kind !== 'trailer') throw damaged(file)
      const trailer = parse(file, Trailer, ahead.body)
      if ((await next()) || hash.digest('hex') !== digest) throw damaged(file)
      return trailer
    },
    close: () => void unpacked.destroy(),
  }

  async function* packed() {
    try {
      for await (const piece of piecesOf(source, firstLine.length, source.size - lastLineBytes)) {
        hash.update(piece)
        bytes += piece.length
        yield piece
      }
    } finally {
      await source.close()
    }
  }

  async function* pieces(kind: 'rows' | 'bytes') {
    for (ahead = await next(); ahead?.kind === kind; ahead = await next()) {
      progress(bytes / source.size)
      yield ahead.body
    }
  }
}

/** The hash in the last line of the file, and its first line. */
async function look(file: string, { size, read }: Source) {
  const begin = (await read(0, firstLine.length + 8)).toString('latin1')
  const written = /^KITH BACKUP (\d+)\n/.exec(begin)?.[1]
  if (!written) throw new StartError(`${file} is not a Kith backup. Choose a file created by npm run backup.`)
  if (Number(written) > format)
    throw new StartError(`${file} was created by a newer version of Kith. Update this installation and try again.`)
  const end = (await read(Math.max(0, size - lastLineBytes), lastLineBytes)).toString('latin1')
  const digest = lastLine.exec(end)?.[1]
  if (!digest) throw notWhole(file)
  return { digest, line: Buffer.from(`KITH BACKUP ${written}\n`) }
}

type Frame = { kind: (typeof kinds)[number]; body: Buffer }

function frameReader(file: string, source: AsyncIterable<Buffer>) {
  const pieces = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)

  async function fill(bytes: number) {
    while (held.length < bytes) {
      const { value, done } = await pieces.next().catch((error) => {
        throw damaged(file, error)
      })
      if (done) return false
      held = held.length ? Buffer.concat([held, value]) : value
    }
    return true
  }

  function take(bytes: number) {
    const taken = held.subarray(0, bytes)
    held = held.subarray(bytes)
    return taken
  }

  return async function next(): Promise<Frame | undefined> {
    if (!(await fill(headBytes))) {
      if (held.length) throw damaged(file)
      return
    }
    const head = take(headBytes)
    const [kind, length] = [kinds[head.readUInt8()], head.readUInt32BE(1)]
    if (!kind || length > largestFrame || !(await fill(length))) throw damaged(file)
    return { kind, body: take(length) }
  }
}

async function expectFrame(file: string, next: () => Promise<Frame | undefined>, kind: Frame['kind']) {
  const frame = await next()
  if (frame?.kind !== kind) throw damaged(file)
  return frame.body
}

function parse<T>(file: string, schema: z.ZodType<T>, body: Buffer): T {
  try {
    return schema.parse(JSON.parse(body.toString()))
  } catch (error) {
    throw damaged(file, error)
  }
}
