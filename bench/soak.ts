// Memory must stay flat under a steady load of reads, writes and event streams. SOAK_MINUTES, default 30.
import { join } from 'node:path'
import { load } from './load.ts'
import { benchDatabase, serve } from './serve.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 30)
const sliceSeconds = 10
const { connection, key, stop } = await benchDatabase()
const server = await serve(join(import.meta.dirname, 'serve-kith.ts'), JSON.stringify(connection), 'stream')
const { port } = server
const headers = { 'x-api-key': key, 'content-type': 'application/json' }
const read = { port, path: '/api/v1/me', headers }
const write = { port, method: 'PATCH', path: '/api/v1/me', headers, body: '{"name":"Ada"}' }
const call = {
  method: 'POST',
  headers: { ...headers, accept: 'application/json, text/event-stream' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'stream_things', arguments: { object: 'people' }, _meta: { progressToken: 1 } },
  }),
}

const points: { minute: number; megabytes: number }[] = []
const count = { reads: 0, writes: 0, streams: 0 }
const began = Date.now()
while (Date.now() - began < minutes * 60_000) {
  const [reads, writes] = await Promise.all([
    load(read, { connections: 3, seconds: sliceSeconds }),
    load(write, { connections: 1, seconds: sliceSeconds }),
    streamFor(sliceSeconds),
  ])
  count.reads += reads.requests
  count.writes += writes.requests
  const point = { minute: (Date.now() - began) / 60_000, megabytes: (await server.rss()) / 1024 / 1024 }
  points.push(point)
  if (points.length % 12 === 0) console.log(`${point.minute.toFixed(0)} min  ${point.megabytes.toFixed(0)} MB`)
}
const half = points.slice(Math.floor(points.length / 2))
console.log(
  `${count.reads} reads, ${count.writes} writes, ${count.streams} event streams in ${minutes} minutes; memory ${half[0]!.megabytes.toFixed(0)} MB at half time, ${half.at(-1)!.megabytes.toFixed(0)} MB at the end`,
)
console.log(`slope over the second half: ${slope(half).toFixed(2)} MB per minute`)
server.stop()
await stop()

async function streamFor(seconds: number) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; count.streams++) {
    const answer = await fetch(`http://localhost:${port}/api/v1/mcp`, call)
    const text = await answer.text()
    if (!text.includes('notifications/progress')) throw new Error(`not an event stream: ${text.slice(0, 300)}`)
  }
}

/** Least squares. */
function slope(list: typeof points) {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const x = mean(list.map((point) => point.minute))
  const y = mean(list.map((point) => point.megabytes))
  const above = list.reduce((sum, point) => sum + (point.minute - x) * (point.megabytes - y), 0)
  return above / list.reduce((sum, point) => sum + (point.minute - x) ** 2, 0)
}
