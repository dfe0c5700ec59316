// Statement 60: memory stays flat under steady load. SOAK_MINUTES (30 unless told) of GET /api/v1/me.
import { join } from 'node:path'
import { load } from './load.ts'
import { benchDatabase, serve } from './serve.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 30)
const { connection, key, stop } = await benchDatabase()
const server = await serve(join(import.meta.dirname, 'serve-kith.ts'), JSON.stringify(connection))
const request = { port: server.port, path: '/api/v1/me', headers: { 'x-api-key': key } }
const points: { minute: number; megabytes: number }[] = []
let requests = 0
const began = Date.now()
while (Date.now() - began < minutes * 60_000) {
  requests += (await load(request, { connections: 4, seconds: 10 })).requests
  points.push({ minute: (Date.now() - began) / 60_000, megabytes: (await server.rss()) / 1024 / 1024 })
}
const half = points.slice(Math.floor(points.length / 2))
console.log(
  `${requests} requests in ${minutes} minutes; memory ${half[0]!.megabytes.toFixed(0)} MB at half time, ${half.at(-1)!.megabytes.toFixed(0)} MB at the end`,
)
console.log(`slope over the second half: ${slope(half).toFixed(2)} MB a minute`)
server.stop()
await stop()

/** Least squares. */
function slope(list: typeof points) {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const x = mean(list.map((point) => point.minute))
  const y = mean(list.map((point) => point.megabytes))
  const above = list.reduce((sum, point) => sum + (point.minute - x) * (point.megabytes - y), 0)
  return above / list.reduce((sum, point) => sum + (point.minute - x) ** 2, 0)
}
