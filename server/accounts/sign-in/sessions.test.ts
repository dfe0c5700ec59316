import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { hashPassword } from '../credentials/passwords.ts'
import { sessionLimits } from '../sessions/queries.ts'

const kith = await testApp({ own: true })
const password = 'correct horse battery'
const password_hash = await hashPassword(password)
const person = () => kith.given.company({ password_hash })
const { minutes } = kith

const post = (body: object, headers: Record<string, string> = {}) =>
  kith.send('/app/api/session', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0] ?? ''
const tokenOf = (answer: Response) => /kith_session=([^;]+)/.exec(cookieOf(answer))?.[1] ?? ''
const stateOf = async (token: string) => (await kith.withSession(token).getSession({})).state

describe('signing in', () => {
  test('returns the user and sets the cookie', async () => {
    const { email } = await person()
    const answer = await post({ email: ` ${email.toUpperCase()} `, password })
    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({ state: 'signed_in', me: { email, role: 'Admin' } })
    expect(cookieOf(answer)).toMatch(/^kith_session=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(await stateOf(tokenOf(answer))).toBe('signed_in')
  })

  test('under https the cookie is __Host- and Secure', async () => {
    const https = await testApp({ baseUrl: 'https://crm.example.com', trustProxy: true })
    const { email } = await https.given.company({ password_hash })
    const answer = await https.send('/app/api/session', {
      method: 'POST',
      body: JSON.stringify({ email, password }),
      headers: {
        'content-type': 'application/json',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'crm.example.com',
      },
    })
    expect(cookieOf(answer)).toMatch(
      /^__Host-kith_session=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  test('creates a new token each time and ends the one that was presented', async () => {
    const { email } = await person()
    const first = tokenOf(await post({ email, password }))
    const second = tokenOf(await post({ email, password }, { cookie: `kith_session=${first}` }))
    expect(second).not.toBe(first)
    expect(await stateOf(first)).toBe('signed_out')
    expect(await stateOf(second)).toBe('signed_in')
  })

  test('a token that the visitor already had never becomes a session', async () => {
    const { email } = await person()
    const planted = 'A'.repeat(43)
    expect(tokenOf(await post({ email, password }, { cookie: `kith_session=${planted}` }))).not.toBe(planted)
    expect(await stateOf(planted)).toBe('signed_out')
  })

  test('the database stores only a hash of the token, and argon2id of the password', async () => {
    const { email, user_id } = await person()
    const token = tokenOf(await post({ email, password }))
    const { rows } = await kith.pool.query(
      `select token_hash, to_jsonb(s)::text as text from sessions s where user_id = '${user_id}'`,
    )
    expect(rows[0].token_hash).toHaveLength(32)
    expect(rows[0].text).not.toContain(token)
    expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('a wrong password and an unknown email address get the same response', async () => {
    const { email } = await person()
    const answers = await Promise.all([
      post({ email, password: 'wrong' }),
      post({ email: 'no@example.com', password: 'wrong' }),
    ])
    const bodies = await Promise.all(
      answers.map(async (answer) => ({ ...((await answer.json()) as object), request_id: '' })),
    )
    expect(answers.map((answer) => answer.status)).toEqual([401, 401])
    expect(bodies[0]).toEqual(bodies[1])
  })

  test('a user without a password and a deactivated one cannot sign in', async () => {
    const agent = await kith.given.company()
    expect((await post({ email: agent.email, password: '' })).status).toBe(422)
    expect((await post({ email: agent.email, password: 'anything' })).status).toBe(401)
    const gone = await person()
    await kith.db.updateTable('users').set({ deactivated_at: new Date() }).where('id', '=', gone.user_id).execute()
    expect((await post({ email: gone.email, password })).status).toBe(401)
  })

  test('a hash with older parameters is renewed', async () => {
    const { email, user_id } = await kith.given.company({
      password_hash: await hashPassword(password, { m: 8192, t: 1, p: 1 }),
    })
    expect((await post({ email, password })).status).toBe(201)
    const user = await kith.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', user_id)
      .executeTakeFirstOrThrow()
    expect(user.password_hash).toMatch(/m=19456,t=2,p=1/)
    expect((await post({ email, password })).status).toBe(201)
  })
})

describe('guessing', () => {
  test('is throttled per account and network; the right password still works elsewhere, and here after a while', async () => {
    minutes(60)
    const { email } = await person()
    for (let i = 0; i < 5; i++) expect((await post({ email, password: 'wrong' })).status).toBe(401)
    const refused = await post({ email, password })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
    const elsewhere = await kith.app.inject({
      method: 'POST',
      url: '/app/api/session',
      remoteAddress: '203.0.113.9',
      headers: { host: 'localhost' },
      payload: { email, password },
    })
    expect(elsewhere.statusCode).toBe(201)
    minutes(16)
    expect((await post({ email, password })).status).toBe(201)
  })

  test('cannot exceed the limit with concurrent requests', async () => {
    minutes(60)
    const { email } = await person()
    let looked = 0
    for (let burst = 0; burst < 3; burst++) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => post({ email, password: 'wrong' })))
      looked += answers.filter((answer) => answer.status === 401).length
    }
    expect(looked).toBeLessThanOrEqual(5)
    expect((await post({ email, password })).status).toBe(looked === 5 ? 429 : 201)
  })

  test('across many accounts is throttled per network', async () => {
    minutes(60)
    const statuses = []
    for (let i = 0; i < 32; i++) statuses.push((await post({ email: `guess${i}@example.com`, password: 'x' })).status)
    expect(statuses.slice(0, 30).every((status) => status === 401)).toBe(true)
    expect(statuses.slice(30)).toEqual([429, 429])
    minutes(60)
  })

  test('is in the audit log: success, failure and the throttle', async () => {
    const owner = await person()
    for (let i = 0; i < 7; i++) await post({ email: owner.email, password: 'wrong' })
    minutes(16)
    await post({ email: owner.email, password })
    await kith.refusals.flush()
    const api = kith.withKey(await kith.given.key(owner))
    const { items } = await api.listAuditEvents({ limit: 100 })
    const actions = Object.groupBy(items, (item) => item.action)
    expect(actions['session.refused']).toHaveLength(5)
    expect(actions['session.throttled']?.length).toBeGreaterThan(0)
    expect(actions['session.started']).toHaveLength(1)
    expect(items.every((item) => item.ip === '127.0.0.1' && item.request_id)).toBe(true)
  })
})

describe('a session', () => {
  test('ends on the server as soon as the user signs out', async () => {
    const token = await kith.given.session(await person())
    await kith.withSession(token).signOut({})
    expect(await stateOf(token)).toBe('signed_out')
    await expect(kith.withSession(token).whoami({})).toBeRefused(401)
  })

  test('ends on every device when the user signs out everywhere', async () => {
    const owner = await person()
    const tokens = [await kith.given.session(owner), await kith.given.session(owner)]
    const other = await kith.given.session(await person())
    await kith.withSession(tokens[0]!).signOutEverywhere({})
    expect(await Promise.all(tokens.map(stateOf))).toEqual(['signed_out', 'signed_out'])
    expect(await stateOf(other)).toBe('signed_in')
  })

  test('ends when the password changes, except for a new one in the browser where it was changed', async () => {
    const owner = await person()
    const [here, elsewhere] = [await kith.given.session(owner), await kith.given.session(owner)]
    const change = (current_password: string) =>
      kith.send('/app/api/session/password', {
        method: 'PUT',
        body: JSON.stringify({ current_password, new_password: 'a new horse' }),
        headers: { 'content-type': 'application/json', cookie: `kith_session=${here}` },
      })
    const refused = await change('not it')
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ errors: [{ path: 'current_password' }] })
    const fresh = tokenOf(await change(password))
    expect(await Promise.all([here, elsewhere, fresh].map(stateOf))).toEqual(['signed_out', 'signed_out', 'signed_in'])
    expect((await post({ email: owner.email, password })).status).toBe(401)
    expect((await post({ email: owner.email, password: 'a new horse' })).status).toBe(201)
  })

  test('ends when its user is deactivated', async () => {
    const owner = await person()
    const token = await kith.given.session(owner)
    await kith.db.updateTable('users').set({ deactivated_at: new Date() }).where('id', '=', owner.user_id).execute()
    expect(await stateOf(token)).toBe('signed_out')
  })

  test('ends after seven idle days, and after thirty days in any case', async () => {
    const idle = await kith.given.session(await person())
    const busy = await kith.given.session(await person())
    const began = kith.time.now
    for (let day = 1; day <= 6; day++) {
      kith.time.now = new Date(began.getTime() + day * 86_400_000)
      expect(await stateOf(busy)).toBe('signed_in')
    }
    kith.time.now = new Date(began.getTime() + sessionLimits.idle + 1)
    expect(await stateOf(idle)).toBe('signed_out')
    for (let day = 8; day < 30; day += 5) {
      kith.time.now = new Date(began.getTime() + day * 86_400_000)
      expect(await stateOf(busy)).toBe('signed_in')
    }
    kith.time.now = new Date(began.getTime() + sessionLimits.absolute + 1)
    expect(await stateOf(busy)).toBe('signed_out')
  })
})

describe('the list of sessions', () => {
  test('shows where the user is signed in, most recent activity first, and which session is current', async () => {
    const owner = await person()
    const old = await kith.given.session(owner)
    minutes(5)
    const here = await kith.given.session(owner)
    await kith.given.session(await person())
    expect((await kith.withSession(here).listSessions({})).items.map((item) => item.is_current)).toEqual([true, false])
    minutes(5)
    const { items } = await kith.withSession(old).listSessions({})
    expect(items.map((item) => item.is_current)).toEqual([true, false])
    expect(items[0]).toEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      last_seen_at: kith.time.now.toISOString(),
      ip: '127.0.0.1',
      client: 'test',
      is_current: true,
    })
  })

  test('omits expired sessions', async () => {
    const owner = await person()
    await kith.given.session(owner)
    kith.time.now = new Date(kith.time.now.getTime() + sessionLimits.idle)
    const { items } = await kith.withSession(await kith.given.session(owner)).listSessions({})
    expect(items).toHaveLength(1)
  })

  test('can sign out another browser, or this one with its cookie', async () => {
    const owner = await person()
    const [here, there] = [await kith.given.session(owner), await kith.given.session(owner)]
    const api = kith.withSession(here)
    const idOf = async (isCurrent: boolean) =>
      (await api.listSessions({})).items.find((item) => item.is_current === isCurrent)!.id
    await api.deleteSession({ id: await idOf(false) })
    expect(await Promise.all([here, there].map(stateOf))).toEqual(['signed_in', 'signed_out'])
    const answer = await kith.send(`/app/api/sessions/${await idOf(true)}`, {
      method: 'DELETE',
      headers: { 'content-type': 'application/json', cookie: `kith_session=${here}` },
    })
    expect(cookieOf(answer)).toMatch(/^kith_session=; .*Expires=Thu, 01 Jan 1970/)
    expect(await stateOf(here)).toBe('signed_out')
  })

  test('does not affect sessions of other users, in this company or another', async () => {
    const owner = await person()
    const api = kith.withSession(await kith.given.session(owner))
    for (const other of [await kith.given.user(owner), await person()]) {
      const token = await kith.given.session(other)
      const { items } = await kith.withSession(token).listSessions({})
      await expect(api.deleteSession({ id: items[0]!.id })).toBeRefused(404)
      expect(await stateOf(token)).toBe('signed_in')
    }
    await expect(api.deleteSession({ id: randomUUID() })).toBeRefused(404)
  })
})

test('a visitor learns only whether mail can be sent and whether sign-up is open', async () => {
  await person()
  expect(await kith.visitor.getSession({})).toEqual({ state: 'signed_out', mails: false, sign_up: 'closed' })
  const open = await testApp({ openSignup: true })
  await open.given.company()
  expect(await open.visitor.getSession({})).toEqual({ state: 'signed_out', mails: false, sign_up: 'open' })
})

test('open pages and the owner are notified when sessions end or the password changes', async () => {
  const owner = await person()
  const heard = async () => {
    const rows = await kith.db.deleteFrom('outbox').where('company_id', '=', owner.company_id).returningAll().execute()
    return rows.map(({ event, payload }) => [event, payload]).sort()
  }
  const signedIn = async () => kith.withSession(await kith.given.session(owner))
  const access = ['user.access_changed', { user_id: owner.user_id }]
  await heard()
  await (await signedIn()).signOutEverywhere({})
  expect(await heard()).toEqual([access])
  const api = await signedIn()
  await api.deleteSession({ id: (await api.listSessions({})).items[0]!.id })
  expect(await heard()).toEqual([access])
  await (await signedIn()).updatePassword({ current_password: password, new_password: 'a new horse' })
  expect(await heard()).toEqual([access, ['user.account_changed', { user_id: owner.user_id, what: 'password' }]])
})

test.each(['password123', 'Ada Admin 1'])('an obvious password is refused: %s', async (new_password) => {
  const token = await kith.given.session(await person())
  const change = kith.withSession(token).updatePassword({ current_password: password, new_password })
  await expect(change).toBeRefused(422, 'invalid_input')
  await expect(change).rejects.toMatchObject({ problem: { errors: [{ path: 'new_password' }] } })
  expect(await stateOf(token)).toBe('signed_in')
})

describe('a page of another site', () => {
  test.each([
    ['its Origin', { origin: 'http://evil.example' }],
    ['Origin null', { origin: 'null' }],
    ['Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site in other letters', { 'sec-fetch-site': 'Cross-Site' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['plain text', { 'content-type': 'text/plain' }],
    ['no content type', { 'content-type': '' }],
  ])('cannot change anything: %s', async (_, headers) => {
    const owner = await person()
    const token = await kith.given.session(owner)
    const answer = await kith.send('/app/api/me', {
      method: 'PATCH',
      body: '{"name":"Evil"}',
      headers: { cookie: `kith_session=${token}`, 'content-type': 'application/json', ...headers },
    })
    expect(answer.status).toBe(403)
    expect((await kith.withSession(token).whoami({})).name).toBe('Ada Admin')
  })
})

test('no log line and no response except the cookie contains a password or a token', async () => {
  const owner = await person()
  const secret = 'canary-password-9f2c'
  await post({ email: owner.email, password: secret })
  const token = tokenOf(await post({ email: owner.email, password }))
  await kith.withSession(token).whoami({})
  const key = await kith.given.key(owner)
  await kith.withKey(key).whoami({})
  await kith.send(`/api/v1/me?x-api-key=${key}&q=canary-query`)
  const everything = kith.logged.join('')
  expect(everything).toContain('whoami')
  for (const hidden of [secret, password, token, key, 'canary-query']) expect(everything).not.toContain(hidden)
})
