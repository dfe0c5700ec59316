import { keyHeader, mcpHeaders, mcpPath } from './mcp.ts'
import { statusCodes } from './status-codes.ts'

/** How our own test calls itself, so that nobody takes it for a client that has to be moved. */
export const testName = 'Kith connection test'
const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/list',
  params: { _meta: { 'io.modelcontextprotocol/clientInfo': { name: testName } } },
})

export type Outcome = { tools: string[] } | { fault: string; todo: string }

type Answer = { result?: { tools?: { name: string }[] }; error?: { message: string } }

/** Asks exactly as a client would: with the key alone, without the session of this browser. */
export async function listTools(key: string): Promise<Outcome> {
  const headers = { ...mcpHeaders, [keyHeader]: key }
  const init: RequestInit = { method: 'POST', headers, body, credentials: 'omit', cache: 'no-store' }
  const response = await fetch(mcpPath, init).catch(() => null)
  if (!response) return { fault: 'The server cannot be reached', todo: 'Check the connection, then test again.' }
  const answer = await read(response)
  if (answer?.result?.tools) return { tools: answer.result.tools.map(({ name }) => name) }
  const known = statusCodes.find(({ status }) => status === response.status && status >= 400)
  return {
    fault: `${response.status}: ${answer?.error?.message ?? known?.meaning ?? 'The answer could not be read'}`,
    todo: known?.todo ?? 'Test again in a moment. If it stays, show this to whoever runs Kith.',
  }
}

/** JSON, or the same JSON as the last event of a stream. */
async function read(response: Response): Promise<Answer | null> {
  const text = await response.text().catch(() => '')
  const isStream = response.headers.get('content-type')?.includes('text/event-stream')
  const data = isStream
    ? text
        .split('\n')
        .findLast((line) => line.startsWith('data:'))
        ?.slice(5)
    : text
  try {
    return JSON.parse(data ?? '') as Answer
  } catch {
    return null
  }
}
