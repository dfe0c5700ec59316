// Writes a response. The answer of a tool is in it twice, as text and as structured content, because some clients read
// only one of them.
import { version } from '../../platform/version.ts'
import { Answer } from './catalog.ts'
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
