import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { givenPassword as password } from '../../../test/given.ts'

const kith = await testApp({ own: true })
const { minutes } = kith
let networks = 0
const elsewhere = () => `203.0.${Math.floor(++networks / 250)}.${networks % 250}`

async function signIn(email: string, given: string, { ip = elsewhere(), device = '' } = {}) {
  const answer = await kith.app.inject({
    method: 'POST',
    url: '/app/api/session',
    remoteAddress: ip,
    headers: { host: 'localhost', ...(device && { cookie: `kith_device=${device}` }) },
    payload: { email, password: given },
  })
  const cookies = [answer.headers['set-cookie'] ?? []].flat()
  const cookie = cookies.find((one) => one.startsWith('kith_device='))
  return { status: answer.statusCode, headers: answer.headers, cookie, device: cookie?.match(/=([^;]*)/)?.[1] ?? '' }
}

/** Twenty wrong passwords, four from each of five networks. */
async function attack(email: string) {
  for (let network = 0; network < 5; network++) {
    const ip = elsewhere()
    for (let i = 0; i < 4; i++) expect((await signIn(email, 'wrong', { ip })).status).toBe(401)
  }
}

describe('guessing from many networks', () => {
  test('is refused with 429 after twenty attempts, until enough time has passed', async () => {
    const { email } = await kith.given.company()
    await attack(email)
    const refused = await signIn(email, password)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60)
    minutes(16)
    expect((await signIn(email, password)).status).toBe(201)
  })

  test('looks the same for an account that does not exist', async () => {
    await attack('nobody@example.com')
    expect((await signIn('nobody@example.com', 'wrong')).status).toBe(429)
  })

  test('does not lock out a browser that signed in before or is signed in', async () => {
    const owner = await kith.given.company()
    const session = kith.withSession(await kith.given.session(owner))
    const { device } = await signIn(owner.email, password)
    await attack(owner.email)
    expect((await signIn(owner.email, 'wrong', { device })).status).toBe(401)
    expect((await signIn(owner.email, password, { device })).status).toBe(201)
    await expect(
      session.updatePassword({ current_password: 'wrong', new_password: 'a new horse battery' }),
    ).toBeRefused(422)
    await session.updatePassword({ current_password: password, new_password: 'a new horse battery' })
  })

  test('from a known browser is limited separately, on any network', async () => {
    const { email } = await kith.given.company()
    const { device } = await signIn(email, password)
    for (let i = 0; i < 5; i++) expect((await signIn(email, 'wrong', { device })).status).toBe(401)
    expect((await signIn(email, password, { device })).status).toBe(429)
    expect((await signIn(email, password)).status).toBe(201)
  })

  test('is reset by a password reset link', async () => {
    const admin = await kith.given.company()
    const api = kith.withSession(await kith.given.session(admin))
    const { email, user_id } = await kith.given.user(admin)
    await attack(email)
    const token = new URL((await api.createResetLink({ id: user_id })).link).hash.slice('#token='.length)
    await kith.visitor.resetPassword({ token, password: 'a new horse battery' })
    expect((await signIn(email, 'a new horse battery')).status).toBe(201)
  })
})

describe('the cookie of a browser that signed in', () => {
  test('is HttpOnly, new each time, and stored as a hash', async () => {
    const { email } = await kith.given.company()
    const first = await signIn(email, password)
    expect(first.cookie).toMatch(/^kith_device=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict$/)
    const second = await signIn(email, password, { device: first.device })
    expect(second.device).not.toBe(first.device)
    const { rows } = await kith.pool.query('select to_jsonb(d)::text as text from sign_in_devices d')
    expect(JSON.stringify(rows)).not.toContain(second.device)
    expect(kith.logged.join()).not.toContain(second.device)
  })

  test('gives no access, and is useless for another account', async () => {
    const { email } = await kith.given.company()
    const { device } = await signIn((await kith.given.company()).email, password)
    const answer = await kith.send('/app/api/me', {
      headers: { cookie: `kith_session=${device}; kith_device=${device}` },
    })
    expect(answer.status).toBe(401)
    await attack(email)
    expect((await signIn(email, password, { device })).status).toBe(429)
  })

  test('is replaced if it was planted', async () => {
    const { email } = await kith.given.company()
    const device = 'A'.repeat(43)
    expect((await signIn(email, password, { device })).device).not.toBe(device)
    await attack(email)
    expect((await signIn(email, password, { device })).status).toBe(429)
  })

  test('works for every account that signs in there', async () => {
    const [ada, bob] = [await kith.given.company(), await kith.given.company()]
    const { device: first } = await signIn(ada.email, password)
    const { device } = await signIn(bob.email, password, { device: first })
    await attack(ada.email)
    expect((await signIn(ada.email, password, { device })).status).toBe(201)
  })

  test('stops counting once the password is changed elsewhere', async () => {
    const owner = await kith.given.company()
    const { device } = await signIn(owner.email, password)
    const session = kith.withSession(await kith.given.session(owner))
    await session.updatePassword({ current_password: password, new_password: 'a new horse battery' })
    await attack(owner.email)
    expect((await signIn(owner.email, 'a new horse battery', { device })).status).toBe(429)
  })
})

test('a refusal is written to the audit log after the response, so that timing reveals nothing', async () => {
  const owner = await kith.given.company()
  await kith.ownerDb.transaction().execute(async (tx) => {
    await sql`lock table audit_events in access exclusive mode`.execute(tx)
    expect((await signIn(owner.email, 'wrong')).status).toBe(401)
  })
  await kith.refusals.flush()
  const api = kith.withKey(await kith.given.key(owner))
  expect((await api.listAuditEvents({ action: 'session.refused' })).items).toHaveLength(1)
})

test('a forbidden call is in the audit log once a minute, however often it is repeated', async () => {
  const admin = await kith.given.company()
  const member = kith.withKey(await kith.given.key(await kith.given.user(admin)))
  const tryTwice = async () => {
    for (let i = 0; i < 3; i++) await expect(member.updateCompany({ name: 'Mine' })).toBeRefused(403)
    await expect(member.createUser({ name: 'X' })).toBeRefused(403)
    await kith.refusals.flush()
  }
  const api = kith.withKey(await kith.given.key(admin))
  const entries = async () => (await api.listAuditEvents({ action: 'access.refused' })).items.map(({ data }) => data)
  await tryTwice()
  expect(await entries()).toEqual([{ operation: 'createUser' }, { operation: 'updateCompany' }])
  minutes(1)
  await tryTwice()
  expect(await entries()).toHaveLength(4)
})
