import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import type { GivenUser } from '../../../test/given.ts'
import { hashPassword } from '../credentials/passwords.ts'
import { pruneSignInSteps } from '../sessions/queries.ts'

const kith = await testApp({ own: true })
const password = 'correct horse battery'
const password_hash = await hashPassword(password)
const person = () => kith.given.company({ password_hash })
const { minutes } = kith

type Guarded = GivenUser & { secret: string; recovery_codes: string[]; confirmedWith: string }
const codeOf = ({ secret }: { secret: string }, seconds = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: kith.time.now.getTime() + seconds * 1000 })

/** Someone with two-factor sign-in on, an hour later. */
async function guarded(): Promise<Guarded> {
  const owner = await person()
  const api = kith.withSession(await kith.given.session(owner))
  const { secret } = await api.startTwoFactor({ current_password: password })
  const confirmedWith = codeOf({ secret })
  const { recovery_codes } = await api.confirmTwoFactor({ code: confirmedWith })
  minutes(60)
  return { ...owner, secret, recovery_codes, confirmedWith }
}

const post = async (path: string, body: object, { cookie = '', from = '127.0.0.1' } = {}) => {
  const answer = await kith.app.inject({
    method: 'POST',
    url: `/app/api/session${path}`,
    remoteAddress: from,
    headers: { host: 'localhost:3000', ...(cookie && { cookie: `kith_session=${cookie}` }) },
    payload: body,
  })
  const token = /kith_session=([^;]+)/.exec(String(answer.headers['set-cookie'] ?? ''))?.[1] ?? null
  return { status: answer.statusCode, body: { ...answer.json(), request_id: '' }, token }
}
const firstStep = async ({ email }: GivenUser, from?: string): Promise<string> =>
  (await post('', { email, password }, from ? { from } : {})).body.step_token
const secondStep = (step_token: string, code: string, more: { cookie?: string; from?: string } = {}) =>
  post('/second-step', { step_token, code }, more)
const stateOf = async (token: string) => (await kith.withSession(token).getSession({})).state
const aWrongCode = (user: Guarded) => (codeOf(user) === '000000' ? '000001' : '000000')
const audited = async ({ company_id }: GivenUser, action: string) => {
  await kith.refusals.flush()
  const entries = kith.db.selectFrom('audit_events').selectAll().where('company_id', '=', company_id)
  return entries.where('action', '=', action).execute()
}

describe('signing in with two factors', () => {
  test('asks for the second step without starting a session, then accepts the code of the app', async () => {
    const user = await guarded()
    const first = await post('', { email: user.email, password })
    expect(first).toEqual({
      status: 201,
      body: { state: 'second_step', step_token: expect.stringMatching(/^[\w-]{43}$/), request_id: '' },
      token: null,
    })
    expect(await kith.db.selectFrom('sessions').where('user_id', '=', user.user_id).selectAll().execute()).toHaveLength(
      1,
    )
    const second = await secondStep(first.body.step_token, codeOf(user))
    expect(second).toMatchObject({ status: 201, body: { state: 'signed_in', me: { email: user.email } } })
    expect(await stateOf(second.token!)).toBe('signed_in')
    expect(await stateOf(first.body.step_token)).toBe('signed_out')
  })

  test('tolerates a clock that is half a minute off and a space in the code, but no more', async () => {
    const user = await guarded()
    for (const off of [-60, 60]) {
      expect((await secondStep(await firstStep(user), codeOf(user, off))).status).toBe(401)
    }
    for (const off of [-30, 0, 30]) {
      const code = codeOf(user, off).replace(/^(...)/, '$1 ')
      expect((await secondStep(await firstStep(user), code)).status).toBe(201)
    }
  })

  test('accepts each code once, and none that is older than the last', async () => {
    const user = await guarded()
    const code = codeOf(user)
    expect((await secondStep(await firstStep(user), code)).status).toBe(201)
    expect((await secondStep(await firstStep(user), code)).status).toBe(401)
    expect((await secondStep(await firstStep(user), codeOf(user, -30))).status).toBe(401)
  })

  test('does not accept the code with which it was turned on', async () => {
    const user = await guarded()
    minutes(-60)
    expect((await secondStep(await firstStep(user), user.confirmedWith)).status).toBe(401)
    minutes(60)
  })

  test('accepts a recovery code once, however it is typed', async () => {
    const user = await guarded()
    const [code = ''] = user.recovery_codes
    const typed = code.toUpperCase().replaceAll('-', ' ')
    const done = await secondStep(await firstStep(user), ` ${typed} `)
    expect(done.status).toBe(201)
    expect((await kith.withSession(done.token!).getTwoFactor({})).recovery_codes_left).toBe(9)
    expect((await secondStep(await firstStep(user), code)).status).toBe(401)
    expect(await audited(user, 'recovery_code.used')).toMatchObject([{ actor_id: user.user_id }])
  })

  test("does not accept another user's recovery code or app code", async () => {
    const [user, other] = [await guarded(), await guarded()]
    const step = await firstStep(user)
    expect((await secondStep(step, other.recovery_codes[0]!)).status).toBe(401)
    expect((await secondStep(step, codeOf(other))).status).toBe(401)
    expect((await secondStep(step, codeOf(user))).status).toBe(201)
  })

  test.each([
    ['recovery code', (user: Guarded) => user.recovery_codes[0]!],
    ['code of the app', (user: Guarded) => codeOf(user)],
  ])('lets in only one of several who use the same %s at the same time', async (_, codeFor) => {
    const user = await guarded()
    const steps = await Promise.all(Array.from({ length: 4 }, () => firstStep(user)))
    const answers = await Promise.all(steps.map((step) => secondStep(step, codeFor(user))))
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1)
  })

  test('lets in only one of two who use the same step at the same time, and keeps the code of the other', async () => {
    const user = await guarded()
    const step = await firstStep(user)
    const own = kith.db.selectFrom('recovery_codes').where('user_id', '=', user.user_id).selectAll()
    const answers = await kith.db.transaction().execute(async (tx) => {
      // Holds both up where their code is taken, until both have come that far.
      await tx.selectFrom('recovery_codes').where('user_id', '=', user.user_id).selectAll().forUpdate().execute()
      const both = user.recovery_codes.slice(0, 2).map((code) => secondStep(step, code))
      const attempts = kith.db.selectFrom('sign_in_steps').select('attempts').where('user_id', '=', user.user_id)
      await expect.poll(() => attempts.executeTakeFirst()).toEqual({ attempts: 2 })
      return { both }
    })
    const statuses = (await Promise.all(answers.both)).map((answer) => answer.status)
    expect(statuses.sort()).toEqual([201, 401])
    expect(await own.execute()).toHaveLength(9)
  })
})

describe('someone without the password', () => {
  test('cannot tell whether an account exists or has two factors', async () => {
    const emails = [(await guarded()).email, (await person()).email, 'nobody@example.com']
    const answers = await Promise.all(emails.map((email) => post('', { email, password: 'wrong' })))
    expect(answers[0]).toMatchObject({ status: 401, token: null })
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })

  test('cannot plant a session: an existing token never becomes a session', async () => {
    const user = await guarded()
    const planted = 'A'.repeat(43)
    const step = (await post('', { email: user.email, password }, { cookie: planted })).body.step_token
    const done = await secondStep(step, codeOf(user), { cookie: planted })
    expect(done.token).toMatch(/^[\w-]{43}$/)
    expect([planted, step]).not.toContain(done.token)
    expect(await stateOf(planted)).toBe('signed_out')
  })

  test('loses a session that they left in the browser', async () => {
    const own = await kith.given.session(await person())
    const user = await guarded()
    const done = await secondStep(await firstStep(user), codeOf(user), { cookie: own })
    expect(await stateOf(own)).toBe('signed_out')
    expect(await stateOf(done.token!)).toBe('signed_in')
  })
})

describe('guessing codes', () => {
  test('ends the step after five attempts, even from another network and with the right code', async () => {
    const user = await guarded()
    const step = await firstStep(user)
    for (let i = 0; i < 5; i++) {
      const from = `203.0.113.${i}`
      expect((await secondStep(step, aWrongCode(user), { from })).body.detail).toContain('incorrect')
    }
    const over = await secondStep(step, codeOf(user), { from: '203.0.113.9' })
    expect(over).toMatchObject({ status: 401, token: null })
    expect(over.body.detail).toContain('Start again with your password')
    expect(await audited(user, 'two_factor.refused')).toHaveLength(5)
  })

  test('across many steps is throttled together with passwords, for a limited time', async () => {
    const user = await guarded()
    await post('', { email: user.email, password: 'wrong' })
    for (let i = 0; i < 4; i++) expect((await secondStep(await firstStep(user), aWrongCode(user))).status).toBe(401)
    const step = await firstStep(user, '203.0.113.7')
    expect((await secondStep(step, codeOf(user))).status).toBe(429)
    expect((await post('', { email: user.email, password })).status).toBe(429)
    expect(await audited(user, 'session.throttled')).not.toHaveLength(0)
    minutes(16)
    expect((await secondStep(await firstStep(user), codeOf(user))).status).toBe(201)
  })

  test('from many addresses, with steps created in advance, stops after twenty attempts per account', async () => {
    const user = await guarded()
    const steps: string[] = []
    for (let i = 0; i < 30; i++) steps.push(await firstStep(user, `198.51.100.${i}`))
    const guesses = steps.map((step, i) => secondStep(step, aWrongCode(user), { from: `198.51.100.${i}` }))
    const statuses = (await Promise.all(guesses)).map((answer) => answer.status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    minutes(30)
    expect((await secondStep(await firstStep(user), codeOf(user))).status).toBe(429)
    minutes(31)
    expect((await secondStep(await firstStep(user), codeOf(user))).status).toBe(201)
  })

  test('cannot exceed the limit with concurrent requests', async () => {
    const user = await guarded()
    const step = await firstStep(user)
    const from = (i: number) => `192.0.2.${i}`
    const guesses = Array.from({ length: 12 }, (_, i) => secondStep(step, aWrongCode(user), { from: from(i) }))
    const looked = (await Promise.all(guesses)).filter((answer) => answer.body.detail.includes('incorrect'))
    expect(looked).toHaveLength(5)
  })
})

describe('a step', () => {
  test('gets the same response if it is expired, unknown, used or superseded by a new password', async () => {
    const user = await guarded()
    const used = await firstStep(user)
    expect((await secondStep(used, codeOf(user))).status).toBe(201)
    const expired = await firstStep(user)
    minutes(10)
    const answers = [await secondStep(expired, codeOf(user))]
    const overtaken = await firstStep(user)
    const api = kith.withSession(await kith.given.session(user))
    await api.updatePassword({ current_password: password, new_password: 'a new horse' })
    for (const step of ['unknown', used, overtaken]) answers.push(await secondStep(step, codeOf(user)))
    expect(answers[0]).toMatchObject({ status: 401, token: null })
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  test('ends when two-factor sign-in is turned off, the user signs out everywhere, or is deactivated', async () => {
    const user = await guarded()
    const off = await firstStep(user)
    const api = async () => kith.withSession(await kith.given.session(user))
    await (await api()).deleteTwoFactor({ current_password: password })
    expect((await secondStep(off, codeOf(user))).status).toBe(401)

    const second = await guarded()
    const everywhere = await firstStep(second)
    await kith.withSession(await kith.given.session(second)).signOutEverywhere({})
    expect((await secondStep(everywhere, codeOf(second))).status).toBe(401)

    const third = await guarded()
    const gone = await firstStep(third)
    await kith.db.updateTable('users').set({ deactivated_at: new Date() }).where('id', '=', third.user_id).execute()
    expect((await secondStep(gone, codeOf(third))).status).toBe(401)
  })

  test('is deleted when it no longer counts', async () => {
    const user = await guarded()
    await firstStep(user)
    const own = () => kith.db.selectFrom('sign_in_steps').where('user_id', '=', user.user_id).selectAll().execute()
    await pruneSignInSteps(kith.backgroundDb, kith.time.now)
    expect(await own()).toHaveLength(1)
    minutes(61)
    await pruneSignInSteps(kith.backgroundDb, kith.time.now)
    expect(await own()).toHaveLength(0)
  })
})

test('neither the log nor the database contains a secret, code or step in plain text', async () => {
  const user = await guarded()
  const step = await firstStep(user)
  const code = codeOf(user)
  await secondStep(step, 'canary-wrong-code')
  const { token } = await secondStep(step, user.recovery_codes[0]!)
  await secondStep(await firstStep(user), code)
  const { rows } = await kith.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  const dumps = rows.map(({ name }) => kith.pool.query(`select to_jsonb(t)::text as text from "${name}" t`))
  const database = (await Promise.all(dumps)).flatMap((dump) => dump.rows.map((row) => row.text)).join('\n')
  const logged = kith.logged.join('')
  expect(database).toContain(user.user_id)
  expect(logged).toContain('completeSignIn')
  for (const secret of [user.secret, ...user.recovery_codes, step, token!, 'canary-wrong-code']) {
    for (const form of [secret, secret.replaceAll('-', ''), Buffer.from(secret).toString('hex')]) {
      expect(database).not.toContain(form)
      expect(logged).not.toContain(form)
    }
  }
  expect(logged).not.toContain(`"${code}"`)
})
