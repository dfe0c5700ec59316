// Detects the type of a file from its content. Markup counts as plain text, so that it is never served as a page.

const signatures: [type: string, bytes: string][] = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '47494638'],
  ['application/pdf', '255044462d'],
  ['application/gzip', '1f8b08'],
]
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** `head`: the first bytes. The name only distinguishes CSV from other text. */
export function typeOf(head: Buffer, name = '') {
  const found = signatures.find(([, bytes]) => head.subarray(0, bytes.length / 2).equals(Buffer.from(bytes, 'hex')))
  if (found) return found[0]
  if (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP') return 'image/webp'
  if (head.toString('latin1', 0, 4) === 'PK\x03\x04') return head.includes('xl/') ? xlsx : 'application/zip'
  if (!isText(head)) return 'application/octet-stream'
  return /\.csv$/i.test(name) ? 'text/csv' : 'text/plain'
}

function isText(head: Buffer) {
  const mark = head.toString('latin1', 0, 2)
  if (mark === '\xff\xfe' || mark === '\xfe\xff') return true // UTF-16
  if (head.includes(0)) return false
  // Texts may contain control characters, which older encodings than UTF-8 cannot be told from binary data by.
  return isUtf8(head) || !head.some((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13)
}

/** The last character may be cut off. */
function isUtf8(head: Buffer) {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}
