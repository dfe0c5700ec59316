import { Secret, TOTP, URI } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { type Api, testApp } from '../../../test/app.ts'
import { oldSeal } from '../../../test/old-seal.ts'
import { hashPassword } from '../credentials/passwords.ts'
import { forgetTwoFactor, placeOfSecret, resealTwoFactor } from '../credentials/two-factor.ts'

const kith = await testApp({ own: true })
const current_password = 'correct horse battery'
const password_hash = await hashPassword(current_password)
const person = () => kith.given.company({ password_hash, name: 'Acme & Co: Ltd' })
const { minutes } = kith
const codeOf = (secret: string) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: kith.time.now.getTime() })

async function signedIn() {
  const owner = await person()
  return { owner, api: kith.withSession(await kith.given.session(owner)) }
}

async function turnedOn() {
  const { owner, api } = await signedIn()
  const { secret } = await api.startTwoFactor({ current_password })
  const { recovery_codes } = await api.confirmTwoFactor({ code: codeOf(secret) })
  minutes(60)
  return { owner, secret, recovery_codes, api: kith.withSession(await kith.given.session(owner)) }
}

const isOn = async (api: Api) => (await api.getTwoFactor({})).on_since !== null
const noted = async ({ company_id }: { company_id: string }) => {
  const audit = await kith.db.selectFrom('audit_events').select('action').where('company_id', '=', company_id).execute()
  const outbox = await kith.db.selectFrom('outbox').selectAll().where('company_id', '=', company_id).execute()
  return {
    audit: audit.map((row) => row.action),
    events: outbox.map(({ event, payload }) => ({ event, ...(payload as object) })),
  }
}

describe('turning two-factor sign-in on', () => {
  test('returns a secret for the app, and takes effect only after a code was entered', async () => {
    const { owner, api } = await signedIn()
    const { secret, uri } = await api.startTwoFactor({ current_password })
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    const read = URI.parse(uri)
    expect(read).toBeInstanceOf(TOTP)
    expect(read).toMatchObject({ issuer: 'Kith', label: `Acme & Co: Ltd (${owner.email})`, period: 30, digits: 6 })
    expect(read.secret.base32).toBe(secret)
    expect(await api.getTwoFactor({})).toEqual({ on_since: null, recovery_codes_left: 0 })
    expect(await kith.visitor.signIn({ email: owner.email, password: current_password })).toMatchObject({
      state: 'signed_in',
    })
  })

  test('returns ten recovery codes, ends other sessions and renews this one', async () => {
    const { owner, api } = await signedIn()
    const elsewhere = kith.withSession(await kith.given.session(owner))
    const token = await kith.given.session(owner)
    const here = kith.withSession(token)
    const { secret } = await here.startTwoFactor({ current_password })
    const answer = await kith.send('/app/api/me/two-factor', {
      method: 'PUT',
      body: JSON.stringify({ code: codeOf(secret) }),
      headers: { 'content-type': 'application/json', cookie: `kith_session=${token}` },
    })
    const { recovery_codes } = (await answer.json()) as { recovery_codes: string[] }
    expect(new Set(recovery_codes).size).toBe(10)
    for (const code of recovery_codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{5}(-[0-9a-hjkmnp-tv-z]{5}){2}$/)
    for (const old of [api, elsewhere, here]) await expect(old.whoami({})).toBeRefused(401)
    const fresh = kith.withSession(/kith_session=([^;]+)/.exec(answer.headers.getSetCookie()[0]!)![1]!)
    expect(await fresh.getTwoFactor({})).toEqual({ on_since: kith.time.now.toISOString(), recovery_codes_left: 10 })
    const { audit, events } = await noted(owner)
    expect(audit).toContain('two_factor.turned_on')
    expect(events).toContainEqual({ event: 'user.account_changed', user_id: owner.user_id, what: 'two_factor_on' })
    expect(events).toContainEqual({ event: 'user.access_changed', user_id: owner.user_id })
  })

  test('can be started again, which replaces the secret', async () => {
    const { api } = await signedIn()
    const first = await api.startTwoFactor({ current_password })
    const second = await api.startTwoFactor({ current_password })
    await expect(api.confirmTwoFactor({ code: codeOf(first.secret) })).toBeRefused(422)
    await api.confirmTwoFactor({ code: codeOf(second.secret) })
  })

  test('refuses a wrong code, and many of them', async () => {
    minutes(60)
    const { api } = await signedIn()
    const { secret } = await api.startTwoFactor({ current_password })
    const code = codeOf(secret) === '000000' ? '000001' : '000000'
    for (let i = 0; i < 5; i++) await expect(api.confirmTwoFactor({ code })).toBeRefused(422)
    await expect(api.confirmTwoFactor({ code: codeOf(secret) })).toBeRefused(429)
    expect(await isOn(api)).toBe(false)
    minutes(60)
  })

  test('must be started first, and works once', async () => {
    const { api } = await signedIn()
    await expect(api.confirmTwoFactor({ code: '123456' })).toBeRefused(409)
    const { api: guarded, secret } = await turnedOn()
    await expect(guarded.startTwoFactor({ current_password })).toBeRefused(409)
    await expect(guarded.confirmTwoFactor({ code: codeOf(secret) })).toBeRefused(409)
  })
})

describe('once it is on', () => {
  test('new recovery codes replace the old ones', async () => {
    const { owner, api, recovery_codes: old } = await turnedOn()
    const { recovery_codes } = await api.renewRecoveryCodes({ current_password })
    expect((await api.getTwoFactor({})).recovery_codes_left).toBe(10)
    const useCode = async (code: string) => {
      const first = await kith.visitor.signIn({ email: owner.email, password: current_password })
      if (first.state !== 'second_step') throw new Error('The second step was left out')
      return kith.visitor.completeSignIn({ step_token: first.step_token, code })
    }
    await expect(useCode(old[0]!)).toBeRefused(401)
    expect(await useCode(recovery_codes[0]!)).toMatchObject({ state: 'signed_in' })
    const { audit, events } = await noted(owner)
    expect(audit).toContain('recovery_codes.renewed')
    expect(events).toContainEqual({ event: 'user.account_changed', user_id: owner.user_id, what: 'recovery_codes' })
  })

  test('it can be turned off, which deletes everything about it', async () => {
    const { owner, api } = await turnedOn()
    await api.deleteTwoFactor({ current_password })
    expect(await api.getTwoFactor({})).toEqual({ on_since: null, recovery_codes_left: 0 })
    const user = kith.db.selectFrom('users').selectAll().where('id', '=', owner.user_id)
    expect(await user.executeTakeFirst()).toMatchObject({ totp_secret: null, totp_last_step: null })
    expect(await kith.visitor.signIn({ email: owner.email, password: current_password })).toMatchObject({
      state: 'signed_in',
    })
    const { audit, events } = await noted(owner)
    expect(audit).toContain('two_factor.turned_off')
    expect(events).toContainEqual({ event: 'user.account_changed', user_id: owner.user_id, what: 'two_factor_off' })
    await expect(api.deleteTwoFactor({ current_password })).toBeRefused(409)
    await expect(api.renewRecoveryCodes({ current_password })).toBeRefused(409)
  })

  test.each(['by its owner', 'by an Admin', 'with the user'])(
    'nothing is left after it is turned off %s',
    async (by) => {
      const { owner, api } = await turnedOn()
      const boss = kith.withSession(await kith.given.session(await kith.given.user(owner, { role: 'Admin' })))
      await kith.visitor.signIn({ email: owner.email, password: current_password })
      if (by === 'by its owner') await api.deleteTwoFactor({ current_password })
      if (by === 'by an Admin') await boss.deleteUserTwoFactor({ id: owner.user_id })
      if (by === 'with the user') await boss.deleteUser({ id: owner.user_id })
      for (const table of ['recovery_codes', 'sign_in_steps'] as const) {
        const left = await kith.db.selectFrom(table).selectAll().where('user_id', '=', owner.user_id).execute()
        expect(left, table).toEqual([])
      }
      const user = kith.db.selectFrom('users').selectAll().where('id', '=', owner.user_id)
      expect(await user.executeTakeFirst()).toMatchObject({
        totp_secret: null,
        totp_on_since: null,
        totp_last_step: null,
      })
    },
  )

  test('the secret is encrypted and never returned again', async () => {
    const { owner, api, secret } = await turnedOn()
    const user = kith.db.selectFrom('users').select('totp_secret').where('id', '=', owner.user_id)
    const { totp_secret } = await user.executeTakeFirstOrThrow()
    expect(totp_secret!.toString('latin1')).not.toContain(secret)
    expect(totp_secret!.includes(Buffer.from(Secret.fromBase32(secret).bytes))).toBe(false)
    expect(kith.services.vault.open(totp_secret!, placeOfSecret(owner))).toBe(secret)
    const answers = [await api.getTwoFactor({}), await api.getSession({}), await api.whoami({})]
    expect(JSON.stringify(answers)).not.toContain(secret)
  })

  test('the secret of one user cannot be used in the row of another', async () => {
    const [mine, theirs] = [await turnedOn(), await turnedOn()]
    const secretOf = kith.db.selectFrom('users').select('totp_secret').where('id', '=', mine.owner.user_id)
    await kith.db.updateTable('users').set({ totp_secret: secretOf }).where('id', '=', theirs.owner.user_id).execute()
    const { totp_secret } = await secretOf.executeTakeFirstOrThrow()
    expect(() => kith.services.vault.open(totp_secret!, placeOfSecret(theirs.owner))).toThrow()
  })

  test('a secret encrypted by version 0.1 is bound to its user, and still works', async () => {
    const { owner, secret } = await turnedOn()
    const users = kith.db.selectFrom('users').select('totp_secret').where('id', '=', owner.user_id)
    const old = oldSeal('a secret for tests', secret)
    await kith.db.updateTable('users').set({ totp_secret: old }).where('id', '=', owner.user_id).execute()
    await resealTwoFactor(kith.db, kith.services.vault)
    const { totp_secret } = await users.executeTakeFirstOrThrow()
    expect(totp_secret).not.toEqual(old)
    expect(kith.services.vault.open(totp_secret!, placeOfSecret(owner))).toBe(secret)
  })
})

test('each change needs the right password, and guessing it is throttled', async () => {
  minutes(60)
  const { api } = await turnedOn()
  const { api: fresh } = await signedIn()
  const wrong = { current_password: 'wrong' }
  await expect(fresh.startTwoFactor(wrong)).rejects.toMatchObject({
    problem: { status: 422, errors: [{ path: 'current_password' }] },
  })
  await expect(api.renewRecoveryCodes(wrong)).toBeRefused(422)
  for (let i = 0; i < 4; i++) await expect(api.deleteTwoFactor(wrong)).toBeRefused(422)
  await expect(api.deleteTwoFactor({ current_password })).toBeRefused(429)
  expect(await isOn(api)).toBe(true)
})

test('when the key is lost, people sign in with their password alone', async () => {
  const lost = await testApp({ own: true })
  const owner = await lost.given.company({ password_hash })
  const api = lost.withSession(await lost.given.session(owner))
  const { secret } = await api.startTwoFactor({ current_password })
  const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: lost.time.now.getTime() })
  await api.confirmTwoFactor({ code })
  await forgetTwoFactor(lost.db)
  const answer = await lost.visitor.signIn({ email: owner.email, password: current_password })
  expect(answer.state).toBe('signed_in')
  expect(await lost.db.selectFrom('recovery_codes').selectAll().execute()).toHaveLength(0)
})
