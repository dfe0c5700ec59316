// Opens a backup file for reading at any position, decrypted if necessary.
import { open } from 'node:fs/promises'
import { StartError } from '../platform/config.ts'
import { decrypting, encryptedLine, type Source } from './encryption.ts'

export async function openSource(file: string, passphrase?: string): Promise<Source> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new StartError(`${file} was not found. Check the path of the backup.`) : error
  })
  try {
    const { size } = await handle.stat()
    const read = async (position: number, length: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
      return buffer.subarray(0, bytesRead)
    }
    const plain = { size, read, close: () => handle.close() }
    const isEncrypted = (await read(0, encryptedLine.length)).equals(encryptedLine)
    return isEncrypted ? await decrypting(file, plain, passphrase) : plain
  } catch (error) {
    await handle.close()
    throw error
  }
}

export async function* piecesOf({ size, read }: Source, start: number, end = size, most = 64 * 1024) {
  for (let at = start; at < end; at += most) yield await read(at, Math.min(most, end - at))
}
