import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { testSmtp } from '../../../test/smtp.ts'
import { testWorker } from '../../../test/worker.ts'

const smtp = await testSmtp()
const kith = await testApp({ smtpUrl: smtp.url, openSignup: true })
await testWorker(kith)

const { visitor, given, withSession } = kith
const anEmail = () => `${randomUUIDv7()}@example.com`
const tokenIn = (text: string | undefined) => text?.match(/#token=([\w-]{43})\s/)?.[1] ?? ''
const password = 'a long enough sentence'
const form = { company_name: 'Mine', name: 'Owner', password }
const asAdmin = async () => {
  const admin = await given.company()
  return { ...admin, api: withSession(await given.session(admin)) }
}
/** Each from another place: how often one place may ask is not the matter here. */
let places = 0
const ask = (email: string) =>
  kith.app.inject({
    method: 'POST',
    url: '/app/api/sign-up-links',
    remoteAddress: `198.51.100.${++places}`,
    headers: { host: 'localhost:3000' },
    payload: { email },
  })

describe('with open sign-up and a mail server', () => {
  test('a company is created with the emailed link, once', async () => {
    expect(await visitor.getSession({})).toMatchObject({ state: expect.stringMatching(/set_up|signed_out/) })
    await given.company()
    expect(await visitor.getSession({})).toMatchObject({ sign_up: 'by_mail' })
    const email = anEmail()
    expect(await visitor.requestSignUp({ email })).toEqual({})
    const mail = await smtp.mailTo(email)
    expect(mail.text).toContain('http://localhost:3000/sign-up#token=')
    const token = tokenIn(mail.text)
    expect(await visitor.getSignUpLink({ token })).toEqual({ email })
    const both = await Promise.allSettled([1, 2].map(() => visitor.signUp({ ...form, email, token })))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await visitor.signIn({ email, password })).toMatchObject({ state: 'signed_in', company: { name: 'Mine' } })
    await expect(visitor.getSignUpLink({ token })).toBeRefused(404)
  })

  test('nothing is created without the link, with a link for another address, or after an hour', async () => {
    const [email, other] = [anEmail(), anEmail()]
    await ask(other)
    const token = tokenIn((await smtp.mailTo(other)).text)
    await expect(visitor.signUp({ ...form, email })).toBeRefused(403)
    await expect(visitor.signUp({ ...form, email, token })).toBeRefused(403)
    const now = kith.time.now
    kith.time.now = new Date(now.getTime() + 60 * 60 * 1000)
    await expect(visitor.signUp({ ...form, email: other, token })).toBeRefused(404)
    kith.time.now = now
    for (const address of [email, other]) {
      const { rows } = await kith.pool.query('select 1 from users where email = $1', [address])
      expect(rows).toEqual([])
    }
  })

  test('an address with an account gets the same response, and an email that says so', async () => {
    const { email } = await given.company()
    const [known, unknown] = [await ask(email), await ask(anEmail())]
    expect([known.statusCode, known.body]).toEqual([unknown.statusCode, unknown.body])
    const mail = await smtp.mailTo(email)
    expect(mail.subject).toBe('You already have a Kith account')
    expect(mail.text).not.toContain('#token=')
  })

  test('an address gets at most three of these emails per hour', async () => {
    const email = anEmail()
    for (let i = 0; i < 5; i++) await ask(email)
    const last = anEmail()
    await ask(last)
    await smtp.mailTo(last)
    await expect.poll(() => smtp.mailsTo(email).length).toBe(3)
  })

  test('requests are limited per network', async () => {
    const statuses = []
    const email = anEmail()
    for (let i = 0; i < 6; i++) statuses.push(await visitor.requestSignUp({ email }).catch((e) => e.problem.status))
    expect(statuses.at(-1)).toBe(429)
  })

  test('an invitation is only emailed, through the mail server of the installation', async () => {
    const own = await testSmtp()
    const { api } = await asAdmin()
    await api.updateMailSettings({
      host: '127.0.0.1',
      port: own.port,
      security: 'none',
      username: null,
      from_name: 'Evil',
      from_email: 'evil@example.com',
    })
    const email = anEmail()
    const made = await api.inviteUser({ email, send: false })
    expect(made).toMatchObject({ link: null, sent_to: email })
    const token = tokenIn((await smtp.mailTo(email)).text)
    expect(own.mailsTo(email)).toEqual([])
    await visitor.acceptInvitation({ token, name: 'Sam', password })
    const next = anEmail()
    const { confirmation } = await api.updateUser({ id: made.user.id, email: next })
    expect(confirmation).toMatchObject({ link: null, sent_to: next })
    await visitor.confirmEmail({ token: tokenIn((await smtp.mailTo(next, 'Confirm')).text) })
    expect(own.mailsTo(next).filter(({ subject }) => subject?.startsWith('Confirm'))).toEqual([])
    expect(await visitor.signIn({ email: next, password })).toMatchObject({ state: 'signed_in' })
  })
})

test('without a mail server, a company is created without a link', async () => {
  const open = await testApp({ openSignup: true })
  await open.given.company()
  expect(await open.visitor.getSession({})).toMatchObject({ sign_up: 'open' })
  await expect(open.visitor.requestSignUp({ email: anEmail() })).toBeRefused(409)
  const email = anEmail()
  expect(await open.visitor.signUp({ ...form, email })).toMatchObject({ state: 'signed_in' })
  await expect(open.visitor.signUp({ ...form, email })).toBeRefused(409)
})
