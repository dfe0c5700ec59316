// What outsiders reach under /public: no cookie, no key, their own limits and rules of origin.
import { describe, expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { testSmtp } from '../../test/smtp.ts'
import { testWorker } from '../../test/worker.ts'
import { createLink } from '../accounts/links/queries.ts'
import { unsubscribeUrl } from '../notifications/unsubscribe.ts'

const smtp = await testSmtp()
const kith = await testApp({ smtpUrl: smtp.url, baseUrl: 'https://crm.example.com', trustProxy: true })
const worker = await testWorker(kith)
const { given } = kith
const own = { host: 'crm.example.com', 'x-forwarded-proto': 'https' }
const form = { ...own, 'content-type': 'application/x-www-form-urlencoded' }
const send = (path: string, init: RequestInit = {}) =>
  kith.send(path, { ...init, headers: { ...own, ...init.headers } })
const post = (path: string, body: string, headers: Record<string, string> = form) =>
  send(path, { method: 'POST', headers, body })
const oneClick = 'List-Unsubscribe=One-Click'

async function subscriber(kind: 'role_changed' | 'account_changed' = 'role_changed') {
  const { company_id, user_id, email } = await given.user(await given.company())
  const url = unsubscribeUrl(kith.services.vault, kith.services.baseUrl, { company_id, user_id, kind })
  const choice = async () => {
    const rows = kith.db.selectFrom('notification_choices').select(['kind', 'app', 'email'])
    return rows.where('user_id', '=', user_id).execute()
  }
  return { company_id, user_id, email, path: new URL(url).pathname, choice }
}

describe('an outsider', () => {
  test('can check the health of Kith, even from the page of another site, without credentials', async () => {
    const answer = await send('/public/health', { headers: { origin: 'https://status.example' } })
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }])
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBe(null)
    const preflight = await send('/public/health', { method: 'OPTIONS', headers: { origin: 'https://status.example' } })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, POST')
  })

  test('is anonymous, even with a cookie or key, and gets no cookie', async () => {
    const user = await given.company()
    const token = await given.session(user)
    const { path } = await subscriber()
    const cookie = `__Host-kith_session=${token}; kith_session=${token}`
    for (const url of ['/public/health', path]) {
      const answer = await send(url, { headers: { cookie, 'x-api-key': await given.key(user) } })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('set-cookie')).toBe(null)
    }
    const known = (route: string) => kith.logged.filter((line) => line.includes(route) && line.includes(user.user_id))
    expect(known('/public/')).toEqual([])
    for (const path of ['/public/me', '/public/session', '/public/records/people'])
      expect((await send(path, { headers: { cookie } })).status, path).toBe(404)
  })

  test('cannot call operations of /public under the other mounts', async () => {
    const key = await given.key(await given.company())
    expect((await send('/api/v1/health', { headers: { 'x-api-key': key } })).status).toBe(404)
    expect((await send('/app/api/health')).status).toBe(404)
  })

  test('cannot be the page of another site, unless the operation allows it', async () => {
    const { path, choice } = await subscriber()
    const origin = 'https://evil.example'
    expect((await send(path, { headers: { origin } })).status).toBe(403)
    expect((await post(path, oneClick, { ...form, origin })).status).toBe(403)
    expect((await post('/public/account-links/lookup', '{}', { ...own, origin })).status).toBe(403)
    expect((await send(path, { method: 'OPTIONS', headers: { origin } })).status).toBe(405)
    expect(await choice()).toEqual([])
  })

  test('is limited per network, separately from signed-in users', async () => {
    const busy = await testApp({ rateLimits: { outsider: { perSecond: 0.001, burst: 3 } } })
    const statuses = []
    for (let i = 0; i < 5; i++) statuses.push((await busy.send('/public/health')).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    const refused = await busy.send('/public/health')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await busy.send('/app/api/session')).status).toBe(200)
  })
})

describe('a form', () => {
  test('is read as text fields, also as multipart', async () => {
    const { path } = await subscriber()
    const parts = `--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n`
    expect((await post(path, parts, { ...own, 'content-type': 'multipart/form-data; boundary=x' })).status).toBe(200)
    expect((await post(path, oneClick)).status).toBe(200)
  })

  test.each([
    [
      'a file',
      400,
      '--x\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\nb\r\n--x--\r\n',
      'multipart/form-data; boundary=x',
    ],
    ['parts that are none', 400, 'nonsense', 'multipart/form-data; boundary=x'],
    ['an unknown field', 400, 'a=1', 'application/x-www-form-urlencoded'],
    ['__proto__', 400, '__proto__=1', 'application/x-www-form-urlencoded'],
    ['a field twice', 422, 'list_unsubscribe=1&list_unsubscribe=2', 'application/x-www-form-urlencoded'],
    ['a NUL', 400, 'list_unsubscribe=%00', 'application/x-www-form-urlencoded'],
    ['many fields', 413, 'a=1&'.repeat(300), 'application/x-www-form-urlencoded'],
    ['a large body', 413, `a=${'1'.repeat(70_000)}`, 'application/x-www-form-urlencoded'],
    ['JSON', 415, '{}', 'application/json'],
    ['plain text', 415, oneClick, 'text/plain'],
  ])('with %s is refused with %i', async (_, status, body, type) => {
    const { path, choice } = await subscriber()
    expect((await post(path, body, { ...own, 'content-type': type })).status).toBe(status)
    expect(await choice()).toEqual([])
  })
})

describe('an unsubscribe link', () => {
  test('is in the email and in its one-click headers', async () => {
    const user = await given.user(await given.company())
    const { company_id, user_id } = user
    await worker.run('notify', { company_id, event: 'user.role_changed', payload: { user_id, role: 'Admin' } })
    worker.wake()
    const mail = await smtp.mailTo(user.email)
    const { url } = (mail.headers.get('list') as unknown as { unsubscribe: { url: string } }).unsubscribe
    expect(url).toMatch(/^https:\/\/crm\.example\.com\/public\/unsubscribe\/[\w-]+$/)
    expect(mail.text).toContain(url)
    expect(mail.headerLines.find(({ key }) => key === 'list-unsubscribe-post')?.line).toContain(oneClick)
    expect((await post(new URL(url).pathname, oneClick)).status).toBe(200)
    const rows = kith.db.selectFrom('notification_choices').select(['kind', 'app', 'email'])
    expect(await rows.where('user_id', '=', user_id).execute()).toEqual([
      { kind: 'role_changed', app: true, email: false },
    ])
  })

  test('opens a page that does nothing until its button is clicked', async () => {
    const { path, choice } = await subscriber()
    const page = await send(path)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(page.headers.get('cache-control')).toBe('no-store')
    const html = await page.text()
    expect(html).toContain('<form method="post"><button type="submit" name="list_unsubscribe"')
    expect(html).not.toContain('<script')
    await send(path, { method: 'HEAD' })
    expect(await choice()).toEqual([])
    const done = await post(path, 'list_unsubscribe=One-Click', { ...form, origin: 'https://crm.example.com' })
    expect(await done.text()).toContain('You are unsubscribed')
    expect(await choice()).toEqual([{ kind: 'role_changed', app: true, email: false }])
  })

  test('keeps what else was chosen, and may be used twice', async () => {
    const { company_id, user_id, path, choice } = await subscriber()
    const chosen = { company_id, user_id, kind: 'role_changed', app: false, email: true }
    await kith.db.insertInto('notification_choices').values(chosen).execute()
    for (let i = 0; i < 2; i++) expect((await post(path, oneClick)).status).toBe(200)
    expect(await choice()).toEqual([{ kind: 'role_changed', app: false, email: false }])
  })

  test('that was changed, or belongs to a warning or a removed user, does not work', async () => {
    const { path, user_id } = await subscriber()
    const token = path.split('/').at(-1)!
    const sealed = kith.services.vault.seal('a secret', 'users.totp_secret x').toString('base64url')
    const warning = (await subscriber('account_changed')).path
    for (const bad of [
      `${path}AAAA`,
      path.slice(0, -2),
      `/public/unsubscribe/${sealed}`,
      '/public/unsubscribe/x',
      warning,
    ]) {
      expect((await send(bad)).status, bad).toBe(404)
      expect((await post(bad, oneClick)).status, bad).toBe(404)
    }
    const flipped = (token[5] === 'A' ? 'B' : 'A') + token.slice(6)
    expect((await send(`/public/unsubscribe/${token.slice(0, 5)}${flipped}`)).status).toBe(404)
    await kith.db.updateTable('users').set({ removed_at: kith.time.now }).where('id', '=', user_id).execute()
    expect((await post(path, oneClick)).status).toBe(404)
  })

  test('shows an error page if it does not work', async () => {
    const answer = await post('/public/unsubscribe/x', oneClick, { ...form, accept: 'text/html' })
    expect(answer.headers.get('content-type')).toBe('text/html; charset=UTF-8')
    expect(await answer.text()).toContain('no longer valid')
  })

  test('is never logged', async () => {
    const { path } = await subscriber()
    await send(path)
    await post(path, oneClick)
    await send(`${path}?token=${path}`)
    expect(kith.logged.join()).toContain('/public/unsubscribe/:token')
    expect(kith.logged.join()).not.toContain(path.split('/').at(-1)!)
  })
})

describe('a link for an account', () => {
  const json = { ...own, 'content-type': 'application/json' }
  const paths = ['reading', 'invitation', 'reset', 'email'].map((path) => `/public/account-links/${path}`)

  test.each(paths)('is looked up or used at %s, without a session before or after, and never logged', async (path) => {
    const { company_id, user_id } = await given.user(await given.company())
    const { token } = await createLink(kith.db, {
      company_id,
      user_id,
      kind: path.endsWith('invitation') ? 'invitation' : 'reset',
      created_by: null,
      now: kith.time.now,
    })
    const body = JSON.stringify({
      token,
      ...(path.endsWith('invitation') && { name: 'Sam' }),
      ...(/invitation|reset/.test(path) && { password: 'a long enough sentence' }),
    })
    const answer = await post(path, body, json)
    expect(answer.status).toBe(path.endsWith('email') ? 404 : 200)
    expect(answer.headers.get('set-cookie')).toBe(null)
    expect(kith.logged.join()).not.toContain(token)
    expect((await post(path.replace('/public', '/app/api'), body, json)).status).toBe(404)
  })
})
