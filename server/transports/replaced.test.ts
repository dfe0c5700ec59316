// What programs and agents learned from the last release works until the next.
import { expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { mcpFor } from '../../test/mcp.ts'

const kith = await testApp()
const admin = await kith.given.company()
const key = await kith.given.key(admin)

test('a replaced route answers as the new one does, and says since when and until when', async () => {
  const missing = '01900000-0000-7000-8000-000000000000'
  const [old, now] = await Promise.all(
    ['cancel', 'cancellation'].map((word) =>
      kith.send(`/api/v1/jobs/${missing}/${word}`, { method: 'POST', headers: { 'x-api-key': key } }),
    ),
  )
  expect(old!.status).toBe(now!.status)
  expect(old!.headers.get('deprecation')).toBe('@1795046400')
  expect(old!.headers.get('sunset')).toBe('Wed, 19 May 2027 00:00:00 GMT')
  expect([now!.headers.get('deprecation'), now!.headers.get('sunset')]).toEqual([null, null])
})

test('agents can call a tool by its replaced name, which is not listed', async () => {
  const { legacy } = await mcpFor(kith)
  const listed = JSON.stringify((await legacy(key, 'tools/list')).rpc.result)
  expect(listed).toContain('"list_audit_events"')
  expect(listed).not.toContain('query_audit_log')
  const call = (name: string) => legacy(key, 'tools/call', { name, arguments: { action: 'company.created' } })
  const [old, now] = [await call('query_audit_log'), await call('list_audit_events')]
  expect(old.rpc.result).toEqual(now.rpc.result)
  const only = await legacy(key, 'tools/list', {}, { 'x-mcp-tools': 'query_audit_log' })
  expect((only.rpc.result!.tools as { name: string }[]).map(({ name }) => name)).toEqual(['list_audit_events'])
})
