import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { onTheWire } from '../../test/wire.ts'

const kith = await testApp({ baseUrl: 'http://crm.example.com' })
const { origin } = await onTheWire(kith)
const port = Number(new URL(origin).port)

/** What comes back for these very bytes. */
async function raw(...lines: (string | Buffer)[]) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const parts = lines.map((line) => (typeof line === 'string' ? Buffer.from(line) : line))
  socket.write(Buffer.concat([...parts.flatMap((part) => [part, Buffer.from('\r\n')]), Buffer.from('\r\n')]))
  const answer = await text(socket)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const [status = '', ...fields] = head.split('\r\n')
  const headers = new Headers(fields.map((field) => field.split(/: (.*)/).slice(0, 2) as [string, string]))
  return { status: Number(status.split(' ')[1]), headers, body }
}
const host = 'Host: crm.example.com'
const close = 'Connection: close'
type Answer = Awaited<ReturnType<typeof raw>>

function expectGuarded({ headers }: Answer) {
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(headers.get('content-security-policy')).toContain("default-src 'self'")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('same-origin')
}
function expectProblem(answer: Answer, status: number, code: string) {
  expect(answer.status, answer.body).toBe(status)
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  expect(JSON.parse(answer.body)).toMatchObject({ status, code, request_id: answer.headers.get('x-request-id') })
  expectGuarded(answer)
}
function expectNotFound(answer: Answer, words: string) {
  expect(answer.status, answer.body).toBe(404)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=UTF-8')
  expect(answer.headers.get('cache-control')).toBe('no-cache, private')
  expect(answer.headers.get('vary')).toBe('Accept')
  expect(answer.body).toContain(`No route found for &quot;${words}&quot;`)
  expectGuarded(answer)
}

describe('a request target that is not a path', () => {
  test('* is not found', async () => {
    expectNotFound(await raw('GET * HTTP/1.1', host, close), 'GET *')
    expectNotFound(await raw('OPTIONS * HTTP/1.1', host, close), 'OPTIONS *')
  })

  test('CONNECT is answered with the page', async () => {
    expectNotFound(await raw('CONNECT crm.example.com:443 HTTP/1.1', host), 'CONNECT crm.example.com:443')
  })

  test('a path with raw bytes beyond ASCII is not found', async () => {
    expectNotFound(await raw('GET /café HTTP/1.1', host, close), 'GET http://crm.example.com/café')
    const bytes = Buffer.from([0x47, 0x45, 0x54, 0x20, 0x2f, 0xff, 0xfe, 0x20])
    const answer = await raw(Buffer.concat([bytes, Buffer.from('HTTP/1.1')]), host, close)
    expect(answer.status).toBe(404)
    expectGuarded(answer)
  })
})

describe('a whole URL as the target', () => {
  test('is served under the host it names, whatever the Host header says', async () => {
    const evil = 'Host: evil.example'
    expect((await raw('GET http://crm.example.com/livez HTTP/1.1', evil, close)).status).toBe(200)
    expect((await raw('GET http://crm.example.com HTTP/1.1', evil, close)).status).toBe(200)
    const foreign = await raw('GET http://evil.example/ HTTP/1.1', host, close)
    expectProblem(foreign, 400, 'untrusted_host')
  })

  test('follows the rules for bare IP addresses and unknown paths', async () => {
    expectProblem(await raw('POST http://127.0.0.1:3000/ HTTP/1.1', host, close), 400, 'untrusted_host')
    expectProblem(await raw('POST http://crm.example.com/ HTTP/1.1', host, close), 405, 'method_not_allowed')
    expectNotFound(
      await raw('GET http://crm.example.com/robots.txt?a=1 HTTP/1.1', 'Host: x', close),
      'GET http://crm.example.com/robots.txt',
    )
  })
})

describe('the Host header', () => {
  test('must be there, and once', async () => {
    expectProblem(await raw('GET / HTTP/1.1', close), 400, 'untrusted_host')
    expectProblem(await raw('GET / HTTP/1.1', host, 'Host: evil.example', close), 400, 'untrusted_host')
    expectProblem(await raw('GET / HTTP/1.1', 'Host: evil.example', host, close), 400, 'untrusted_host')
    expectNotFound(await raw('GET /x HTTP/1.1', host, host, close), 'GET http://crm.example.com/x')
  })

  test.each(['localhost:99999', '127.0.0.1:70000', '[::1]:65536'])(
    '%s is refused, with an Origin too',
    async (name) => {
      for (const origin of [[], ['Origin: http://x.example']])
        expectProblem(
          await raw('GET /api/v1/openapi.json HTTP/1.1', `Host: ${name}`, ...origin, close),
          400,
          'untrusted_host',
        )
    },
  )
})

describe('an unknown method', () => {
  test('is 404 on an unknown path and 405 on a known one', async () => {
    expectNotFound(await raw('FOO /nothing?x=1 HTTP/1.1', host, close), 'FOO http://crm.example.com/nothing')
    const known = await raw('FOO /api/v1/me HTTP/1.1', host, close)
    expectProblem(known, 405, 'method_not_allowed')
    expect(known.headers.get('allow')).toBe('GET, HEAD, PATCH')
  })

  test('shows what was sent as text, never as markup', async () => {
    const { body } = await raw('FOO /<script>alert(1)</script> HTTP/1.1', 'Host: <b>x</b>', close)
    expect(body).not.toMatch(/<script>alert|<b>x/)
  })
})

test.each([
  ['no HTTP at all', ['hello']],
  ['a broken header', ['GET / HTTP/1.1', host, 'no colon here', close]],
  ['a NUL in a header', ['GET / HTTP/1.1', host, 'X: a\0b', close]],
  ['two lengths', ['POST /api/v1/mcp HTTP/1.1', host, 'Content-Length: 1', 'Content-Length: 2', close]],
  ['a length and chunks', ['POST / HTTP/1.1', host, 'Content-Length: 1', 'Transfer-Encoding: chunked', close]],
])('%s is a problem with all headers', async (_, lines) => {
  expectProblem(await raw(...lines), 400, 'bad_request')
})

test('headers that are too large are a problem of their own', async () => {
  expectProblem(await raw('GET / HTTP/1.1', host, `X: ${'a'.repeat(20_000)}`, close), 431, 'headers_too_large')
})

test('a request that takes too long to arrive gets 408', async () => {
  const [handle] = kith.app.server.listeners('clientError') as ((error: Error, socket: unknown) => void)[]
  const socket = connect(port, '127.0.0.1')
  const [served] = (await once(kith.app.server, 'connection')) as [unknown]
  handle!(Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), served)
  const answer = await text(socket)
  expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  expect(answer).toMatch(/content-type: application\/problem\+json/)
  expect(answer).toContain('"code":"request_timeout"')
})

test('what was refused can be found in the log by its request id, without what was sent', async () => {
  const answer = await raw('FOO /canary-path HTTP/1.1', host, close)
  const id = answer.headers.get('x-request-id')!
  expect(kith.logged.find((line) => line.includes(id))).toContain('"status":404')
  expect(kith.logged.join()).not.toContain('canary-path')
})

test('a request that is followed by something else is carried out once, and its own answer says so', async () => {
  const key = await kith.given.key(await kith.given.company())
  const api = kith.withKey(key)
  const { id } = await api.createConversationLabel({ name: 'Delete me' })
  const line = `DELETE /api/v1/conversation-labels/${id} HTTP/1.1`
  const answer = await raw(line, host, `x-api-key: ${key}`, '', '{"nonsense": 1}')
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
  expect((await api.listConversationLabels({})).items).toEqual([])
})
