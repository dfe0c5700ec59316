import { describe, expect, test } from 'vitest'
import { pages } from '../../contract/shared/pages.ts'
import { testApp } from '../../test/app.ts'
import { onTheWire } from '../../test/wire.ts'

const kith = await testApp({ baseUrl: 'http://crm.example.com' })
const { send } = await onTheWire(kith)
const ask = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
  send(path, { method, headers: { host: 'crm.example.com', ...headers } })

describe('a path that does not exist', () => {
  const paths = [
    '/robots.txt',
    '/.git/config',
    '/api/v1/nothing',
    '/records/people/x/y',
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/api/v1/mcp',
    '/%',
    '/%c3%28',
    '/assets/nothing.js',
    '/sign-in/',
    '//example.com/',
    '/index.html',
    '/<script>alert(1)</script>',
    '/a"b',
  ]
  const accepts = ['*/*', 'application/json', 'text/html', 'text/event-stream', '']
  test.each(paths)('%s is a 404 page with the exact headers, for any method and Accept', async (path) => {
    for (const method of ['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      for (const accept of accepts) {
        const answer = await ask(path, method, { accept, 'content-type': 'application/json' })
        expect(answer.status, `${method} ${accept}`).toBe(404)
        expect(answer.headers.get('content-type')).toBe('text/html; charset=UTF-8')
        expect(answer.headers.get('cache-control')).toBe('no-cache, private')
        expect(answer.headers.get('vary')).toBe('Accept')
      }
    }
  })

  test('names the method and the full URL without the query', async () => {
    const body = await (await ask('/robots.txt?secret=1', 'POST')).text()
    expect(body).toContain('No route found for &quot;POST http://crm.example.com/robots.txt&quot;')
    expect(body).not.toContain('secret')
  })

  test('shows a URL as text, never as markup', async () => {
    const body = await (await ask('/<script>alert("1")</script>')).text()
    expect(body).toContain('/&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;')
    expect(body).not.toContain('<script>')
    const host = await (await ask('/nothing', 'GET', { host: '<b>x</b>' })).text()
    expect(host).not.toContain('<b>')
  })

  test('is the web app for a browser that mistyped a page, and a plain page for all else', async () => {
    const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const isApp = async (path: string, method = 'GET', headers: Record<string, string> = html) =>
      (await (await ask(path, method, headers)).text()).includes('id="root"')
    expect(await isApp('/nonsense')).toBe(true)
    expect(await isApp('/records/people/x/y')).toBe(true)
    for (const path of [
      '/api/v1/nothing',
      '/api',
      '/app/api/x',
      '/assets/x',
      '/public/x',
      '/robots.txt',
      '/.git/config',
    ])
      expect(await isApp(path), path).toBe(false)
    expect(await isApp('//example.com/')).toBe(false)
    expect(await isApp('/nonsense', 'POST')).toBe(false)
    expect(await isApp('/nonsense', 'GET', { accept: '*/*' })).toBe(false)
    expect(await isApp('/nonsense', 'GET', { ...html, host: 'evil.example' })).toBe(false)
    const [get, head] = await Promise.all([ask('/nonsense', 'GET', html), ask('/nonsense', 'HEAD', html)])
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
    expect(get.headers.get('content-security-policy')).toContain("'nonce-")
  })

  test('takes precedence over the host check', async () => {
    expect((await ask('/robots.txt', 'GET', { host: 'evil.example' })).status).toBe(404)
  })

  test('has the same length for HEAD as for GET', async () => {
    const [get, head] = await Promise.all([ask('/robots.txt'), ask('/robots.txt', 'HEAD')])
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
  })
})

describe('a page of the web app', () => {
  const paths = Object.values(pages).filter((path) => path !== pages.requestInspector)
  test.each(paths)('%s is the app, even with an unknown ID', async (path) => {
    const answer = await ask(path.replace(/:\w+/g, 'x'))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const nonce = /nonce-([^']+)'/.exec(answer.headers.get('content-security-policy')!)![1]!
    expect(await answer.text()).toContain(nonce)
  })

  test('has a new nonce each time', async () => {
    const policies = await Promise.all(
      [ask('/'), ask('/')].map(async (answer) => (await answer).headers.get('content-security-policy')),
    )
    expect(policies[0]).not.toBe(policies[1])
  })
})

describe('a known path with a wrong method', () => {
  test.each([
    ['PUT', '/api/v1/me', 'GET, HEAD, PATCH'],
    ['DELETE', '/api/v1/openapi.json', 'GET, HEAD'],
    ['POST', '/', 'GET, HEAD'],
    ['POST', '/records/people/x', 'GET, HEAD'],
    ['PROPFIND', '/dashboard', 'GET, HEAD'],
    ['PATCH', '/app/api/session', 'DELETE, GET, HEAD, POST'],
  ])('%s %s is 405 and says what is allowed', async (method, path, allow) => {
    const answer = await ask(path, method)
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe(allow)
  })

  test('is 405 before the key is checked', async () => {
    expect((await ask('/api/v1/me', 'DELETE')).status).toBe(405)
  })
})

describe('the host', () => {
  test.each([
    ['crm.example.com', 200],
    ['CRM.example.com:8080', 200],
    ['localhost', 200],
    ['localhost:3000', 200],
    ['kith.localhost:3000', 200],
    ['127.0.0.1:3000', 200],
    ['[::1]:3000', 200],
    ['192.168.1.20:3000', 200],
    ['evil.example', 400],
    ['crm.example.com.evil.example', 400],
    ['notlocalhost', 400],
    ['2130706433', 400],
    ['crm.example.com@evil.example', 400],
    ['localhost:x', 400],
  ])('%s answers %i to GET /', async (host, status) => {
    const answer = await ask('/', 'GET', { host })
    expect(answer.status).toBe(status)
    if (status === 400)
      expect(await answer.json()).toMatchObject({ code: 'untrusted_host', detail: expect.stringContaining('BASE_URL') })
  })

  test('a person who uses an unknown name gets a page that says what to do, and a program a problem', async () => {
    const page = await ask('/', 'GET', { host: 'evil.example', accept: 'text/html' })
    expect(page.status).toBe(400)
    expect(page.headers.get('content-type')).toBe('text/html; charset=UTF-8')
    expect(await page.text()).toContain('Set BASE_URL')
    const api = await ask('/api/v1/me', 'GET', { host: 'evil.example', accept: 'text/html' })
    expect(api.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  })

  test('POST / is 400 by bare IP and 405 by name', async () => {
    expect((await ask('/', 'POST', { host: '127.0.0.1' })).status).toBe(400)
    expect((await ask('/', 'POST', { host: '[::1]:3000' })).status).toBe(400)
    expect((await ask('/', 'POST')).status).toBe(405)
  })

  test('an untrusted name is refused before a wrong method', async () => {
    expect((await ask('/dashboard', 'DELETE', { host: 'evil.example' })).status).toBe(400)
  })

  test.each(['/livez', '/readyz'])('%s answers under any host', async (path) => {
    expect((await ask(path, 'GET', { host: 'evil.example' })).status).toBe(200)
    expect((await ask(path, 'DELETE', { host: 'localhost' })).status).toBe(405)
  })
})

describe('behind a proxy that speaks HTTPS', async () => {
  const https = await testApp({ baseUrl: 'https://crm.example.com', trustProxy: true })
  const forwarded = (host: string) => ({
    host: 'internal:3000',
    'x-forwarded-host': host,
    'x-forwarded-proto': 'https',
  })

  test('the name is served, with HSTS', async () => {
    const answer = await https.send('/', { headers: forwarded('crm.example.com') })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=31536000/)
  })

  test('a bare IP is refused for every path', async () => {
    for (const path of ['/', '/dashboard', '/api/v1/me']) {
      expect((await https.send(path, { headers: forwarded('203.0.113.7') })).status).toBe(400)
    }
  })

  test('the 404 page shows the address that the visitor used', async () => {
    const answer = await https.send('/robots.txt', { headers: forwarded('crm.example.com') })
    expect(await answer.text()).toContain('GET https://crm.example.com/robots.txt')
  })

  test('a bare IP that BASE_URL names is served', async () => {
    const byIp = await testApp({ baseUrl: 'https://203.0.113.7', trustProxy: true })
    expect((await byIp.send('/', { headers: forwarded('203.0.113.7') })).status).toBe(200)
  })

  test('forwarded headers are ignored without TRUST_PROXY', async () => {
    const answer = await kith.send('/', { headers: { ...forwarded('crm.example.com'), host: 'evil.example' } })
    expect(answer.status).toBe(400)
  })
})

describe('behind proxies with configured addresses', async () => {
  const listed = await testApp({ baseUrl: 'https://crm.example.com', trustProxy: ['10.0.0.0/8', '127.0.0.1'] })
  const from = (remoteAddress: string, forwardedFor: string) =>
    listed.app.inject({
      url: '/api/v1/me',
      remoteAddress,
      headers: {
        host: 'evil.example',
        'x-forwarded-host': 'crm.example.com',
        'x-forwarded-proto': 'https',
        'x-forwarded-for': forwardedFor,
      },
    })

  test('forwarded headers are accepted only from them', async () => {
    expect((await from('10.1.2.3', '203.0.113.5')).statusCode).toBe(401)
    expect((await from('127.0.0.1', '203.0.113.5')).statusCode).toBe(401)
    expect((await from('203.0.113.9', '203.0.113.5')).statusCode).toBe(400)
  })

  test('the client is the last address that is not a proxy', async () => {
    const owner = await listed.given.company()
    const token = await listed.given.session(owner)
    const answer = await listed.app.inject({
      method: 'DELETE',
      url: '/app/api/session',
      remoteAddress: '10.1.2.3',
      headers: {
        cookie: `__Host-kith_session=${token}`,
        'content-type': 'application/json',
        'x-forwarded-host': 'crm.example.com',
        'x-forwarded-proto': 'https',
        'x-forwarded-for': '198.51.100.7, 203.0.113.5, 10.9.9.9',
      },
    })
    expect(answer.statusCode).toBe(200)
    const { rows } = await listed.pool.query("select ip from audit_events where action = 'session.ended'")
    expect(rows).toEqual([{ ip: '203.0.113.5' }])
  })
})

describe('the origin', () => {
  test.each([
    ['http://crm.example.com', 401],
    ['http://evil.example', 403],
    ['null', 403],
    ['http://crm.example.com:81', 403],
    ['not a url', 403],
  ])('%s answers %i', async (origin, status) => {
    expect((await ask('/api/v1/me', 'GET', { origin })).status).toBe(status)
  })
})

describe('the request inspector', () => {
  test('/_profiler redirects to /_profiler/ with 301', async () => {
    const answer = await ask('/_profiler')
    expect(answer.status).toBe(301)
    expect(answer.headers.get('location')).toBe('/_profiler/')
  })

  test('shows strangers the sign-in page, members 403, Admins the page', async () => {
    const admin = await kith.given.company()
    const member = await kith.given.user(admin)
    const as = async (user: typeof admin) =>
      ask('/_profiler/', 'GET', { cookie: `kith_session=${await kith.given.session(user)}` })
    const stranger = await ask('/_profiler/')
    expect(stranger.status).toBe(302)
    expect(stranger.headers.get('location')).toBe('/sign-in?next=%2F_profiler%2F')
    expect((await as(member)).status).toBe(403)
    expect((await as(admin)).status).toBe(200)
  })
})

test('every answer has a request id and the security headers', async () => {
  for (const path of ['/', '/robots.txt', '/api/v1/me', '/api/v1/openapi.json', '/livez', '/%']) {
    const { headers } = await ask(path)
    expect(headers.get('x-request-id'), path).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    const policy = headers.get('content-security-policy')!.replace(/ 'nonce-[^']+'/, '')
    expect(policy).toBe(
      "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    expect(headers.get('server'), 'no banner').toBeNull()
    expect(headers.get('x-powered-by')).toBeNull()
  }
})
