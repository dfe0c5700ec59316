// tools/list of 25 tools and a trivial tools/call, with the key checked in PostgreSQL each time. Compared with bare
// node:http that runs the same key query and returns the same bytes, and with the SDK's server as documented.
import { join } from 'node:path'
import { compare } from './harness.ts'
import { names } from './mcp-tools.ts'
import { benchDatabase, serve } from './serve.ts'

const { connection, key, stop } = await benchDatabase()
const at = (file: string) => join(import.meta.dirname, file)
const version = '2026-07-28'
const meta = { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} }
const call = { name: names[7]!, arguments: { object: 'people', filter: 'status = active', limit: 20 } }
const requests = {
  'tools/list': { params: { _meta: meta }, headers: {} },
  'tools/call': { params: { ...call, _meta: meta }, headers: { 'mcp-name': call.name } },
}
const requestFor = (method: keyof typeof requests, port: number) => ({
  port,
  method: 'POST',
  path: '/api/v1/mcp',
  headers: {
    'x-api-key': key,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...requests[method].headers,
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: requests[method].params }),
})

const json = JSON.stringify(connection)
const ours = await serve(at('serve-kith.ts'), json, 'mcp')
const answers = []
for (const method of ['tools/list', 'tools/call'] as const) {
  const { port, path, ...init } = requestFor(method, ours.port)
  answers.push(await (await fetch(`http://localhost:${port}${path}`, init)).text())
}
const ceiling = await serve(at('serve-mcp-ceiling.ts'), json, ...answers)
const sdk = await serve(at('serve-mcp-sdk.ts'), json)
console.log(`tools/list is ${(answers[0]!.length / 1024).toFixed(1)} kB`)
for (const method of ['tools/list', 'tools/call'] as const) {
  await compare(
    `${method} beside bare node:http`,
    { ours: requestFor(method, ours.port), ceiling: requestFor(method, ceiling.port) },
    { bar: 0.6 },
  )
  const bar = method === 'tools/list' ? 5 : undefined
  await compare(
    `${method} beside the SDK`,
    { ours: requestFor(method, ours.port), ceiling: requestFor(method, sdk.port) },
    { ...(bar && { bar }) },
  )
}
for (const [name, server] of Object.entries({ ours, ceiling, sdk })) {
  console.log(`  memory   ${name} ${((await server.rss()) / 1024 / 1024).toFixed(0)} MB`)
  server.stop()
}
await stop()
