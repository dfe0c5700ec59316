import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { givenPassword } from '../../../test/given.ts'

const kith = await testApp({ own: true })
const { given, visitor, withSession } = kith
const newCompany = async () => {
  const admin = await given.company({ name: 'Acme' })
  return { admin, api: withSession(await given.session(admin)) }
}
const tokenOf = (link: string | null) => new URL(link!).hash.slice('#token='.length)
const day = 24 * 60 * 60 * 1000
const password = 'a long enough sentence'
let count = 0
const someone = () => `someone-${++count}@example.com`
const later = async (ms: number, work: () => Promise<unknown>) => {
  const now = kith.time.now
  kith.time.now = new Date(now.getTime() + ms)
  await work().finally(() => {
    kith.time.now = now
  })
}

describe('an invitation', () => {
  test('lets someone choose a name and a password, once', async () => {
    const { api } = await newCompany()
    const email = someone()
    const { link, sent_to, user } = await api.inviteUser({ email, role: 'Member' })
    expect(new URL(link!).pathname).toBe('/join')
    expect(sent_to).toBeNull()
    expect(user).toMatchObject({ state: 'invited', email, role: 'Member' })
    const token = tokenOf(link)
    expect(await visitor.getAccountLink({ token })).toMatchObject({ kind: 'invitation', email, company_name: 'Acme' })
    expect(await visitor.acceptInvitation({ token, name: 'Sam One', password })).toEqual({})
    const answer = await visitor.signIn({ email, password })
    expect(answer).toMatchObject({ state: 'signed_in', me: { name: 'Sam One', role: 'Member' } })
    await expect(visitor.acceptInvitation({ token, name: 'Again', password })).toBeRefused(404)
    await expect(visitor.getAccountLink({ token })).toBeRefused(404)
  })

  test('works once, even with two concurrent requests', async () => {
    const { api } = await newCompany()
    const token = tokenOf((await api.inviteUser({ email: someone() })).link)
    const both = ['One', 'Two'].map((name) => visitor.acceptInvitation({ token, name, password }))
    const answers = await Promise.allSettled(both)
    expect(answers.map((answer) => answer.status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('stops working after seven days, when it is renewed, and when the person is removed', async () => {
    const { api } = await newCompany()
    const { link, user } = await api.inviteUser({ email: someone() })
    const join = (link: string | null) => visitor.acceptInvitation({ token: tokenOf(link), name: 'Sam', password })
    await later(7 * day, () => expect(join(link)).toBeRefused(404))
    const renewed = await api.renewInvitation({ id: user.id })
    await expect(join(link)).toBeRefused(404)
    await api.deleteUser({ id: user.id })
    await expect(join(renewed.link)).toBeRefused(404)
  })

  test('is refused for an address that already signs in, and for someone who has joined', async () => {
    const { admin, api } = await newCompany()
    await expect(api.inviteUser({ email: admin.email })).toBeRefused(409)
    const max = await given.user(admin)
    await expect(api.renewInvitation({ id: max.user_id })).toBeRefused(409)
  })

  test('refuses a weak password and stays valid', async () => {
    const { api } = await newCompany()
    const email = 'firstname.lastname@example.com'
    const token = tokenOf((await api.inviteUser({ email })).link)
    for (const weak of ['password123', 'iloveyou1', 'firstname.lastname', email])
      await expect(visitor.acceptInvitation({ token, name: 'Sam', password: weak }), weak).toBeRefused(422)
    await visitor.acceptInvitation({ token, name: 'Sam', password })
  })
})

describe('a reset link', () => {
  test('sets a new password once, within the hour, and ends every session', async () => {
    const { admin, api } = await newCompany()
    const max = await given.user(admin)
    const session = withSession(await given.session(max))
    const { link } = await api.createResetLink({ id: max.user_id })
    const token = tokenOf(link)
    expect(new URL(link).pathname).toBe('/reset-password')
    await later(60 * 60 * 1000, () => expect(visitor.resetPassword({ token, password })).toBeRefused(404))
    expect(await visitor.resetPassword({ token, password })).toEqual({})
    expect(await visitor.signIn({ email: max.email, password })).toMatchObject({ state: 'signed_in' })
    await expect(session.whoami({})).toBeRefused(401)
    await expect(visitor.signIn({ email: max.email, password: givenPassword })).toBeRefused(401)
    await expect(visitor.resetPassword({ token, password })).toBeRefused(404)
  })

  test('lets in someone who was locked out by too many wrong passwords', async () => {
    const { admin, api } = await newCompany()
    const max = await given.user(admin)
    const wrong = () => visitor.signIn({ email: max.email, password: 'wrong' }).catch((error) => error.problem.status)
    for (let i = 0; i < 6; i++) await wrong()
    expect(await wrong()).toBe(429)
    const token = tokenOf((await api.createResetLink({ id: max.user_id })).link)
    await visitor.resetPassword({ token, password })
    expect(await visitor.signIn({ email: max.email, password })).toMatchObject({ state: 'signed_in' })
  })

  test('does not work as an invitation, nor the other way round', async () => {
    const { admin, api } = await newCompany()
    const max = await given.user(admin)
    const reset = tokenOf((await api.createResetLink({ id: max.user_id })).link)
    const invitation = tokenOf((await api.inviteUser({ email: someone() })).link)
    await expect(visitor.acceptInvitation({ token: reset, name: 'Max', password })).toBeRefused(404)
    await expect(visitor.resetPassword({ token: invitation, password })).toBeRefused(404)
  })

  test('cannot be created with an API key, whatever the role', async () => {
    const { admin } = await newCompany()
    const key = await given.key(admin)
    const answer = await kith.send(`/api/v1/users/${admin.user_id}/reset-link`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(answer.status).toBe(404)
  })

  test('is stored only as a hash, and never logged', async () => {
    const { admin, api } = await newCompany()
    const token = tokenOf((await api.createResetLink({ id: admin.user_id })).link)
    const { rows } = await kith.pool.query('select t::text from account_links t')
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(kith.logged.join()).not.toContain(token)
  })
})

test('requesting a reset link does not reveal whether the address is known, and is limited', async () => {
  const { admin } = await newCompany()
  const ask = (email: string) =>
    kith.send('/app/api/password-resets', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    })
  const [known, unknown] = [await ask(admin.email), await ask('nobody@example.com')]
  expect([known.status, await known.text()]).toEqual([unknown.status, await unknown.text()])
  const statuses = []
  for (let i = 0; i < 6; i++) statuses.push((await ask('nobody@example.com')).status)
  expect(statuses.at(-1)).toBe(429)
})
