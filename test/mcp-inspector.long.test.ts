// Covers: server/transports/mcp
// The inspector of the protocol's authors finds nothing to complain about.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { testApp } from './app.ts'
import { onTheWire } from './wire.ts'

const kith = await testApp()
const { origin } = await onTheWire(kith)
const admin = await kith.given.company()
await kith.given.user(admin)
const key = await kith.given.key(admin)

async function inspect(...args: string[]) {
  const cli = [
    'node_modules/.bin/mcp-inspector',
    '--cli',
    `${origin}/api/v1/mcp`,
    '--transport',
    'http',
    '--header',
    `x-api-key: ${key}`,
  ]
  const { stdout } = await promisify(execFile)(process.execPath, [...cli, ...args], { timeout: 60_000 })
  return JSON.parse(stdout)
}

test.each(['legacy', 'modern'])('it finds no problem in strict mode, %s', async (era) => {
  const { tools } = await inspect('--protocol-era', era, '--method', 'tools/list', '--strict')
  expect(tools.length).toBeGreaterThan(20)
})

test('it calls a tool', async () => {
  const result = await inspect('--method', 'tools/call', '--tool-name', 'list_users', '--tool-arg', 'limit=5')
  expect(result.structuredContent.items).toHaveLength(2)
})
