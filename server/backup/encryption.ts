// Encrypts a backup with a passphrase: the whole file in chunks, each with AES-256-GCM. A chunk's nonce is its number
// and whether it is the last, so a chunk that is changed, moved, missing or cut off is detected.
import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { StartError } from '../platform/config.ts'
import { damaged, notWhole } from './damage.ts'

/** A file, or its decrypted content, that can be read at any position. */
export type Source = {
  size: number
  /** Returns fewer bytes only at the end. */
  read(position: number, length: number): Promise<Buffer>
  close(): Promise<void>
}

export const encryptedLine = Buffer.from('KITH BACKUP ENCRYPTED 1\n')
const chunkBytes = 64 * 1024
const tagBytes = 16
const saltBytes = 16
// The last part is a tag over no data: it distinguishes a wrong passphrase from a damaged file.
const headerBytes = encryptedLine.length + saltBytes + tagBytes
const algorithm = 'aes-256-gcm'
// Every guess takes about half a second and 128 MB.
const cost: ScryptOptions = { N: 2 ** 17, r: 8, p: 1, maxmem: 160 * 1024 * 1024 }

/** Each file has its own salt and therefore its own key, so the chunk number is a unique nonce. */
export const encrypting = (passphrase: string) =>
  async function* (plain: AsyncIterable<Buffer>) {
    const begin = Buffer.concat([encryptedLine, randomBytes(saltBytes)])
    const key = await keyOf(passphrase, begin)
    yield Buffer.concat([begin, seal(key, begin, checkNonce, Buffer.alloc(0))])
    let held = Buffer.alloc(0)
    let number = 0
    for await (const piece of plain) {
      held = Buffer.concat([held, piece])
      for (; held.length > chunkBytes; held = held.subarray(chunkBytes))
        yield seal(key, begin, nonceOf(number++, false), held.subarray(0, chunkBytes))
    }
    yield seal(key, begin, nonceOf(number, true), held)
  }

/** The decrypted content as a source that can be read at any position. */
export async function decrypting(file: string, source: Source, passphrase: string | undefined): Promise<Source> {
  if (!passphrase)
    throw new StartError(`${file} is encrypted. Set BACKUP_PASSPHRASE to the passphrase it was created with.`)
  if (source.size < headerBytes + tagBytes) throw notWhole(file)
  const header = await source.read(0, headerBytes)
  const begin = header.subarray(0, -tagBytes)
  const key = await keyOf(passphrase, begin)
  if (!open(key, begin, checkNonce, header.subarray(-tagBytes)))
    throw new StartError(
      `${file} could not be decrypted with BACKUP_PASSPHRASE. Nothing was changed. Check the passphrase. If it is correct, the file is damaged.`,
    )
  const body = source.size - headerBytes
  const last = Math.ceil(body / (chunkBytes + tagBytes)) - 1
  let newest = { number: -1, plain: Buffer.alloc(0) }

  async function chunk(number: number) {
    if (newest.number === number) return newest.plain
    const sealed = await source.read(headerBytes + number * (chunkBytes + tagBytes), chunkBytes + tagBytes)
    const plain = open(key, begin, nonceOf(number, number === last), sealed)
    if (!plain) throw number === last ? notWhole(file) : damaged(file)
    newest = { number, plain }
    return plain
  }

  async function read(position: number, length: number) {
    const parts: Buffer[] = []
    for (let [at, end] = [position, Math.min(position + length, size)]; at < end; ) {
      const inside = at % chunkBytes
      const part = (await chunk(Math.floor(at / chunkBytes))).subarray(inside, inside + end - at)
      parts.push(part)
      at += part.length
    }
    return Buffer.concat(parts)
  }

  const size = body - (last + 1) * tagBytes
  await chunk(last) // Refuses a truncated file immediately.
  return { size, read, close: source.close }
}

const keyOf = (passphrase: string, begin: Buffer) =>
  new Promise<Buffer>((resolve, reject) =>
    scrypt(passphrase.normalize('NFKC'), begin.subarray(-saltBytes), 32, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )

function nonceOf(number: number, isLast: boolean) {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}
const checkNonce = Buffer.alloc(12, 0xff)

function seal(key: Buffer, begin: Buffer, nonce: Buffer, plain: Buffer) {
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(begin)
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function open(key: Buffer, begin: Buffer, nonce: Buffer, sealed: Buffer) {
  if (sealed.length < tagBytes) return null
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(begin)
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()])
  } catch {
    // Another key or changed bytes: the caller says so.
    return null
  }
}
