// Covers: server/transports/mcp test/conformance
// The official suite of the protocol, on the whole product with the suite's fixtures beside our own tools.
import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { mcpPath } from '../../server/transports/mcp/mount.ts'
import { testApp } from '../app.ts'
import { onTheWire } from '../wire.ts'
import { fixtures } from './fixtures.ts'
import { proxyTo } from './proxy.ts'

type Check = { scenario: string; id: string; status: string; errorMessage?: string }

const suite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'
/** Not scored, because the suite's own example fails them. */
const alsoHeld = ['json-schema-2020-12', 'http-header-validation']

const app = await testApp({ alsoOffer: fixtures })
const { origin } = await onTheWire(app)
const key = await app.given.key(await app.given.company())
const url = (await proxyTo(origin, 'x-api-key', key)) + mcpPath
const folder = mkdtempSync(join(tmpdir(), 'kith-conformance-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// Given a file of expected failures, even an empty one, the suite counts warnings too.
test.each([
  ['2026-07-28', devNull],
  ['2025-11-25', join(import.meta.dirname, 'expected-failures-2025-11-25.yml')],
])('meets revision %s of the protocol', async (revision, expectedFailures) => {
  const { code, verdict } = await runSuite(revision, expectedFailures)
  const faults = faultsIn(join(folder, revision))
  const unexpected = faults.filter(({ scenario }) => verdict.includes(`✗ ${scenario}`))
  expect(code, [verdict, ...unexpected.map(inOneLine)].join('\n')).toBe(0)
  expect(faults.filter(({ scenario }) => alsoHeld.includes(scenario)).map(inOneLine)).toEqual([])
})

async function runSuite(revision: string, expectedFailures: string) {
  const results = join(folder, revision)
  const options = ['--url', url, '--requirements', revision, '--expected-failures', expectedFailures, '-o', results]
  const child = spawn(process.execPath, [suite, 'server', ...options], { timeout: 240_000 })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
  const code = await new Promise((resolve) => child.on('close', resolve))
  const [, verdict = output] = stripVTControlCharacters(output).split(/^Total: .*$/m)
  return { code, verdict: verdict.slice(-3000).trim() }
}

const faultsIn = (results: string): Check[] =>
  globSync(join(results, '**/checks.json')).flatMap((file) => {
    const scenario = basename(dirname(file)).replace(/^server-(.+)-\d{4}-\d\d-\d\dT.+$/, '$1')
    const checks = JSON.parse(readFileSync(file, 'utf8')) as Check[]
    const faulty = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    return faulty.map((check) => ({ ...check, scenario }))
  })

const inOneLine = ({ scenario, id, errorMessage = '' }: Check) => `${scenario}:${id} ${errorMessage.slice(0, 300)}`
