// What clients of older versions rely on between their calls, and what happens to calls that are cancelled.
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { holdWrites } from '../../../test/hold.ts'
import { both, mcpFor, modernMeta } from '../../../test/mcp.ts'
import { soon } from '../../../test/worker.ts'

const kith = await testApp()
const { legacy, post, origin } = await mcpFor(kith)

async function agent() {
  const admin = await kith.given.company()
  const key = await kith.given.key(admin)
  const api = kith.withKey(key)
  const open = async (name: string) => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name, version: '1.0' } }
    return (await legacy(key, 'initialize', params)).headers.get('mcp-session-id')!
  }
  const add = async (session: string, as = key, mcp = legacy) => {
    const args = { object: 'people', records: [{ last_name: 'Lovelace' }] }
    const headers = { 'mcp-session-id': session, 'user-agent': 'node' }
    await mcp(as, 'tools/call', { name: 'create_records', arguments: args }, headers)
    return (await kith.withKey(as).listChanges({ limit: 1 })).items[0]!.client
  }
  return { admin, key, api, open, add }
}

test('a client of an older version is known by the name that it gave, in every process', async () => {
  const { key, open, add, api } = await agent()
  const other = await mcpFor(await testApp({ database: kith }))
  const session = await open('Übersetzer')
  expect(await add(session)).toBe('Übersetzer/1.0')
  expect(await add(session, key, other.legacy)).toBe('Übersetzer/1.0')
  expect((await api.listChanges({ client: 'übersetzer' })).items).toHaveLength(2)
  expect(await open('Übersetzer')).not.toBe(session)
})

test('a session ID that was forged, changed or made for another key is ignored', async () => {
  const { admin, open, add } = await agent()
  const session = await open('honest')
  const [, signature] = session.split('.')
  const forged = Buffer.from(JSON.stringify(['boss/1.0', 'x'])).toString('base64url')
  for (const id of ['abc', `${forged}.${signature}`, `${forged}.`, `${session}x`, '.', 'x'.repeat(5000)])
    expect(await add(id), id.slice(0, 50)).toBe('node')
  expect(await add(session, await kith.given.key(admin))).toBe('node')
})

test('a call that is cancelled while it writes changes nothing', async () => {
  const { admin, key, api, open } = await agent()
  const { records } = await api.createRecords({ object: 'people', records: [{ last_name: 'Lovelace' }] })
  const { id } = records[0]!
  const session = await open('hasty')
  const ownRows = `new.company_id = '${admin.company_id}' and new.version > 1`
  const args = { object: 'people', records: [{ id, values: { score: 5 } }] }
  const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'update_records', arguments: args } }
  const cancelled = (requestId: unknown, as: string) =>
    post(key, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }, { 'mcp-session-id': as })

  const byName = await holdWrites(kith.owner, 'records', ownRows)
  const answer = post(key, call, { 'mcp-session-id': session })
  await byName.reached()
  expect((await cancelled(7, session)).status).toBe(202)
  await byName.release()
  expect((await answer).rpc.result).toMatchObject({ isError: true })
  expect(await api.getRecord({ object: 'people', id })).toMatchObject({ version: 1 })

  const byLeaving = await holdWrites(kith.owner, 'records', ownRows)
  const leaving = await sent(key, { ...call, params: { ...call.params, _meta: modernMeta } })
  await byLeaving.reached()
  const before = await connections()
  leaving.destroy()
  await soon(async () => expect(await connections()).toBeLessThan(before))
  await byLeaving.release()
  // Waits for the row that the cancelled call has locked.
  await api.updateRecords({ object: 'people', records: [{ id, values: { score: 1 } }] })
  expect(await api.getRecord({ object: 'people', id })).toMatchObject({ version: 2, score: 1 })

  // What others cancel, and IDs of other calls, cancel nothing.
  const kept = await holdWrites(kith.owner, 'records', ownRows)
  const good = post(key, call, { 'mcp-session-id': session })
  await kept.reached()
  await cancelled(7, await open('someone else'))
  await cancelled(8, session)
  await kept.release()
  expect((await good).rpc.result).not.toHaveProperty('isError')
  expect(await api.getRecord({ object: 'people', id })).toMatchObject({ version: 3, score: 5 })
})

const connections = () => new Promise<number>((resolve) => kith.app.server.getConnections((_, count) => resolve(count)))

async function sent(key: string, body: { method: string; params: { name: string; [more: string]: unknown } }) {
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    accept: both,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': body.method,
    'mcp-name': body.params.name,
  }
  const leaving = request(`${origin}/api/v1/mcp`, { method: 'POST', headers, agent: false })
  leaving.on('error', () => {})
  leaving.end(JSON.stringify(body))
  return leaving
}
