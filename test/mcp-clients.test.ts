// Real clients, as our users have them.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, test } from 'vitest'
import { contract } from '../contract/index.ts'
import type { Contract } from '../contract/operation.ts'
import { toolName } from '../server/transports/mcp/tools.ts'
import { testApp } from './app.ts'
import { onTheWire } from './wire.ts'

const allTools = Object.entries(contract as Contract).flatMap(([name, op]) => (op.tool ? toolName(name) : []))
const kith = await testApp()
const { origin } = await onTheWire(kith)
const url = new URL(`${origin}/api/v1/mcp`)
const admin = await kith.given.company()
const key = await kith.given.key(admin)
const memberKey = await kith.given.key(await kith.given.user(admin))
const requestInit = { headers: { 'x-api-key': key } }
const info = { name: 'real-client', version: '2.0' }

describe.each([
  ['in auto mode', { versionNegotiation: { mode: 'auto' } }, '2026-07-28'],
  ['pinned to 2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }, '2026-07-28'],
  ['by default', {}, '2025-11-25'],
] as const)('the SDK client v2 %s', (_, options, version) => {
  test('lists and calls tools, reads resources, gets prompts, completes', async () => {
    const client = new Client(info, options as object)
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    expect(client.getInstructions()).toContain('whoami')
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toEqual(allTools)
    const me = await client.callTool({ name: 'whoami', arguments: {} })
    expect(me.structuredContent).toMatchObject({ name: 'Ada Admin' })
    expect((await client.callTool({ name: 'list_users', arguments: { limit: 0 } })).isError).toBe(true)
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toThrow(/Unknown tool/)
    const { contents } = await client.readResource({ uri: 'crm://me' })
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ role: 'Admin' })
    const { messages } = await client.getPrompt({ name: 'audit_key_usage', arguments: { user: 'Ada' } })
    expect(JSON.stringify(messages)).toContain('Ada')
    await client.close()
  })
})

test('the SDK client v1 lists and calls tools', async () => {
  const client = new OldClient(info)
  await client.connect(new OldTransport(url, { requestInit }) as never)
  expect((await client.listTools()).tools).toHaveLength(allTools.length)
  expect((await client.callTool({ name: 'whoami' })).structuredContent).toMatchObject({ name: 'Ada Admin' })
  await client.close()
})

test('a client reports an invalid key as such', async () => {
  const client = new Client(info, { versionNegotiation: { mode: 'auto' } })
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: { 'x-api-key': 'nope' } } })
  await expect(client.connect(transport)).rejects.toThrow(/401|authoriz/i)
})

test('a Member key unlocks what a Member may do', async () => {
  const client = new Client(info)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { 'x-api-key': memberKey } } }))
  expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(
    allTools.filter((name) => !/^(list_audit_events|send_lead|explain_lead_route)$|_(object|field)$/.test(name)),
  )
  await client.close()
})
