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

let scratch = Buffer.allocUnsafeSlow(256 * 1024)
const [quote, backslash] = [34, 92]

/**
 * The same as bytes. To escape the text while it is copied costs less than half of making it a string first: the text
 * is JSON itself, so that only quotes and backslashes are left to escape. All is put together in a place that is there
 * already; what goes out is one copy, no larger than it must be.
 */
export function bytesOf(id: Id | undefined, answer: Answer) {
  const [before, between, end] = [`${opening(id)}${beforeText}"`, `"${beforeStructure}`, ending(answer)]
  const longest = answer.text.length * 3
  const most = longest * 3 + (before.length + between.length + end.length) * 3
  if (most > scratch.length) scratch = Buffer.allocUnsafeSlow(most)
  const out = scratch
  const from = out.length - longest
  const to = from + out.write(answer.text, from)
  let at = out.write(before)
  for (let i = from; i < to; i++) {
    const byte = out[i]!
    if (byte === quote || byte === backslash) out[at++] = backslash
    out[at++] = byte
  }
  at += out.write(between, at)
  at += out.copy(out, at, from, to)
  at += out.write(end, at)
  const bytes = Buffer.allocUnsafeSlow(at)
  out.copy(bytes, 0, 0, at)
  return bytes
}
