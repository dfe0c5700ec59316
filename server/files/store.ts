// Stores the bytes of files. The key of a file is `company_id/id`, and its bytes never change.
import { createHash, randomUUID } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { dirname, join } from 'node:path'

export type Stored = {
  size: number
  sha256: Buffer
  /** The first bytes, to detect the type. */
  head: Buffer
}
export type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export type FileStore = {
  /** Resolves once the bytes are synced to disk. If it rejects, nothing was stored. */
  put(key: string, content: Content): Promise<Stored>
  /** Rejects if the file does not exist. */
  read(key: string): Promise<AsyncIterable<Uint8Array>>
  /** Null if the file does not exist. */
  sizeOf(key: string): Promise<number | null>
  remove(key: string): Promise<void>
  /** Keys of files older than this, grouped by company. */
  keys(olderThanMs: number): AsyncIterable<string>
  /** Removes what interrupted calls of `put` left behind. */
  tidy(olderThanMs: number): Promise<void>
}

export const keyOf = ({ company_id, id }: { company_id: string; id: string }) => `${company_id}/${id}`

const headBytes = 8192
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Two IDs, so that no caller can choose a path. */
export const isKey = (key: string) => key.split('/').length === 2 && key.split('/').every((part) => uuid.test(part))

/** Passes content on and measures it. */
export function measuring(content: Content) {
  const hash = createHash('sha256')
  let size = 0
  let head = Buffer.alloc(0)
  async function* pass() {
    for await (const piece of content) {
      hash.update(piece)
      size += piece.length
      if (head.length < headBytes) head = Buffer.concat([head, piece.subarray(0, headBytes - head.length)])
      yield piece
    }
  }
  return { content: pass(), result: (): Stored => ({ size, sha256: hash.digest(), head }) }
}

export function diskStore(folder: string): FileStore {
  const incoming = join(folder, 'incoming')

  function pathOf(key: string) {
    if (!isKey(key)) throw new Error('The key of a file must be two IDs')
    return join(folder, ...key.split('/'))
  }

  return {
    async put(key, content) {
      const path = pathOf(key)
      const partial = join(incoming, randomUUID())
      await fs.mkdir(incoming, { recursive: true, mode: 0o700 })
      try {
        const stored = await write(partial, content)
        const isNew = await fs.mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await fs.rename(partial, path)
        await reachDisk(dirname(path))
        if (isNew) await reachDisk(folder)
        return stored
      } catch (error) {
        await fs.rm(partial, { force: true })
        throw error
      }
    },

    async read(key) {
      const handle = await fs.open(pathOf(key))
      return handle.createReadStream()
    },

    async sizeOf(key) {
      const found = await fs.stat(pathOf(key)).catch(unlessMissing)
      return found ? found.size : null
    },

    remove: (key) => fs.rm(pathOf(key), { force: true }),

    async *keys(olderThanMs) {
      const companies = (await namesIn(folder)).filter((name) => uuid.test(name))
      for (const company_id of companies)
        for (const id of await namesIn(join(folder, company_id)))
          if (uuid.test(id) && (await isOlder(join(folder, company_id, id), olderThanMs))) yield `${company_id}/${id}`
    },

    async tidy(olderThanMs) {
      for (const name of await namesIn(incoming)) {
        const path = join(incoming, name)
        if (await isOlder(path, olderThanMs)) await fs.rm(path, { force: true })
      }
    },
  }
}

async function write(path: string, content: Content): Promise<Stored> {
  const measured = measuring(content)
  const handle = await fs.open(path, 'wx', 0o600)
  try {
    for await (const piece of measured.content) await handle.writeFile(piece)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return measured.result()
}

async function reachDisk(folder: string) {
  const handle = await fs.open(folder)
  await handle.sync()
  await handle.close()
}

export const unlessMissing = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error
}

const namesIn = async (folder: string) => (await fs.readdir(folder).catch(unlessMissing)) ?? []

async function isOlder(path: string, ms: number) {
  const found = await fs.stat(path).catch(unlessMissing)
  return found !== undefined && Date.now() - found.mtimeMs > ms
}
