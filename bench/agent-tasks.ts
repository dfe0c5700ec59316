// Twenty tasks on demo data in as few calls as the tools allow, with the SDK's client. The calls are fixed: this measures
// bytes and whether the results, which are checked in the database, are right, not how well an agent guesses.
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { fillCompany } from '../server/demo/fill.ts'
import { createDb, createPool } from '../server/platform/db.ts'
import { type Agent, type Json, tasks } from './agent-tasks-list.ts'
import { benchDatabase, serve } from './serve.ts'

/** The same tasks before responses were shortened and names were looked up. */
const before = { calls: 62, errors: 9, received: 205_000, right: 15 }

const { connection, key, stop } = await benchDatabase()
const pool = createPool(connection)
const { rows: companies } = await pool.query('select id from companies')
await fillCompany(createDb(pool), { company_id: companies[0].id, now: new Date(), seed: 'agent tasks' })
const server = await serve(join(import.meta.dirname, 'serve-kith.ts'), JSON.stringify(connection))

const seen = { calls: 0, errors: 0, sent: 0, received: 0 }
const client = new Client({ name: 'agent-tasks', version: '1' }, { versionNegotiation: { mode: 'auto' } })
await client.connect(
  new StreamableHTTPClientTransport(new URL(`http://localhost:${server.port}/api/v1/mcp`), {
    requestInit: { headers: { 'x-api-key': key } },
    fetch: async (url, init) => {
      const answer = await fetch(url, init)
      const body = await answer.text()
      seen.sent += String(init?.body ?? '').length
      seen.received += body.length
      return new Response(body || null, { status: answer.status, headers: answer.headers })
    },
  }),
)

async function call(name: string, args: object = {}) {
  seen.calls++
  const { isError, structuredContent } = await client.callTool({ name, arguments: args as Record<string, unknown> })
  if (isError) seen.errors++
  return structuredContent as Json
}

const since = (then: typeof seen) =>
  Object.fromEntries(
    Object.entries(seen).map(([what, now]) => [what, now - then[what as keyof typeof seen]]),
  ) as typeof seen

const columns = (cells: unknown[]) =>
  cells.map((cell, i) => (i === 0 ? String(cell).padEnd(50) : String(cell).padStart(10))).join('')
const bytes = (count: number) => count.toLocaleString('en')

const start = { ...seen }
await client.listTools()
const begun: Agent = {
  call,
  sql: async (text, ...values) => (await pool.query(text, values)).rows,
  me: await call('whoami'),
  schema: await call('describe_schema'),
}
const opening = since(start)
console.log(`Before the first task (tools/list, whoami, describe_schema): ${bytes(opening.received)} bytes\n`)
console.log(columns(['task', 'calls', 'errors', 'sent', 'received', 'end state']))
const sums = { calls: 0, errors: 0, sent: 0, received: 0, right: 0, byHand: 0 }
for (const [i, { name, byHand, run }] of tasks.entries()) {
  const then = { ...seen }
  const isRight = await run(begun).catch((error) => {
    console.error(error)
    return false
  })
  const { calls, errors, sent, received } = since(then)
  const state = isRight ? (byHand ? 'by hand' : 'right') : 'WRONG'
  console.log(columns([`${i + 1} ${name}`, calls, errors, bytes(sent), bytes(received), state]))
  sums.calls += calls
  sums.errors += errors
  sums.sent += sent
  sums.received += received
  if (isRight) sums[byHand ? 'byHand' : 'right']++
}
console.log(columns(['sum', sums.calls, sums.errors, bytes(sums.sent), bytes(sums.received), `${sums.right} right`]))
console.log(columns(['before', before.calls, before.errors, '', bytes(before.received), `${before.right} right`]))
console.log(`\n${sums.byHand} took several calls that a dedicated tool could replace.`)

await client.close()
server.stop()
await pool.end()
await stop()
process.exitCode = sums.right + sums.byHand === tasks.length ? 0 : 1
