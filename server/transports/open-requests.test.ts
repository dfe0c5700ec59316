// Requests that are begun and never finished, on real connections.
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { givenGateway, written } from '../../test/gateway.ts'
import { onStatement } from '../../test/statements.ts'
import { onTheWire } from '../../test/wire.ts'

const within = { timeout: 15_000, interval: 10 }
const [here, elsewhere] = ['127.0.0.1', '127.0.0.2']

type Begun = { socket: Socket; answer: () => string; status: () => Promise<number> }

/** Sends the head of a request and the beginning of its body. */
function begin({ app }: TestApp, path: string, more: { from?: string; headers?: object; length?: number } = {}): Begun {
  const { from = here, headers = {}, length = 5000 } = more
  const socket = connect({ port: (app.server.address() as AddressInfo).port, host: here, localAddress: from })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  let received = ''
  socket.on('data', (piece) => (received += piece))
  const fields = { host: 'localhost:3000', 'content-type': 'application/json', 'content-length': length, ...headers }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  socket.write(`${[`POST ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n{`)
  const status = () =>
    vi.waitFor(() => {
      expect(received).toMatch(/^HTTP\/1\.1 \d{3}/)
      return Number(received.slice(9, 12))
    }, within)
  return { socket, answer: () => received, status }
}
const answered = (all: Begun[]) => all.filter(({ answer }) => answer()).length
const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))

describe('strangers', async () => {
  const kith = await testApp({ openLimits: { strangers: { each: 50, few: 2, all: 500 } } })
  const full = await testApp({ openLimits: { strangers: { each: 50, few: 1, all: 2 } } })
  await onTheWire(kith)
  await onTheWire(full)

  test('use up the share of their network, and 200 people who are signed in there notice nothing', async () => {
    const admin = await kith.given.company()
    const users = await Promise.all(times(200, () => kith.given.user(admin)))
    const tokens = await Promise.all(users.map((user) => kith.given.session(user)))
    const strangers = times(60, () => begin(kith, '/app/api/session'))
    await vi.waitFor(() => expect(answered(strangers)).toBe(10), within)
    for (const { answer } of strangers.filter(({ answer }) => answer())) {
      expect(answer()).toMatch(/^HTTP\/1\.1 429 /)
      expect(answer()).toMatch(/\r\nretry-after: 2\r\n/i)
    }
    expect(await begin(kith, '/public/forms/none/submissions').status()).toBe(429)
    const path = '/app/api/records/people/count'
    const body = '{"exact":false}'
    const own = tokens.map((token) =>
      begin(kith, path, { headers: { cookie: `kith_session=${token}` }, length: body.length }),
    )
    const others = await Promise.all(
      tokens.map((token) => kith.send('/app/api/me', { headers: { cookie: `kith_session=${token}` } })),
    )
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answered(own), 'they are all open').toBe(0)
    // Few at a time: a company's calls do not wait long for a database connection.
    while (own.length) {
      const few = own.splice(0, 20)
      for (const { socket } of few) socket.write(body.slice(1))
      for (const { status } of few) expect(await status()).toBe(200)
    }
    // Another network has a share of its own.
    const other = begin(kith, '/app/api/session', { from: elsewhere, length: 2 })
    other.socket.write('}')
    expect(await other.status()).toBe(422)
    for (const { socket } of strangers) socket.destroy()
    await vi.waitFor(async () => expect((await kith.send('/app/api/session')).status).toBe(200), within)
  })

  test('of many networks leave everything to people who are signed in', async () => {
    const key = await full.given.key(await full.given.company())
    const strangers = times(5, (i) => begin(full, '/app/api/session', { from: `127.0.1.${i + 1}` }))
    await vi.waitFor(() => expect(answered(strangers)).toBe(1), within)
    expect(strangers.find(({ answer }) => answer())!.answer()).toMatch(/^HTTP\/1\.1 503 /)
    expect((await full.send('/api/v1/me', { headers: { 'x-api-key': key } })).status).toBe(200)
  })

  test('who call what needs a sign-in get 401 before their body is read', async () => {
    expect(await begin(kith, '/app/api/records/people', { length: 1_000_000 }).status()).toBe(401)
  })

  test('cannot post to channels that do not exist: they get 404 before their body is read', async () => {
    const made = begin(kith, `/public/channels/${'A'.repeat(43)}/messages`, { length: 15_000_000 })
    expect(await made.status()).toBe(404)
    expect(made.answer()).toMatch(/^connection: close\r$/im)
  })
})

describe('people who are signed in', async () => {
  const kith = await testApp({ openLimits: { users: { each: 2, company: 3, few: 1, all: 4 } } })
  await onTheWire(kith)
  const path = '/app/api/records/people/count'

  test('share the requests of their company, and another company has its own', async () => {
    const admin = await kith.given.company()
    const member = await kith.given.user(admin)
    const cookieOf = async (user = admin) => ({ cookie: `kith_session=${await kith.given.session(user)}` })
    const [own, colleague, foreign] = [
      await cookieOf(),
      await cookieOf(member),
      await cookieOf(await kith.given.company()),
    ]
    const statusFor = async (headers: object) => (await kith.send('/app/api/me', { headers: { ...headers } })).status
    const three = times(3, () => begin(kith, path, { headers: own }))
    await vi.waitFor(() => expect(answered(three)).toBe(1), within)
    expect(await statusFor(own)).toBe(429)
    const two = times(2, () => begin(kith, path, { headers: colleague }))
    await vi.waitFor(() => expect(answered(two)).toBe(1), within)
    expect([await statusFor(colleague), await statusFor(foreign)]).toEqual([429, 200])
    // Then all four are used, but a company that has none open gets one of the reserve.
    const more = times(2, () => begin(kith, path, { headers: foreign }))
    await vi.waitFor(() => expect(answered(more)).toBe(1), within)
    const third = await cookieOf(await kith.given.company())
    expect([await statusFor(foreign), await statusFor(third)]).toEqual([503, 200])
    for (const { socket } of three) socket.destroy()
    await vi.waitFor(async () => expect(await statusFor(own)).toBe(200), within)
  })

  test('can have more pages open than requests', async () => {
    const cookie = `kith_session=${await kith.given.session(await kith.given.company())}`
    const port = (kith.app.server.address() as AddressInfo).port
    const pages = times(5, () => {
      const socket = connect(port, here)
      onTestFinished(() => void socket.destroy())
      let text = ''
      socket.on('data', (piece) => (text += piece))
      socket.write(`GET /app/api/live?loading_ms=5 HTTP/1.1\r\nhost: localhost:3000\r\ncookie: ${cookie}\r\n\r\n`)
      return () => text
    })
    await vi.waitFor(() => {
      for (const text of pages) expect(text()).toContain('retry: 3000')
    }, within)
    expect((await kith.send('/app/api/me', { headers: { cookie } })).status).toBe(200)
  })
})

describe('gateways of a company', async () => {
  const kith = await testApp({ own: true })
  await onTheWire(kith)

  test('post one large body at a time, from whichever network, and small ones meanwhile', async () => {
    const { post, postPath } = await givenGateway(kith, await kith.given.company())
    const lookups: string[] = []
    onStatement(kith.pools.work, ({ text }) => text.includes('from channels') && lookups.push(text))
    const first = begin(kith, postPath, { length: 200_000 })
    await vi.waitFor(() => expect(lookups.length).toBeGreaterThan(0), within)
    // Channels are looked up in turn, so the first one has been found by now.
    expect(await post([written()])).toMatchObject({ status: 200 })
    const second = begin(kith, postPath, { length: 200_000, from: elsewhere })
    second.socket.write(' '.repeat(199_999))
    for (let i = 0; i < 3; i++) expect(await post([written()])).toMatchObject({ status: 200 })
    expect([first.answer(), second.answer()]).toEqual(['', ''])
    first.socket.destroy()
    expect(await second.status()).toBe(401)
  })
})
