// Records of 100,000 and 1,000,000 people over REST and MCP, beside bare node:http and pg with SQL written by hand on a
// typed table. The key is checked in PostgreSQL each time. RECORDS=100000 for one size.
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { compare } from './harness.ts'
import type { Request } from './load.ts'
import { createsOf, type Read, readsOf } from './records-calls.ts'
import { checkPeople, seedPeople } from './records-people.ts'
import { benchDatabase, serve } from './serve.ts'

const sizes = process.env.RECORDS ? [Number(process.env.RECORDS)] : [100_000, 1_000_000]
const here = (file: string) => join(import.meta.dirname, file)
const bars: { what: string; seen: string; bar: string; isMet: boolean }[] = []
const note = (what: string, seen: string, bar: string, isMet: boolean) => bars.push({ what, seen, bar, isMet })

type Place = Awaited<ReturnType<typeof prepare>>
const places: Place[] = []
try {
  for (const size of sizes) places.push(await prepare(size))
  for (const place of places) await measure(place)
  if (places.length === 2) await measureGrowth(places[0]!, places[1]!)
} finally {
  for (const { stop } of places) await stop()
}
console.log('\nBars')
for (const { what, seen, bar, isMet } of bars)
  console.log(`  ${isMet ? 'met   ' : 'MISSED'}  ${what.padEnd(58)} ${seen.padStart(9)}  (${bar})`)

/** A company with that many people, its server and the ceiling's. */
async function prepare(size: number) {
  const database = await benchDatabase()
  const { connection, key } = database
  const json = JSON.stringify(connection)
  const ours = await serve(here('serve-kith.ts'), json)
  const call = async (path: string, body: unknown) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const url = `http://localhost:${ours.port}/api/v1${path}`
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(await answer.text())
    return answer.json()
  }
  await call('/objects/people/fields', { key: 'visits', label: 'Visits', type: 'number' })
  const began = performance.now()
  await seedPeople(connection, size)
  const ids = await checkPeople(connection, async (some) => (await call('/records/people/get', { ids: some })).records)
  console.log(`${named(size)} people made in ${((performance.now() - began) / 1000).toFixed(0)} s; 200 of them checked`)
  const ceiling = await serve(here('serve-records-ceiling.ts'), json)
  const stop = async () => {
    ours.stop()
    ceiling.stop()
    await database.stop()
  }
  return { size, key, ids, ours, ceiling, stop }
}

function named(size: number) {
  return size.toLocaleString('en')
}

async function measure(place: Place) {
  const size = named(place.size)
  for (const read of readsOf(place)) {
    await demandEqual(place, read)
    const beside = await compare(`REST, ${size}: ${read.name}`, read, { bar: 0.6 })
    noteRatio(`REST, ${size}: ${read.name}`, beside.ratio, 0.6)
    const alone = await compare(`REST, ${size}: ${read.name}, one at a time`, read, { connections: 1, seconds: 1 })
    if (place.size >= 1_000_000) {
      const { p50 } = alone.ours
      note(`p50 one at a time, ${size}: ${read.name}`, `${p50.toFixed(2)} ms`, 'at most 50 ms', p50 <= 50)
    }
    const sides = { ours: read.mcp, ceiling: read.rest }
    const mcp = await compare(`MCP, ${size}: ${read.name}`, sides, { bar: 0.8, names: ['MCP', 'REST'] })
    noteRatio(`MCP of REST, ${size}: ${read.name}`, mcp.ratio, 0.8)
  }
  const create = createsOf(place)
  const beside = await compare(`REST, ${size}: create one`, create, { bar: 0.5 })
  noteRatio(`REST, ${size}: create one`, beside.ratio, 0.5)
  const sides = { ours: create.mcp, ceiling: create.ours }
  const mcp = await compare(`MCP, ${size}: create one`, sides, { bar: 0.8, names: ['MCP', 'REST'] })
  noteRatio(`MCP of REST, ${size}: create one`, mcp.ratio, 0.8)
  const [ours, ceiling] = [await place.ours.rss(), await place.ceiling.rss()].map((bytes) => bytes / 1024 / 1024)
  console.log(`  memory   ours ${ours!.toFixed(0)} MB, ceiling ${ceiling!.toFixed(0)} MB`)
  note(`memory of our process, ${size}`, `${ours!.toFixed(0)} MB`, 'under 300 MB', ours! < 300)
}

function noteRatio(what: string, ratio: number, bar: number) {
  note(what, ratio.toFixed(2), `at least ${bar}`, ratio >= bar)
}

/** The same question must get the same records, or the comparison is worth nothing. */
async function demandEqual({ ids }: Place, { name, ours, ceiling }: Read) {
  const [own, other] = [ours(), ceiling()]
  const sameId = (path: string) => path.replace(/[0-9a-f-]{36}$/, ids[0]!)
  const [one, two] = await Promise.all(
    [own, other].map((request) => fetched({ ...request, path: sameId(request.path) })),
  )
  const bytes = [one, two].map((answer) => JSON.stringify(answer).length)
  if (!isDeepStrictEqual({ ...one, next_cursor: null }, { ...two, next_cursor: null }))
    throw new Error(`${name}: not the same answer:\n${JSON.stringify(one)}\n${JSON.stringify(two)}`)
  console.log(`\n${name}: the same answer, ${bytes[0]} bytes of ours, ${bytes[1]} of the ceiling`)
}

async function fetched({ port, path, ...init }: Request) {
  const answer = await fetch(`http://localhost:${port}${path}`, init)
  return (await answer.json()) as Record<string, unknown>
}

/** Slices of both sizes in turn: what a request costs more where there is ten times as much. */
async function measureGrowth(small: Place, large: Place) {
  const names: [string, string] = [named(large.size), named(small.size)]
  for (const [i, read] of readsOf(large).entries()) {
    const before = readsOf(small)[i]!
    for (const side of ['ours', 'ceiling'] as const) {
      const title = `growth, ${side}: ${read.name}`
      const sides = { ours: read[side], ceiling: before[side] }
      const { ours, ceiling } = await compare(title, sides, { connections: 1, seconds: 1, names })
      const growth = (ours.p50 / ceiling.p50 - 1) * 100
      const seen = `${growth.toFixed(0)} %`
      if (side === 'ours')
        note(`cost from ${names[1]} to ${names[0]}: ${read.name}`, seen, 'less than 20 %', growth < 20)
      console.log(`  growth   ${seen}`)
    }
  }
}
