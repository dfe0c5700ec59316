import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import type { GivenUser } from '../../test/given.ts'
import { onTheWire } from '../../test/wire.ts'
import { announce } from '../kernel/live.ts'

// Their sessions are looked up only when there is a reason.
const liveLimits = { checkMs: 3_600_000 }
const kith = await testApp({ liveLimits })
const other = await testApp({ database: kith, liveLimits })
const { send } = await onTheWire(kith)
await onTheWire(other)
const path = '/app/api/live'

let admin: GivenUser
let member: GivenUser
beforeEach(async () => {
  admin = await kith.given.company()
  member = await kith.given.user(admin)
})

const portOf = ({ app }: TestApp) => (app.server.address() as AddressInfo).port
const within = { timeout: 60_000, interval: 10 }

/** Asks for a stream; the answer may also be a refusal. */
function ask(app: TestApp, token: string, query = '') {
  const headers = { host: 'localhost', cookie: `kith_session=${token}` }
  return new Promise<{ answer: IncomingMessage; sent: ClientRequest }>((resolve, reject) => {
    const sent = request({ port: portOf(app), path: path + query, headers, agent: false }, (answer) =>
      resolve({ answer, sent }),
    )
    sent.once('error', reject).end()
    onTestFinished(() => void sent.destroy())
  })
}

/** An open page, and what it hears. */
async function listen(app: TestApp, token: string, query = '') {
  const { answer, sent } = await ask(app, token, query)
  const page = { answer, text: '', isOver: false, leave: () => sent.destroy() }
  answer.setEncoding('utf8').on('data', (text) => (page.text += text))
  answer.once('end', () => {
    page.isOver = true
  })
  answer.on('error', () => {})
  sent.on('error', () => {})
  await vi.waitFor(() => expect(page.text).toContain('retry: 3000\n\n'), within)
  return page
}
type Page = Awaited<ReturnType<typeof listen>>

const listenAs = async (app: TestApp, user: GivenUser) => listen(app, await kith.given.session(user))
const eventsOf = ({ text }: Page) => [...text.matchAll(/^event: (.*)\ndata: (.*)\n\n/gm)].map((found) => found.slice(1))
const whenHeard = (page: Page, event: string, data = '{}') =>
  vi.waitFor(() => expect(eventsOf(page)).toContainEqual([event, data]), within)
const whenOver = (page: Page) => vi.waitFor(() => expect(page.isOver).toBe(true), within)
const tell = (user: GivenUser, event: string, data?: Record<string, unknown>) =>
  announce(kith.db, [{ company_id: user.company_id, user_id: user.user_id, event, data }])
const logOf = ({ logged }: TestApp, id: string) =>
  logged.map((line) => JSON.parse(line)).filter(({ request_id }) => request_id === id)
const idOf = ({ answer }: Page) => answer.headers['x-request-id'] as string

describe('the stream', () => {
  test('is an event stream that is neither cached nor buffered by proxies', async () => {
    const { answer } = await listenAs(kith, admin)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
  })

  test('shows now and then that it is alive', async () => {
    const app = await testApp({ database: kith, liveLimits: { heartbeatMs: 20 } })
    await onTheWire(app)
    const page = await listenAs(app, admin)
    await vi.waitFor(() => expect(page.text).toMatch(/\n:\n\n:\n\n/), within)
  })

  test('delivers messages from any process to one user or the whole company, and no one else', async () => {
    const stranger = await kith.given.company()
    const pages = [await listenAs(kith, admin), await listenAs(other, member), await listenAs(other, stranger)]
    await tell(member, 'notification.created', { id: 'n1' })
    await announce(other.db, [{ company_id: admin.company_id, event: 'record.updated', data: { id: 'r1' } }])
    await tell(stranger, 'last')
    for (const page of pages.slice(0, 2)) await whenHeard(page, 'record.updated', '{"id":"r1"}')
    await whenHeard(pages[2]!, 'last')
    expect(pages.map((page) => eventsOf(page).map(([event]) => event))).toEqual([
      ['record.updated'],
      ['notification.created', 'record.updated'],
      ['last'],
    ])
  })

  test('tells a page again what was said while it loaded, and nothing to others', async () => {
    const stranger = await kith.given.company()
    const early = await listenAs(kith, admin)
    await tell(member, 'for.member')
    await announce(kith.db, [{ company_id: admin.company_id, event: 'for.all' }])
    await whenHeard(early, 'for.all')
    const pages = [
      await listen(kith, await kith.given.session(admin), '?loading_ms=20000'),
      await listen(kith, await kith.given.session(member), '?loading_ms=20000'),
      await listen(kith, await kith.given.session(stranger), '?loading_ms=20000'),
      await listen(kith, await kith.given.session(admin), '?loading_ms=nonsense'),
    ]
    for (const user of [admin, member, stranger]) await tell(user, 'last')
    for (const page of pages) await whenHeard(page, 'last')
    expect(pages.map((page) => eventsOf(page).map(([event]) => event))).toEqual([
      ['for.all', 'last'],
      ['for.member', 'for.all', 'last'],
      ['last'],
      ['last'],
    ])
  })

  test('asks pages to reload everything after the listening connection was lost, and continues', async () => {
    const page = await listenAs(other, admin)
    await kith.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'kith live'`)
    await whenHeard(page, 'resync')
    await tell(admin, 'next')
    await whenHeard(page, 'next')
  })

  test('does not start for HEAD, which returns only headers', async () => {
    const cookie = `kith_session=${await kith.given.session(admin)}`
    const answer = await send(path, { method: 'HEAD', headers: { host: 'localhost', cookie } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  })
})

describe('is refused:', () => {
  const host = 'localhost'

  test('without a session, 401', async () => {
    for (const cookie of ['', 'kith_session=wrong']) {
      const answer = await send(path, { headers: { host, cookie } })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        401,
        'application/problem+json; charset=utf-8',
      ])
      expect(await answer.json()).toMatchObject({ code: 'unauthenticated' })
    }
  })

  test('to a key, 401', async () => {
    const key = await kith.given.key(admin)
    expect((await send(path, { headers: { host, 'x-api-key': key } })).status).toBe(401)
  })

  test('to the page of another site, 403', async () => {
    const cookie = `kith_session=${await kith.given.session(admin)}`
    const answer = await send(path, { headers: { host, cookie, origin: 'https://evil.example' } })
    expect(answer.status).toBe(403)
  })

  test('by another method, 405', async () => {
    const answer = await send(path, { method: 'POST', headers: { host } })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('is 503 beyond the limit of a process', async () => {
    const full = await testApp({ database: kith, liveLimits: { streams: 1 } })
    const wire = await onTheWire(full)
    const first = await listenAs(full, admin)
    const token = await kith.given.session(member)
    const answer = await wire.send(path, { headers: { host, cookie: `kith_session=${token}` } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      503,
      'application/problem+json; charset=utf-8',
    ])
    expect(answer.headers.get('retry-after')).toBe('5')
    first.leave()
    await vi.waitFor(async () => expect((await ask(full, token)).answer.statusCode).toBe(200), within)
  })
})

describe('a change of access takes effect immediately, in every process:', () => {
  test('a demotion is announced', async () => {
    const second = await kith.given.company()
    const token = await kith.given.session(admin)
    const page = await listen(other, token)
    const bystander = await listenAs(other, second)
    await kith.db.updateTable('roles').set({ is_admin: false }).where('company_id', '=', admin.company_id).execute()
    await announce(kith.db, [{ company_id: admin.company_id, event: 'access' }])
    await whenHeard(page, 'access')
    await tell(second, 'last')
    await whenHeard(bystander, 'last')
    expect([page.isOver, eventsOf(bystander)]).toEqual([false, [['last', '{}']]])
  })

  test('signing out ends the pages of that session', async () => {
    const token = await kith.given.session(admin)
    const pages = [await listen(kith, token), await listen(other, token)]
    const elsewhere = await listenAs(other, admin)
    await kith.withSession(token).signOut({})
    await tell(admin, 'access')
    for (const page of pages) await whenOver(page)
    expect(pages.map(eventsOf)).toEqual(Array(2).fill([['signed-out', '{}']]))
    await tell(admin, 'last')
    await whenHeard(elsewhere, 'last')
    expect(eventsOf(elsewhere)).toEqual([['last', '{}']])
  })

  test('signing out everywhere ends the pages of all sessions', async () => {
    const token = await kith.given.session(admin)
    const pages = [await listen(kith, token), await listenAs(kith, admin), await listenAs(other, admin)]
    await kith.withSession(token).signOutEverywhere({})
    await tell(admin, 'access')
    for (const page of pages) await whenOver(page)
    expect(pages.map(eventsOf)).toEqual(Array(3).fill([['signed-out', '{}']]))
  })

  test('a deactivation ends the pages of the user', async () => {
    const page = await listenAs(other, member)
    const { user_id } = member
    await kith.db.updateTable('users').set({ deactivated_at: new Date() }).where('id', '=', user_id).execute()
    await tell(member, 'access')
    await whenHeard(page, 'signed-out')
    await whenOver(page)
  })
})

describe('a session', () => {
  test('is not kept alive by an open page, and expires', async () => {
    const watchful = await testApp({ database: kith, liveLimits: { checkMs: 300 } })
    await onTheWire(watchful)
    const token = await kith.given.session(member)
    const seen = () =>
      kith.db.selectFrom('sessions').select('last_seen_at').where('user_id', '=', member.user_id).execute()
    const before = await seen()
    const start = watchful.time.now.getTime()
    watchful.time.now = new Date(start + 6 * 86_400_000)
    const page = await listen(watchful, token)
    await tell(member, 'access')
    await tell(member, 'still.there')
    await whenHeard(page, 'still.there')
    expect(await seen()).toEqual(before)
    watchful.time.now = new Date(start + 8 * 86_400_000)
    await whenHeard(page, 'signed-out')
    await whenOver(page)
  })
})

describe('nothing accumulates:', () => {
  const tellMuch = ({ company_id, user_id }: GivenUser, length: number) => {
    const filling = 'x'.repeat(7600)
    const messages = Array.from({ length }, (_, n) => ({ company_id, user_id, event: 'much', data: { n, filling } }))
    return announce(kith.db, messages)
  }

  test('the twenty-first page of a user ends the first', async () => {
    const token = await kith.given.session(admin)
    const pages = await Array.fromAsync({ length: 21 }, () => listen(kith, token))
    await whenOver(pages[0]!)
    expect(eventsOf(pages[0]!)).toEqual([['replaced', '{}']])
    await tell(admin, 'last')
    for (const page of pages.slice(1)) await whenHeard(page, 'last')
  })

  test('a client that does not read is disconnected', async () => {
    const { answer } = await ask(kith, await kith.given.session(admin))
    const reader = await listenAs(kith, member)
    const id = answer.headers['x-request-id'] as string
    for (let round = 0; round < 40 && !logOf(kith, id).length; round++) {
      await tellMuch(admin, 100)
      await tell(member, `round.${round}`)
      await whenHeard(reader, `round.${round}`)
    }
    expect(logOf(kith, id)).toHaveLength(1)
    await expect(Array.fromAsync(answer)).rejects.toThrow('aborted')
  })

  test('a page that disconnects, or is disconnected, is in the request log once', async () => {
    const pages = [await listenAs(kith, admin), await listenAs(kith, member)]
    pages[0]!.leave()
    await kith.db.deleteFrom('sessions').where('user_id', '=', member.user_id).execute()
    await tell(member, 'access')
    await whenOver(pages[1]!)
    await vi.waitFor(() => expect(logOf(kith, idOf(pages[0]!))).toHaveLength(1), within)
    await kith.requests.flush()
    for (const page of pages) {
      const id = idOf(page)
      expect(logOf(kith, id)).toMatchObject([{ route: path, method: 'GET', status: 200, msg: 'request' }])
      expect(await kith.db.selectFrom('requests').select('status').where('id', '=', id).execute()).toHaveLength(1)
    }
    expect(kith.logged.filter((line) => JSON.parse(line).level > 40)).toEqual([])
  })

  test('signing out and stopping end every stream, even one that does not read', async () => {
    const brief = await testApp({ database: kith, liveLimits: { ...liveLimits, unreadBytes: 1e9 } })
    await onTheWire(brief)
    const stalled = [
      await ask(brief, await kith.given.session(admin)),
      await ask(brief, await kith.given.session(admin)),
    ]
    const [signedOut, stays] = stalled.map(({ answer }) => answer.headers['x-request-id'] as string)
    const pages = await Array.fromAsync({ length: 5 }, () => listenAs(brief, member))
    await tellMuch(admin, 1000)
    await tell(member, 'much.was.said')
    await whenHeard(pages[0]!, 'much.was.said')
    const first = kith.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', admin.user_id)
      .orderBy('id')
      .limit(1)
    await kith.db.deleteFrom('sessions').where('id', 'in', first).execute()
    await tell(admin, 'access')
    await vi.waitFor(() => expect(logOf(brief, signedOut!)).toHaveLength(1), within)
    expect(logOf(brief, stays!)).toEqual([])
    await brief.app.close()
    for (const page of pages) await whenOver(page)
    for (const page of pages) expect(logOf(brief, idOf(page))).toHaveLength(1)
    await vi.waitFor(() => expect(logOf(brief, stays!)).toHaveLength(1), within)
  })
})

test('a page is told only about changes in objects that its user may currently read', async () => {
  const api = kith.withSession(await kith.given.session(admin))
  const nothing = { read: 'none', create: true, edit: 'none', delete: 'none' } as const
  const role = await api.createRole({
    name: 'Own deals',
    records: { '*': nothing, deals: { ...nothing, read: 'own' } },
  })
  const narrow = await kith.given.user(admin, { role: 'Own deals' })
  const [page, all] = [await listenAs(kith, narrow), await listenAs(kith, admin)]
  const { company_id } = admin
  const change = (object: string) => announce(kith.db, [{ company_id, event: 'records', data: { object } }])
  for (const object of ['people', 'constructor', 'deals']) await change(object)
  await whenHeard(page, 'records', '{"object":"deals"}')
  await whenHeard(all, 'records', '{"object":"people"}')
  expect(page.text).not.toMatch(/people|constructor/)
  await api.updateRole({ id: role.id, records: { '*': nothing, people: { ...nothing, read: 'all' } } })
  await announce(kith.db, [{ company_id, event: 'access' }])
  await whenHeard(page, 'access')
  for (const object of ['deals', 'people']) await change(object)
  await whenHeard(page, 'records', '{"object":"people"}')
  expect(eventsOf(page).filter(([, data]) => data === '{"object":"deals"}')).toHaveLength(1)
})
