// A response as it goes out. What a tool answers is in it twice, as text and as structure: some clients read only the
// one, some only the other.
import { version } from '../../version.ts'
import { Answer } from './offer.ts'
import type { Id } from './rpc.ts'

export const serverInfo = { name: 'kith', title: 'Kith', version }
export const meta = { 'io.modelcontextprotocol/serverInfo': serverInfo }
export const metaText = JSON.stringify(meta)

const opening = (id: Id | undefined) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`
const beforeText = '{"resultType":"complete","content":[{"type":"text","text":'
const beforeStructure = '}],"structuredContent":'
const ending = ({ isError }: Answer) => `${isError ? ',"isError":true' : ''},"_meta":${metaText}}}`

export function textOf(id: Id | undefined, result: string | Answer) {
  if (!(result instanceof Answer)) return `${opening(id)}${result}}`
  const { text } = result
  return `${opening(id)}${beforeText}${JSON.stringify(text)}${beforeStructure}${text}${ending(result)}`
}

let scratch = Buffer.allocUnsafe(256 * 1024)
const [quote, backslash] = [34, 92]

/**
 * The same as bytes. To escape the text while it is copied costs less than half of making it a string first: the text
 * is JSON itself, so that only quotes and backslashes are left to escape.
 */
export function bytesOf(id: Id | undefined, answer: Answer) {
  const body = Buffer.from(answer.text)
  const [before, end] = [`${opening(id)}${beforeText}"`, ending(answer)]
  const most = before.length * 3 + body.length * 3 + beforeStructure.length + end.length + 2
  if (most > scratch.length) scratch = Buffer.allocUnsafe(most * 2)
  const out = scratch
  let at = out.write(before)
  for (let i = 0; i < body.length; i++) {
    const byte = body[i]!
    if (byte === quote || byte === backslash) out[at++] = backslash
    out[at++] = byte
  }
  at += out.write(`"${beforeStructure}`, at)
  at += body.copy(out, at)
  at += out.write(end, at)
  return Buffer.from(out.subarray(0, at))
}
