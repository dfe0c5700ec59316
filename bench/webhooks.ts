// Deliveries per second to 16 webhooks beside a bare undici loop that sends the same requests to the same receiver; and how
// long an event takes from the commit to its arrival.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from './harness.ts'
import { benchDatabase, serve } from './serve.ts'

const endpoints = 16
const records = 300
const rounds = Number(process.env.ROUNDS ?? 7)
/** The rate includes creating the records, queuing their events and logging each delivery in PostgreSQL, on the same cores. */
const bars = { ratio: 0.15, p50: 200 }

let arrived = 0
let lastAt = 0
let onArrival = () => {}
let sample = ''
const receiver = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (text) => (body += text))
  request.on('end', () => {
    sample ||= body
    arrived++
    lastAt = performance.now()
    response.end()
    onArrival()
  })
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`

const { connection, key, stop } = await benchDatabase()
const server = await serve(join(import.meta.dirname, 'serve-kith.ts'), JSON.stringify(connection), 'worker')
const headers = { 'x-api-key': key, 'content-type': 'application/json' }
async function call(method: string, path: string, body?: unknown) {
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const answer = await fetch(`http://localhost:${server.port}/api/v1${path}`, init)
  if (!answer.ok) throw new Error(await answer.text())
  return answer.json()
}
let number = 0
const person = () => ({
  first_name: 'Ada',
  last_name: `Number ${number++}`,
  emails: [`ada${number}@example.com`],
  score: 12,
})

try {
  await measureLatency(1)
  await measureThroughput()
} finally {
  server.stop()
  receiver.close()
  receiver.closeAllConnections()
  await stop()
}

async function measureLatency(webhooks: number) {
  for (let i = 0; i < webhooks; i++) await call('POST', '/webhooks', { target_url: `${url}/${i}`, object: 'people' })
  const took: number[] = []
  for (let i = 0; i < 110; i++) {
    const before = arrived
    const arrival = new Promise<void>((resolve) => {
      onArrival = () => arrived >= before + webhooks && resolve()
    })
    await call('POST', '/records/people', { records: [person()] })
    const committed = performance.now()
    await arrival
    if (i >= 10) took.push(Math.max(0, lastAt - committed))
    await sleep(20)
  }
  const sorted = took.toSorted((a, b) => a - b)
  const [p50, p99] = [sorted[50]!, sorted[99]!]
  console.log(`\ncommit to arrival, ${webhooks} webhook, one event at a time`)
  console.log(`  p50 ${p50.toFixed(1)} ms   p99 ${p99.toFixed(1)} ms`)
  console.log(`  ${p50 < bars.p50 ? 'met   ' : 'MISSED'}  p50 under ${bars.p50} ms`)
}

async function measureThroughput() {
  for (let i = 1; i < endpoints; i++) await call('POST', '/webhooks', { target_url: `${url}/${i}`, object: 'people' })
  const count = endpoints * records
  const loop = await serve(join(import.meta.dirname, 'serve-undici-loop.ts'), url, String(endpoints), sample)
  const [ours, bare]: [number[], number[]] = [[], []]
  try {
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      const rates = [await rateOf(count, () => bareLoop(loop.port, records)), await rateOf(count, createRecords)]
      if (!round) continue
      bare.push(rates[0]!)
      ours.push(rates[1]!)
    }
  } finally {
    loop.stop()
  }
  const ratio = median(ours.map((rate, i) => rate / bare[i]!))
  console.log(
    `\n${records} new records for ${endpoints} webhooks, from the call until everything has arrived (median of ${rounds} rounds)`,
  )
  console.log(`  ours        ${median(ours).toFixed(0).padStart(6)} deliveries/s`)
  console.log(`  bare undici ${median(bare).toFixed(0).padStart(6)} requests/s`)
  console.log(`  ${ratio >= bars.ratio ? 'met   ' : 'MISSED'}  ratio ${ratio.toFixed(2)}, bar ${bars.ratio}`)
}

async function createRecords() {
  for (let from = 0; from < records; from += 100)
    await call('POST', '/records/people', { records: Array.from({ length: 100 }, person) })
}

async function bareLoop(port: number, each: number) {
  await (await fetch(`http://127.0.0.1:${port}/?each=${each}`)).text()
}

/** Arrivals per second. */
async function rateOf(count: number, act: () => Promise<void>) {
  const before = arrived
  const all = new Promise<void>((resolve) => {
    onArrival = () => arrived >= before + count && resolve()
  })
  const began = performance.now()
  await Promise.all([act(), all])
  const rate = count / ((lastAt - began) / 1000)
  await sleep(500)
  return rate
}
