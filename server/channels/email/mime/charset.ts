// Repairs text that was written in another character set than it claims.
import { isUtf8 } from 'node:buffer'

export const isBroken = (text: string) => text.includes('\ufffd')

/** "GrÃ¼ÃŸe" is UTF-8 that was read as windows-1252. */
export function repaired(text: string) {
  if (!/[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u2122]/.test(text)) return text
  const bytes = asWindows1252(text)
  if (!bytes) return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Not UTF-8 that was read as another charset.
    return text
  }
}

const windows1252 = new Map(
  Array.from({ length: 128 }, (_, index) => {
    const byte = index + 128
    return [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), byte] as const
  }),
)

function asWindows1252(text: string) {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const byte = code < 128 ? code : windows1252.get(text[at]!)
    if (byte === undefined) return null
    bytes[at] = byte
  }
  return bytes
}

/** The source with lines of raw bytes that are not UTF-8 read in the character set that the message mentions. */
export function withReadableLines(source: Uint8Array) {
  const buffer = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  const decoder = decoderOf(/charset="?([\w-]{2,40})/i.exec(buffer.toString('latin1', 0, 100_000))?.[1])
  const parts: Uint8Array[] = []
  for (let at = 0; at < buffer.length; ) {
    const end = buffer.indexOf(10, at)
    const line = buffer.subarray(at, end < 0 ? buffer.length : end + 1)
    parts.push(isUtf8(line) ? line : Buffer.from(decoder.decode(line)))
    at += line.length
  }
  return Buffer.concat(parts)
}

/** The source with another name for the character set of parts that claim to be UTF-8. */
export const asWestern = (source: Uint8Array) =>
  Buffer.from(
    Buffer.from(source.buffer, source.byteOffset, source.byteLength)
      .toString('latin1')
      .replace(/charset="?utf-?8"?/gi, 'charset="windows-1252"'),
    'latin1',
  )

function decoderOf(name: string | undefined) {
  try {
    const decoder = new TextDecoder(name ?? 'windows-1252')
    return decoder.encoding === 'utf-8' ? new TextDecoder('windows-1252') : decoder
  } catch {
    // Senders name charsets that do not exist.
    return new TextDecoder('windows-1252')
  }
}
