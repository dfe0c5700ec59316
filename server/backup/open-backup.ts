// Reads the file of a backup piece by piece, and refuses what is none, not whole or damaged.
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import type * as z from 'zod'
import { StartError } from '../kernel/config.ts'
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

const largestFrame = 64 * 1024 * 1024

export type OpenBackup = Awaited<ReturnType<typeof openBackup>>

/** Refuses at once what is no whole backup; a damage further inside is noticed while reading. */
export async function openBackup(file: string, progress: (share: number) => void = () => {}) {
  const { size, digest } = await look(file)
  const packed = createReadStream(file, { start: firstLine.length, end: size - lastLineBytes - 1 })
  const unpacked = createZstdDecompress({ chunkSize })
  const hash = beginHash()
  packed.on('data', (piece) => hash.update(piece))
  pipeline(packed, unpacked, () => {}) // Whoever reads from `unpacked` is told of any failure.
  const next = frameReader(file, unpacked)
  const header = parse(file, Header, await expectFrame(file, next, 'header'))
  let ahead = await next()

  return {
    file,
    header,
    /** Each table in turn; its rows must be read before the next is asked for. */
    async *tables() {
      while (ahead?.kind === 'table') yield { name: String(ahead.body), rows: rows() }
    },
    /** After the last table; reads to the end, and checks that no byte of the file has changed. */
    async trailer() {
      if (ahead?.kind !== 'trailer') throw damaged(file)
      const trailer = parse(file, Trailer, ahead.body)
      if ((await next()) || hash.digest('hex') !== digest) throw damaged(file)
      return trailer
    },
    close: () => void unpacked.destroy(),
  }

  async function* rows() {
    for (ahead = await next(); ahead?.kind === 'rows'; ahead = await next()) {
      progress(packed.bytesRead / size)
      yield ahead.body
    }
  }
}

async function look(file: string) {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new StartError(`There is no file ${file}. Check the path of the backup.`) : error
  })
  try {
    const { size } = await handle.stat()
    const begin = await readAt(handle, 0, firstLine.length + 8)
    const written = /^KITH BACKUP (\d+)\n/.exec(begin)?.[1]
    if (!written) throw new StartError(`${file} is not a backup of Kith. Name a file that npm run backup has written.`)
    if (Number(written) !== format)
      throw new StartError(`${file} was written by a newer Kith. Update this installation, then restore again.`)
    const digest = lastLine.exec(await readAt(handle, size - lastLineBytes, lastLineBytes))?.[1]
    if (!digest)
      throw new StartError(`${file} is not whole: its end is missing. Use another backup, or copy this one again.`)
    return { size, digest }
  } finally {
    await handle.close()
  }
}

async function readAt(handle: FileHandle, position: number, length: number) {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, Math.max(0, position))
  return buffer.toString('latin1', 0, bytesRead)
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
  const found = await next()
  if (found?.kind !== kind) throw damaged(file)
  return found.body
}

function parse<T>(file: string, schema: z.ZodType<T>, body: Buffer): T {
  try {
    return schema.parse(JSON.parse(body.toString()))
  } catch (error) {
    throw damaged(file, error)
  }
}

export const damaged = (file: string, cause?: unknown) =>
  new StartError(`${file} is damaged, and nothing was changed. Use another backup, or copy this one again.`, { cause })
