// Refusals are asserted at the check and at an injected look-up: nothing here dials anything but servers of its own.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { inside, urlAt } from '../../test/inside-addresses.ts'
import { isPublic, type Lookup, literalOf, readOutboundAllow } from './outbound.ts'
import { checkUrl, createOutbound, createPublicFetch, type OutboundError } from './public-fetch.ts'

const nobody = () => false
const codeOf = (called: Promise<unknown>) =>
  called.then(
    () => 'ok',
    (error: OutboundError) => error.code,
  )

test.each(inside)('%s is not public, as an address or behind a name', async (address) => {
  expect(isPublic(address)).toBe(false)
  const dialed = createPublicFetch({ allow: nobody, lookup: async () => [{ address, family: 4 }] })
  expect(await codeOf(dialed('https://hooks.example.com/'))).toBe('refused')
  expect(() => checkUrl(urlAt(address), nobody)).toThrow('not found on the public internet')
})

test.each([
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://017700000001/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://127.0.1/',
  'https://127.0.0.1./',
  'https://0/',
  'https://1/',
  'https://１２７.0.0.1/',
  'https://127。0。0。1/',
  'https://%31%32%37.0.0.1/',
  'https://[::ffff:127.0.0.1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  `https://${'user:pass'}@1.1.1.1/`,
  'https://user@example.com/',
  'http://1.1.1.1/',
  'https://1.1.1.1:22/',
  'https://1.1.1.1:6379/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'example.com',
  '',
])('%s is refused before anything is looked up', async (url) => {
  expect(() => checkUrl(url, nobody)).toThrow()
  const lookup: Lookup = async () => Promise.reject(new Error('looked up'))
  expect(await codeOf(createPublicFetch({ allow: nobody, lookup })(url))).toBe('refused')
})

test('an address that could never be sent to is refused when it is entered', () => {
  const never = ['http://hooks.example.com/', 'https://hooks.example.com:25/']
  for (const url of never) {
    expect(() => checkUrl(url, readOutboundAllow(''))).toThrow(/Use /)
    expect(() => checkUrl(url, readOutboundAllow('n8n.internal'))).toThrow(/Use /)
    expect(checkUrl(url, readOutboundAllow('hooks.example.com')).href).toBe(url)
    // Its name may lead there.
    expect(checkUrl(url, readOutboundAllow('10.0.0.0/8')).href).toBe(url)
  }
  expect(checkUrl('https://hooks.example.com:8443/', readOutboundAllow('')).port).toBe('8443')
})

test.each([
  ['2130706433', '127.0.0.1'],
  ['0x7f000001', '127.0.0.1'],
  ['0177.0.0.1', '127.0.0.1'],
  ['127.1', '127.0.0.1'],
  ['[::1]', '::1'],
  ['127.0.0.1.', '127.0.0.1'],
])('%s is read as %s, so that no look-up is needed to refuse it', (host, address) => {
  expect(literalOf(host)?.address).toBe(address)
})

test('a name with one internal address is refused, with the same error as one that does not exist', async () => {
  const good = { address: '93.184.215.14', family: 4 }
  const words = (lookup: Lookup) => createPublicFetch({ allow: nobody, lookup })('https://a.example/').catch(String)
  const mixed = await words(async () => [good, { address: '::1', family: 6 }])
  const missing = await words(async () => Promise.reject(new Error('ENOTFOUND')))
  expect(mixed).toBe(missing)
  expect(mixed).toContain('a.example was not found on the public internet')
})

test('http and unusual ports are refused for any name', async () => {
  const lookup: Lookup = async () => [{ address: '93.184.215.14', family: 4 }]
  const fetched = createPublicFetch({ allow: nobody, lookup })
  for (const url of ['http://a.example/', 'https://a.example:25/', 'https://a.example:5432/'])
    expect(await codeOf(fetched(url)), url).toBe('refused')
})

describe('a server that the operator allows', () => {
  const seen: IncomingMessage[] = []
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  const server = createServer((request, response) => {
    seen.push(request)
    answer(request, response)
  })
  const listening = new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const loopback: Lookup = async () => [{ address: '127.0.0.1', family: 4 }]
  const allowed = createPublicFetch({ allow: readOutboundAllow('127.0.0.1'), lookup: loopback })
  const at = async (path = '/') => `http://hooks.test:${await listening}${path}`

  test('is called by its name at the address that was checked, on any port', async () => {
    answer = (request, response) => {
      response.setHeader('x-seen', request.headers.host!)
      request.pipe(response)
    }
    const body = JSON.stringify({ a: 'ä' })
    const got = await allowed(await at(), { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    expect(got).toMatchObject({ status: 200, headers: { 'x-seen': `hooks.test:${await listening}` } })
    expect(String(got.body)).toBe(body)
    expect(seen.at(-1)!.headers['content-length']).toBe(String(Buffer.byteLength(body)))
  })

  test('is looked up once, so that a changed DNS answer has no effect', async () => {
    answer = (_, response) => response.end('ok')
    let asked = 0
    const rebinding: Lookup = async () => [{ address: asked++ ? '10.0.0.1' : '127.0.0.1', family: 4 }]
    const fetched = createPublicFetch({ allow: readOutboundAllow('127.0.0.1'), lookup: rebinding })
    expect((await fetched(await at())).status).toBe(200)
    expect(asked).toBe(1)
  })

  test('cannot redirect us', async () => {
    answer = (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    const before = seen.length
    expect(await allowed(await at())).toMatchObject({ status: 302 })
    expect(seen).toHaveLength(before + 1)
  })

  test('cannot keep us waiting: before its answer, within it, or at the look-up', async () => {
    answer = () => {}
    expect(await codeOf(allowed(await at(), { timeoutMs: 100 }))).toBe('timeout')
    answer = (_, response) => void response.write('a')
    expect(await codeOf(allowed(await at(), { timeoutMs: 100 }))).toBe('timeout')
    const lookup: Lookup = async () => sleep(5000, [], { ref: false })
    const slow = createPublicFetch({ allow: nobody, lookup })
    expect(await codeOf(slow('https://a.example/', { timeoutMs: 100 }))).toBe('timeout')
  })

  test('cannot fill our memory', async () => {
    answer = (_, response) => response.end(Buffer.alloc(2000))
    expect(await codeOf(allowed(await at(), { mostBytes: 1000 }))).toBe('too_large')
    expect((await allowed(await at(), { mostBytes: 2000 })).body).toHaveLength(2000)
  })

  test('that is down is unreachable, and the caller can abort', async () => {
    answer = (request) => request.socket.destroy()
    expect(await codeOf(allowed(await at()))).toBe('unreachable')
    answer = () => {}
    expect(await codeOf(allowed(await at(), { signal: AbortSignal.timeout(50) }))).toBe('unreachable')
  })

  test('has to show a certificate for its name', async () => {
    const tls = createTlsServer(() => {})
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve))
    const { port } = tls.address() as AddressInfo
    expect(await codeOf(allowed(`https://hooks.test:${port}/`))).toBe('unreachable')
    tls.close()
  })

  test('is not called if the operator allows only something else', async () => {
    const before = seen.length
    for (const list of ['', '10.0.0.0/8', 'other.test']) {
      const other = createPublicFetch({ allow: readOutboundAllow(list), lookup: loopback })
      expect(await codeOf(other(await at(), { allowHttp: true })), list).toBe('refused')
    }
    expect(seen).toHaveLength(before)
  })
})

test('an address without https is refused when it is entered, unless the operator may allow it', () => {
  const plain = 'http://crm.example/lead'
  for (const list of [undefined, 'other.example'])
    expect(() => createOutbound(list).check(plain)).toThrow('Use https:// in the address.')
  for (const list of ['crm.example', '10.0.0.0/8']) expect(createOutbound(list).check(plain).host).toBe('crm.example')
  expect(createOutbound(undefined).check('https://crm.example/lead').host).toBe('crm.example')
})
