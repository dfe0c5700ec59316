import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { createFirstAdmin } from './first-admin.ts'

const form = { company_name: 'Acme', name: 'Ada', email: 'Ada@Example.com', password: 'correct horse' }
const ask = (
  kith: Awaited<ReturnType<typeof testApp>>,
  body: object,
  from: { ip?: string; headers?: Record<string, string> } = {},
) =>
  kith.app.inject({
    method: 'POST',
    url: '/app/api/set-up',
    remoteAddress: from.ip ?? '127.0.0.1',
    headers: { host: 'localhost:3000', ...from.headers },
    payload: body,
  })

describe('a fresh installation', async () => {
  const kith = await testApp({ setUpToken: 'the-one-time-token' })

  test('has no account, and the session state says so', async () => {
    expect(await kith.visitor.getSession({})).toEqual({ state: 'set_up', open: true })
    await expect(kith.visitor.signIn({ email: 'admin@example.com', password: 'admin' })).toBeRefused(401)
  })

  test.each([
    ['from another machine', { ip: '203.0.113.5' }],
    ['through a proxy', { headers: { 'x-forwarded-for': '203.0.113.5' } }],
    ['through a proxy that says Forwarded', { headers: { forwarded: 'for=203.0.113.5' } }],
    ['under a LAN address', { headers: { host: '192.168.1.20:3000' } }],
    ['with a wrong token', { ip: '203.0.113.5', token: 'guess' }],
  ])(
    'cannot be set up %s',
    async (_, { token, ...from }: { token?: string; ip?: string; headers?: Record<string, string> }) => {
      const answer = await ask(kith, { ...form, token }, from)
      expect(answer.statusCode).toBe(403)
      expect(answer.json().detail).toContain('one-time link')
    },
  )

  test('reports invalid input and stays open', async () => {
    const answer = await ask(kith, { ...form, company_name: ' ', password: 'short' })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors.map((fault: { path: string }) => fault.path)).toEqual(['company_name', 'password'])
  })

  test('can be set up only once, even with two concurrent requests, and the first Admin is signed in', async () => {
    const answers = await Promise.all([
      ask(kith, { ...form, token: 'the-one-time-token' }, { ip: '203.0.113.5' }),
      ask(kith, { ...form, email: 'eve@example.com' }),
    ])
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, 409])
    const won = answers.find((answer) => answer.statusCode === 201)!
    expect(won.json()).toMatchObject({ state: 'signed_in', me: { role: 'Admin' }, company: { name: 'Acme' } })
    expect(String(won.headers['set-cookie'])).toContain('kith_session=')
    expect((await ask(kith, form)).statusCode).toBe(409)
    expect(await kith.visitor.getSession({})).toMatchObject({ state: 'signed_out' })
  })
})

test('the country decides what else is not given, and its phone numbers work from the first minute', async () => {
  const kith = await testApp({ openSignup: true })
  const signUp = (body: object) =>
    kith.app.inject({ method: 'POST', url: '/app/api/sign-up', headers: { host: 'localhost:3000' }, payload: body })
  const answer = await signUp({ ...form, country: 'AT' })
  const region = { country: 'AT', currency: 'EUR', language: 'de-AT', time_zone: 'Europe/Vienna' }
  expect(answer.json().company).toMatchObject(region)
  const ada = kith.withSession(/kith_session=([^;]+)/.exec(String(answer.headers['set-cookie']))![1]!)
  const { records } = await ada.createRecords({
    object: 'people',
    records: [{ last_name: 'Gruber', phones: ['0664 1234567'] }],
  })
  expect(records[0]!.phones).toEqual(['+436641234567'])

  const chosen = { country: 'CH', currency: 'EUR', language: 'fr-FR', time_zone: 'Europe/Paris' }
  const other = await signUp({ ...form, email: 'eve@example.com', ...chosen })
  expect(other.json().company).toMatchObject(chosen)
  const none = await signUp({ ...form, email: 'bob@example.com' })
  const usual = { country: null, currency: 'USD', language: 'en-US', time_zone: 'UTC' }
  expect(none.json().company).toMatchObject(usual)
  const wrong = await signUp({ ...form, email: 'cid@example.com', country: 'Austria', currency: 'Euro' })
  expect(wrong.json().errors.map(({ path }: { path: string }) => path)).toEqual(['country', 'currency'])
})

test('ADMIN_EMAIL and ADMIN_PASSWORD create the first Admin once', async () => {
  const kith = await testApp({ own: true })
  const admin = { email: 'ops@example.com', password: 'correct horse' }
  expect(await createFirstAdmin(kith.db, { ...admin, region: { country: 'PL' } })).toBe(true)
  expect(await createFirstAdmin(kith.db, { ...admin, email: 'second@example.com' })).toBe(false)
  const signedIn = await kith.visitor.signIn(admin)
  expect(signedIn).toMatchObject({ company: { country: 'PL', currency: 'PLN', language: 'pl-PL' } })
  expect(signedIn).toMatchObject({ state: 'signed_in', me: { name: 'ops', role: 'Admin' } })
})
