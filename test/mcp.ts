// Speaks to the MCP endpoint as it goes over the wire, in either era.
import type { TestApp } from './app.ts'
import { onTheWire } from './wire.ts'

export const both = 'application/json, text/event-stream'
type Rpc = {
  jsonrpc: string
  id: unknown
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: Record<string, unknown> }
}
export type RpcAnswer = { status: number; headers: Headers; text: string; rpc: Rpc }

export async function mcpFor(kith: TestApp) {
  const { send, origin } = await onTheWire(kith)

  /** One POST, with the body exactly as given if it is text. */
  async function post(
    key: string,
    body: unknown,
    headers: Record<string, string | undefined> = {},
  ): Promise<RpcAnswer> {
    const all = { 'x-api-key': key, 'content-type': 'application/json', accept: both, ...headers }
    const sent = Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    )
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await send('/api/v1/mcp', { method: 'POST', headers: sent, body: text })
    const content = await answer.text()
    const data = /^data: (.*)$/m.exec(content)?.[1] ?? content
    return { status: answer.status, headers: answer.headers, text: content, rpc: safely(data) }
  }

  const legacy = (key: string, method: string, params?: object, headers = {}) =>
    post(key, { jsonrpc: '2.0', id: 1, method, ...(params && { params }) }, headers)

  function modern(
    key: string,
    method: string,
    params: Record<string, unknown> = {},
    headers: Record<string, string | undefined> = {},
  ) {
    const name = method === 'resources/read' ? params.uri : params.name
    const named = typeof name === 'string' && ['tools/call', 'prompts/get', 'resources/read'].includes(method)
    return post(
      key,
      { jsonrpc: '2.0', id: 1, method, params: { _meta: modernMeta, ...params } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(named && { 'mcp-name': name }), ...headers },
    )
  }
  return { post, legacy, modern, send, origin }
}

export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '9.9' },
}

function safely(text: string): Rpc {
  try {
    return JSON.parse(text)
  } catch {
    return { jsonrpc: '', id: undefined }
  }
}
