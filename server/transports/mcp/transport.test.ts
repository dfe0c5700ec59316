// The statements of our MCP checklist; the numbers are its own.
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { both, mcpFor, modernMeta } from '../../../test/mcp.ts'

const kith = await testApp()
const { post, legacy, modern, send } = await mcpFor(kith)
const admin = await kith.given.company()
const key = await kith.given.key(admin)
const toolsOf = (answer: { rpc: { result?: Record<string, unknown> } }) =>
  (answer.rpc.result!.tools as { name: string }[]).map((tool) => tool.name)

describe('the Accept header', () => {
  test('1. both types: 200, the same id, a list of tools', async () => {
    const answer = await legacy(key, 'tools/list')
    expect(answer.status).toBe(200)
    expect(answer.rpc).toMatchObject({ jsonrpc: '2.0', id: 1, result: { tools: expect.any(Array) } })
  })

  test.each([
    ['application/json'],
    ['text/event-stream'],
    [undefined],
    ['*/*'],
    ['application/json, text/event-stream;q=0'],
    ['application/*, text/*'],
  ])('2-6. %s alone is 406 in both eras, before the key is looked at', async (accept) => {
    for (const ask of [legacy, modern]) {
      expect((await ask(key, 'tools/list', undefined, { accept })).status).toBe(406)
      expect((await ask('nobody', 'tools/list', undefined, { accept })).status).toBe(406)
    }
  })

  test.each([
    [both, 'application/json; charset=utf-8'],
    ['text/event-stream, application/json', 'text/event-stream'],
    ['text/event-stream, application/json;q=0.5', 'text/event-stream'],
    ['text/event-stream;q=0.1, text/html, APPLICATION/JSON; charset=utf-8', 'application/json; charset=utf-8'],
  ])('7-8. %s is answered as %s', async (accept, type) => {
    const answer = await legacy(key, 'tools/list', undefined, { accept })
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.rpc.result?.tools).toBeDefined()
  })

  test('21. an event stream is one message event, not buffered by proxies, without IDs', async () => {
    const answer = await legacy(key, 'tools/list', undefined, { accept: 'text/event-stream, application/json' })
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    expect(answer.headers.get('x-accel-buffering')).toBe('no')
    expect(answer.text).toMatch(/^event: message\ndata: \{.*\}\n\n$/)
  })
})

describe('the key', () => {
  test('9. missing, malformed, unknown and deleted keys get byte-identical responses except for the request ID', async () => {
    const deleted = await kith.given.deletedKey(admin)
    const keys = [
      '',
      'a'.repeat(63),
      'a'.repeat(65),
      `${'a'.repeat(63)}-`,
      `${'a'.repeat(63)}ä`.slice(0, 63),
      'B'.repeat(64),
      deleted,
    ]
    const answers = await Promise.all([
      ...keys.map((one) => legacy(one, 'tools/list')),
      post('', '{}', { 'x-api-key': undefined }),
    ])
    const bodies = new Set(answers.map((answer) => answer.text.replace(/[0-9a-f-]{36}/, 'ID')))
    expect(bodies.size).toBe(1)
    for (const answer of answers) {
      expect(answer.status).toBe(401)
      expect(answer.rpc).toMatchObject({ jsonrpc: '2.0', id: null, error: { data: { code: 'unauthenticated' } } })
      expect(answer.headers.get('www-authenticate')).toBe('ApiKey realm="kith"')
    }
  })

  test('a key sent twice, as bearer or in the address is not a key, and never logged', async () => {
    const before = kith.logged.length
    expect((await legacy(`${key}, ${key}`, 'tools/list')).status).toBe(401)
    expect((await post('', '{}', { 'x-api-key': undefined, authorization: `Bearer ${key}` })).status).toBe(401)
    const inAddress = await send(`/api/v1/mcp?x-api-key=${key}`, {
      method: 'POST',
      headers: { accept: both, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(inAddress.status).toBe(401)
    expect(kith.logged.slice(before).join('')).not.toContain(key)
  })

  test('9. a deleted key is refused on the very next call', async () => {
    const { insertKey } = await import('../../accounts/api-keys/queries.ts')
    const { id, value } = await insertKey(kith.db, admin, 'Short')
    expect((await legacy(value, 'tools/list')).status).toBe(200)
    await kith.withSession(await kith.given.session(admin)).deleteApiKeys({ ids: [id] })
    expect((await legacy(value, 'tools/list')).status).toBe(401)
  })

  test('10. a demotion shows on the next call, and the tool is then as if it had never been', async () => {
    const owner = await kith.given.company()
    const second = await kith.given.user(owner, { role: 'Admin' })
    const own = await kith.given.key(owner)
    const boss = kith.withKey(await kith.given.key(second))
    expect(toolsOf(await legacy(own, 'tools/list'))).toContain('list_audit_events')
    await boss.updateUserRole({ id: owner.user_id, role: 'Member' })
    expect(toolsOf(await legacy(own, 'tools/list'))).not.toContain('list_audit_events')
    const hidden = await legacy(own, 'tools/call', { name: 'list_audit_events', arguments: {} })
    const absent = await legacy(own, 'tools/call', { name: 'nothing_here', arguments: {} })
    expect(hidden.rpc.error?.code).toBe(-32602)
    expect(hidden.text.replace('list_audit_events', 'X')).toBe(absent.text.replace('nothing_here', 'X'))
  })

  test('10. a role that is edited and a user that is deactivated show on the next call', async () => {
    const owner = await kith.given.company()
    const reader = await kith.given.user(owner, { grants: ['audit.read'] })
    const own = await kith.given.key(reader)
    expect(toolsOf(await legacy(own, 'tools/list'))).toContain('list_audit_events')
    await kith.db
      .updateTable('roles')
      .set({ grants: [] })
      .where('company_id', '=', owner.company_id)
      .where('is_admin', '=', false)
      .execute()
    expect(toolsOf(await legacy(own, 'tools/list'))).not.toContain('list_audit_events')
    await kith.db.updateTable('users').set({ deactivated_at: new Date() }).where('id', '=', reader.user_id).execute()
    expect((await legacy(own, 'tools/list')).status).toBe(401)
  })

  test('11. a bad key with a bad body is 401', async () => {
    for (const body of ['{broken', 'x'.repeat(5_000_000)]) expect((await post('nobody', body)).status).toBe(401)
    expect((await post('nobody', 'x', { 'content-type': 'text/xml' })).status).toBe(401)
  })
})

describe('the transport', () => {
  test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'])(
    '12. %s is 405 with Allow: POST, before anything else',
    async (method) => {
      const answer = await send('/api/v1/mcp', { method })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toBe('POST')
    },
  )

  test.each([
    ['http://evil.example', 403],
    ['null', 403],
    [undefined, 200],
  ])('13. Origin %s is %i', async (origin, status) => {
    expect((await legacy(key, 'tools/list', undefined, { origin })).status).toBe(status)
  })

  test('13. the origin of the web app itself is served, a foreign Host is not', async () => {
    expect((await legacy(key, 'tools/list', undefined, { origin: 'http://localhost', host: 'localhost' })).status).toBe(
      200,
    )
    expect((await legacy(key, 'tools/list', undefined, { host: 'evil.example' })).status).toBe(400)
  })

  test('14-15. another content type is 415, a body over 1 MiB is 413', async () => {
    expect((await post(key, '{}', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post(key, '{}', { 'content-type': 'application/json; charset=utf-8' })).status).toBe(400)
    expect((await post(key, `"${'x'.repeat(1024 * 1024)}"`)).status).toBe(413)
  })

  test.each([
    ['broken JSON', '{"jsonrpc":', -32700],
    ['an empty body', '', -32600],
    ['10,000 levels', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, -32700],
    ['null', 'null', -32600],
    ['a string', '"tools/list"', -32600],
    ['no method', '{"jsonrpc":"2.0","id":1}', -32600],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
    ['id null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ['id 1.5', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
    ['id as object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ['params as array', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32600],
    ['params as text', '{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}', -32600],
    ['__proto__', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{}}}', -32700],
  ])('16-17. %s is 400 with a JSON-RPC error', async (_, body, code) => {
    const answer = await post(key, body)
    expect(answer.status).toBe(400)
    expect(answer.rpc.error?.code).toBe(code)
  })

  test('17. an array is refused from 2025-06-18 on, and answered in the revision that knew it', async () => {
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 'b', method: 'nothing' },
    ]
    expect((await post(key, batch, { 'mcp-protocol-version': '2025-11-25' })).rpc.error?.code).toBe(-32600)
    const old = await post(key, batch, { 'mcp-protocol-version': '2025-03-26' })
    expect(JSON.parse(old.text)).toMatchObject([
      { id: 1, result: {} },
      { id: 'b', error: { code: -32601 } },
    ])
  })

  test('18. a notification is 202 without a body, known or not', async () => {
    for (const method of ['notifications/initialized', 'notifications/unheard_of']) {
      const answer = await post(key, { jsonrpc: '2.0', method })
      expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([202, '', null])
    }
  })

  test.each(['1', 1, 0, 'x y'])('19-20. the ID %j is returned unchanged, even with an error', async (id) => {
    expect((await post(key, { jsonrpc: '2.0', id, method: 'ping' })).rpc.id).toBe(id)
    expect((await post(key, { jsonrpc: '2.0', id, method: 'nothing' })).rpc.id).toBe(id)
  })

  test('23. a session ID that is not ours is ignored, and none is made for a client without a name', async () => {
    const answer = await legacy(
      key,
      'initialize',
      { protocolVersion: '2025-11-25' },
      { 'mcp-session-id': 'abc', 'last-event-id': '7' },
    )
    expect(answer.status).toBe(200)
    expect(answer.headers.get('mcp-session-id')).toBeNull()
  })

  test('55. the OAuth trail ends in the ordinary 404 page', async () => {
    for (const path of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/api/v1/mcp',
      '/.well-known/oauth-authorization-server',
      '/api/v1/mcp/x',
    ]) {
      const answer = await send(path)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8'])
    }
  })
})

describe('the legacy era', () => {
  test.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
    '24. initialize with %s echoes it',
    async (protocolVersion) => {
      const { rpc } = await legacy(key, 'initialize', {
        protocolVersion,
        capabilities: {},
        clientInfo: { name: 'old', version: '1' },
      })
      expect(rpc.result).toMatchObject({
        protocolVersion,
        capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
        serverInfo: { name: 'kith' },
      })
      expect(String(rpc.result?.instructions).length).toBeLessThan(1500)
    },
  )

  test('24. an unknown version gets our newest legacy one', async () => {
    expect((await legacy(key, 'initialize', { protocolVersion: '2031-01-01' })).rpc.result?.protocolVersion).toBe(
      '2025-11-25',
    )
  })

  test('28. an unsupported version is reported as such', async () => {
    const { rpc } = await legacy(key, 'tools/list', undefined, { 'mcp-protocol-version': '2030-01-01' })
    expect(rpc.error).toMatchObject({ code: -32022, data: { requested: '2030-01-01' } })
  })

  test('26-29. ping, any method without initialize, unknown header, unknown method', async () => {
    expect((await legacy(key, 'ping')).rpc.result).toEqual({})
    expect((await legacy(key, 'tools/list', {}, { 'mcp-protocol-version': '2025-06-18' })).status).toBe(200)
    expect((await legacy(key, 'tools/list', {}, { 'mcp-protocol-version': '1900-01-01' })).status).toBe(400)
    const unknown = await legacy(key, 'foo/bar')
    expect([unknown.status, unknown.rpc.error?.code]).toEqual([200, -32601])
    expect((await legacy(key, 'server/discover')).rpc.error?.code).toBe(-32601)
  })
})

describe('the modern era', () => {
  test('30. server/discover returns the capabilities', async () => {
    const { rpc } = await modern(key, 'server/discover')
    expect(rpc.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      instructions: expect.stringContaining('whoami'),
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'kith' } },
    })
  })

  const without = (name: string) =>
    Object.fromEntries(Object.entries(modernMeta).filter(([key]) => !key.endsWith(name)))
  test.each([
    ['_meta', undefined],
    ['protocolVersion', without('protocolVersion')],
    ['clientCapabilities', without('clientCapabilities')],
  ])('31. without %s it is 400, -32602', async (_, _meta) => {
    const answer = await modern(key, 'tools/list', { _meta })
    expect([answer.status, answer.rpc.error?.code]).toEqual([400, -32602])
  })

  test('32. without clientInfo it is served', async () => {
    expect((await modern(key, 'tools/list', { _meta: without('clientInfo') })).status).toBe(200)
  })

  test.each([
    ['33. no version header', { 'mcp-protocol-version': undefined }],
    ['33. another version header', { 'mcp-protocol-version': '2025-11-25' }],
    ['35. no Mcp-Method', { 'mcp-method': undefined }],
    ['35. another Mcp-Method', { 'mcp-method': 'tools/call' }],
    ['35. Mcp-Method in capitals', { 'mcp-method': 'TOOLS/LIST' }],
  ])('%s is 400, -32020', async (_, headers) => {
    const answer = await modern(key, 'tools/list', {}, headers)
    expect([answer.status, answer.rpc.error?.code]).toEqual([400, -32020])
  })

  test('34. an unsupported version is 400, -32022, with what is supported', async () => {
    const _meta = { ...modernMeta, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' }
    const answer = await modern(key, 'tools/list', { _meta }, { 'mcp-protocol-version': '2027-01-01' })
    expect([answer.status, answer.rpc.error?.code]).toEqual([400, -32022])
    expect(answer.rpc.error?.data).toEqual({ supported: ['2026-07-28'], requested: '2027-01-01' })
  })

  test('36. Mcp-Name must match; blanks around it and base64 are understood', async () => {
    const named = (name: string | undefined) =>
      modern(key, 'tools/call', { name: 'whoami', arguments: {} }, { 'mcp-name': name })
    for (const name of [undefined, 'list_users', 'WHOAMI']) expect((await named(name)).rpc.error?.code).toBe(-32020)
    for (const name of ['whoami', '  whoami  ', `=?base64?${Buffer.from('whoami').toString('base64')}?=`])
      expect((await named(name)).status).toBe(200)
  })

  test.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'subscriptions/listen',
    'foo/bar',
    'constructor',
  ])('37, 53. %s is 404, -32601', async (method) => {
    const answer = await modern(key, method)
    expect([answer.status, answer.rpc.error?.code]).toEqual([404, -32601])
  })
})
