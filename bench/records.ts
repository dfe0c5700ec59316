// Records of 100,000 and 1,000,000 people via REST and MCP, compared with bare node:http and pg with handwritten SQL on a
// typed table. The key is checked in PostgreSQL each time. RECORDS=100000 runs one size; RECORDS_FOLDER keeps the people;
// ONLY=numbers measures only counts and sums, ONLY=create only new records.
import { isDeepStrictEqual } from 'node:util'
import { compare } from './harness.ts'
import type { Request, Source } from './load.ts'
import { aggregatesOf, demandSameNumbers } from './records-aggregates.ts'
import { createsOf, type Read, readsOf } from './records-calls.ts'
import { type Place, prepare } from './records-place.ts'

const sizes = process.env.RECORDS ? [Number(process.env.RECORDS)] : [100_000, 1_000_000]
const named = (size: number) => size.toLocaleString('en')
const bars: { what: string; seen: string; bar: string; isMet: boolean }[] = []
const note = (what: string, seen: string, bar: string, isMet: boolean) => bars.push({ what, seen, bar, isMet })

const places: Place[] = []
try {
  for (const size of sizes) places.push(await prepare(size))
  for (const place of places) await measure(place)
  if (places.length === 2 && !process.env.ONLY) await measureGrowth(places[0]!, places[1]!)
} finally {
  for (const { stop } of places) await stop()
}
console.log('\nBars')
for (const { what, seen, bar, isMet } of bars)
  console.log(`  ${isMet ? 'met   ' : 'MISSED'}  ${what.padEnd(58)} ${seen.padStart(9)}  (${bar})`)

async function measure(place: Place) {
  const size = named(place.size)
  if (process.env.ONLY !== 'create') await measureNumbers(place, size)
  if (process.env.ONLY === 'numbers') return
  for (const read of process.env.ONLY === 'create' ? [] : readsOf(place)) {
    await demandEqual(place, read)
    await demand(`REST, ${size}: ${read.name}`, read, 0.6)
    const alone = await attempt(`REST, ${size}: ${read.name}, one at a time`, read, { connections: 1, seconds: 5 })
    const p50 = alone?.ours.p50 ?? Number.POSITIVE_INFINITY
    if (place.size >= 1_000_000)
      note(`p50 one at a time, ${size}: ${read.name}`, `${p50.toFixed(2)} ms`, 'at most 50 ms', p50 <= 50)
    await demand(`MCP of REST, ${size}: ${read.name}`, { ours: read.mcp, ceiling: read.rest }, 0.8, ['MCP', 'REST'])
  }
  const create = createsOf(place)
  await demand(`REST, ${size}: create one`, create, 0.5)
  const sides = { ours: create.mcp, ceiling: create.ours }
  await demand(`MCP of REST, ${size}: create one`, sides, 0.8, ['MCP', 'REST'])
  const [ours, ceiling] = [await place.ours.rss(), await place.ceiling.rss()].map((bytes) => bytes / 1024 / 1024)
  console.log(`  memory   ours ${ours!.toFixed(0)} MB, ceiling ${ceiling!.toFixed(0)} MB`)
  note(`memory of our process, ${size}`, `${ours!.toFixed(0)} MB`, 'under 300 MB', ours! < 300)
}

/** One at a time, because heavy reads of a company wait for each other. */
async function measureNumbers(place: Place, size: string) {
  for (const { name, ours, ceiling } of aggregatesOf(place)) {
    await demandSameNumbers(name, ours(), ceiling())
    // A count reads our rows, which are several times as wide as those of the typed table, because they hold all fields.
    await demand(`numbers, ${size}: ${name}`, { ours, ceiling }, name === 'count by status' ? 0.25 : 0.4, undefined, 1)
  }
}

type Sides = { ours: Source; ceiling: Source }

async function demand(what: string, sides: Sides, bar: number, names?: [string, string], connections = 16) {
  const { ratio } = (await attempt(what, sides, { bar, connections, ...(names && { names }) })) ?? { ratio: 0 }
  note(what, ratio.toFixed(2), `at least ${bar}`, ratio >= bar)
}

/** A request that times out must not prevent measuring the others. */
async function attempt(...[title, sides, options]: Parameters<typeof compare>) {
  return compare(title, sides, options).catch((error) => {
    console.log(`\n${title} failed: ${error.message}`)
    return null
  })
}

/** Both sides must return the same records; otherwise the comparison means nothing. */
async function demandEqual({ ids }: Place, { name, ours, ceiling }: Read) {
  const [own, other] = [ours(), ceiling()]
  const sameId = (path: string) => path.replace(/[0-9a-f-]{36}$/, ids[0]!)
  const [one, two] = await Promise.all(
    [own, other].map((request) => fetched({ ...request, path: sameId(request.path) })),
  )
  const bytes = [one, two].map((answer) => JSON.stringify(answer).length)
  if (!isDeepStrictEqual({ ...one, next_cursor: null }, { ...two, next_cursor: null }))
    throw new Error(`${name}: the responses differ:\n${differences(one!, two!).join('\n')}`)
  console.log(`\n${name}: same response, ours ${bytes[0]} bytes, ceiling ${bytes[1]}`)
}

const differences = (one: Record<string, unknown>, two: Record<string, unknown>) =>
  [...new Set([...Object.keys(one), ...Object.keys(two)])]
    .filter((key) => !isDeepStrictEqual(one[key], two[key]))
    .map((key) => `  ${key}: ${JSON.stringify(one[key])?.slice(0, 400)} and ${JSON.stringify(two[key])?.slice(0, 400)}`)

async function fetched({ port, path, ...init }: Request) {
  const answer = await fetch(`http://localhost:${port}${path}`, init)
  return (await answer.json()) as Record<string, unknown>
}

/** How much longer a request takes with ten times as many records. */
async function measureGrowth(small: Place, large: Place) {
  const names: [string, string] = [named(large.size), named(small.size)]
  for (const [i, read] of readsOf(large).entries()) {
    const before = readsOf(small)[i]!
    for (const side of ['ours', 'ceiling'] as const) {
      const title = `growth, ${side}: ${read.name}`
      const sides = { ours: read[side], ceiling: before[side] }
      const seenBoth = await attempt(title, sides, { connections: 1, names })
      const growth = seenBoth ? (seenBoth.latency - 1) * 100 : Number.POSITIVE_INFINITY
      const seen = `${growth.toFixed(0)} %`
      if (side === 'ours')
        note(`cost from ${names[1]} to ${names[0]}: ${read.name}`, seen, 'less than 20 %', growth < 20)
      console.log(`  growth   ${seen}`)
    }
  }
}
