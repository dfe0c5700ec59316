// The SDK's server as documented, after the same key query: [connection]
import { createServer } from 'node:http'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { findActorByKey } from '../server/accounts/api-keys/find-actor.ts'
import { createPool } from '../server/platform/db.ts'
import { answer, description, input, names, output } from './mcp-tools.ts'
import { listening } from './serve.ts'

const pool = createPool(JSON.parse(process.argv[2]!))
const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'sdk', version: '1' })
  for (const name of names) {
    server.registerTool(
      name,
      { title: 'Query things', description, inputSchema: input, outputSchema: output },
      async () => ({
        content: [{ type: 'text', text: JSON.stringify(answer) }],
        structuredContent: answer,
      }),
    )
  }
  return server
})
const server = createServer(async (request, response) => {
  await findActorByKey(pool, String(request.headers['x-api-key']))
  let body = ''
  for await (const chunk of request) body += chunk
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)])
  const result = await handler.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body }))
  const text = Buffer.from(await result.arrayBuffer())
  response
    .writeHead(result.status, {
      'content-type': String(result.headers.get('content-type')),
      'content-length': text.length,
    })
    .end(text)
})
server.listen(0, '127.0.0.1', () => listening((server.address() as { port: number }).port))
