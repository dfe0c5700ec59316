// What a process costs that has nothing to do: statements a second, and its share of a core. One process does everything, on
// a database with IDLE_COMPANIES (1,000 unless told), for IDLE_SECONDS (60).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readConfig } from '../server/platform/config.ts'
import { createDb, createPool } from '../server/platform/db.ts'
import { joinEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { startKith } from '../server/start.ts'
import { givenFor } from '../test/given.ts'
import { freePort } from '../test/process.ts'

const companies = Number(process.env.IDLE_COMPANIES ?? 1000)
const seconds = Number(process.env.IDLE_SECONDS ?? 60)
const bars = { statements: 20, percent: 1 }

const counts = new Map<string, number>()
const { query } = pg.Client.prototype
// biome-ignore lint/suspicious/noExplicitAny: pg's query has a dozen overloads, and this passes all of them on.
pg.Client.prototype.query = function (this: pg.Client, ...args: any[]): any {
  const [first] = args
  const text = String(typeof first === 'string' ? first : first?.text)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 100)
  counts.set(text, (counts.get(text) ?? 0) + 1)
  return Reflect.apply(query, this, args)
}

const dataDir = mkdtempSync(join(tmpdir(), 'kith-idle-'))
const kith = await startKith(readConfig({ DATA_DIR: dataDir, PORT: String(await freePort()) }), () => {})
try {
  const pool = createPool((await joinEmbeddedPostgres(dataDir)).owner, { max: 2 })
  const given = givenFor(createDb(pool), () => new Date())
  for (let i = 0; i < companies; i++) await given.company()
  await pool.query('analyze')
  await pool.end()
  // What the start and the companies left to do.
  await sleep(20_000)
  counts.clear()
  const began = process.cpuUsage()
  await sleep(seconds * 1000)
  const { user, system } = process.cpuUsage(began)
  const statements = counts.values().reduce((sum, count) => sum + count, 0) / seconds
  const percent = (user + system) / 10_000 / seconds
  console.log(`An idle process with ${companies.toLocaleString('en')} companies, for ${seconds} s`)
  const verdict = (value: number, bar: number) => `(bar ${bar}: ${value < bar ? 'met' : 'MISSED'})`
  console.log(`  ${statements.toFixed(1).padStart(5)} statements a second  ${verdict(statements, bars.statements)}`)
  console.log(`  ${percent.toFixed(2).padStart(5)} % of a core          ${verdict(percent, bars.percent)}`)
  console.log('  most often:')
  for (const [text, count] of [...counts].toSorted((a, b) => b[1] - a[1]).slice(0, 12))
    console.log(`  ${(count / seconds).toFixed(2).padStart(5)}  ${text}`)
} finally {
  await kith.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
