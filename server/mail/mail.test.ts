import { expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { oldSeal } from '../../test/old-seal.ts'
import { testSmtp } from '../../test/smtp.ts'
import { createMailer, type Mailer } from './mailer.ts'
import { ownSettings, placeOfPassword, resealMailPasswords } from './queries.ts'

const kith = await testApp({ own: true })
const auth = { user: 'acme', pass: 'canary-mail-password' }
const smtp = await testSmtp({ auth, refuse: (address) => (address.startsWith('no') ? '550 No such user' : undefined) })

const settings = {
  host: '127.0.0.1',
  port: smtp.port,
  security: 'none' as const,
  username: auth.user,
  from_name: 'Acme GmbH',
  from_email: 'hello@acme.test',
}
const asAdmin = async (app: TestApp = kith) => {
  const admin = await app.given.company()
  return { ...admin, api: app.withSession(await app.given.session(admin)) }
}
const auditOf = async (company_id: string, action: string) => {
  await kith.refusals.flush()
  return (
    await kith.db
      .selectFrom('audit_events')
      .select('data')
      .where('company_id', '=', company_id)
      .where('action', '=', action)
      .execute()
  ).map((row) => row.data)
}

test('what an Admin sets is used for a test mail to themselves', async () => {
  const { api, email, company_id } = await asAdmin()
  expect(await api.getMailSettings({})).toMatchObject({ source: 'none', host: null, has_password: false })
  const saved = await api.updateMailSettings({ ...settings, password: auth.pass })
  expect(saved).toEqual({ ...settings, source: 'company', has_password: true })
  expect(await api.testMailSettings({})).toEqual({ sent_to: email })
  const mail = await smtp.mailTo(email)
  expect(mail.from!.text).toBe('"Acme GmbH" <hello@acme.test>')
  expect(mail.subject).toBe('Test email from Acme')
  expect(await auditOf(company_id, 'mail.tested')).toEqual([{ sent: true }])
})

test('the password is in no answer, log, audit row or column', async () => {
  const { api, company_id } = await asAdmin()
  const answers = [
    await api.updateMailSettings({ ...settings, password: auth.pass }),
    await api.getMailSettings({}),
    await api.testMailSettings({}),
    await api.updateMailSettings(settings),
  ]
  expect(JSON.stringify(answers)).not.toContain(auth.pass)
  expect(kith.logged.join()).not.toContain(auth.pass)
  const audit = await auditOf(company_id, 'mail.changed')
  expect(audit).toMatchObject([{ password: 'set' }, { password: 'kept' }])
  expect(JSON.stringify(audit)).not.toContain(auth.pass)
  const row = await kith.db
    .selectFrom('mail_settings')
    .selectAll()
    .where('company_id', '=', company_id)
    .executeTakeFirstOrThrow()
  expect(row.password!.includes(auth.pass)).toBe(false)
  expect(kith.services.vault.open(row.password!, placeOfPassword(company_id))).toBe(auth.pass)
})

test('an omitted password is kept, and null removes it', async () => {
  const { api } = await asAdmin()
  await api.updateMailSettings({ ...settings, password: auth.pass })
  expect(await api.updateMailSettings({ ...settings, from_name: 'Other' })).toMatchObject({ has_password: true })
  await api.testMailSettings({})
  expect(await api.updateMailSettings({ ...settings, password: null })).toMatchObject({ has_password: false })
  await expect(api.testMailSettings({})).rejects.toMatchObject({
    problem: {
      status: 409,
      detail: 'The password for the mail server 127.0.0.1 is missing. Enter it again.',
    },
  })
})

test('a saved password is not sent to another server: it must be entered again', async () => {
  const { api } = await asAdmin()
  await api.updateMailSettings({ ...settings, password: auth.pass })
  for (const other of [{ host: 'evil.test' }, { port: 1 }, { security: 'tls' as const }, { username: 'eve' }]) {
    await expect(api.updateMailSettings({ ...settings, ...other })).rejects.toMatchObject({
      problem: {
        status: 422,
        errors: [{ path: 'password' }],
      },
    })
  }
  expect(await api.getMailSettings({})).toMatchObject({ host: settings.host, port: settings.port })
})

test('a wrong password is explained to the Admin and recorded', async () => {
  const { api, company_id } = await asAdmin()
  await api.updateMailSettings({ ...settings, password: 'wrong-canary' })
  const failure = await api.testMailSettings({}).catch((error) => error)
  expect(failure.problem).toMatchObject({
    status: 409,
    detail: expect.stringContaining('refused the user name or password'),
  })
  expect(JSON.stringify(failure.problem) + kith.logged.join()).not.toContain('wrong-canary')
  expect(await auditOf(company_id, 'mail.tested')).toEqual([{ sent: false }])
})

test('a refused recipient is reported with the response of the server', async () => {
  const { api, user_id } = await asAdmin()
  await api.updateMailSettings({ ...settings, password: auth.pass })
  await kith.db.updateTable('users').set({ email: 'nobody@example.com' }).where('id', '=', user_id).execute()
  await expect(api.testMailSettings({})).rejects.toMatchObject({
    problem: {
      detail: 'The mail server 127.0.0.1 refused the recipient address. The server said: 550 No such user',
    },
  })
})

test('ten test mails an hour are enough', async () => {
  const { api } = await asAdmin()
  await api.updateMailSettings({ ...settings, password: auth.pass })
  for (let sent = 0; sent < 10; sent++) await api.testMailSettings({})
  await expect(api.testMailSettings({})).toBeRefused(429)
})

test('without its own mail server, a company sends via SMTP_URL, whose user name is not shown', async () => {
  const services = await testSmtp({ auth: { user: 'services', pass: 'canary-services' } })
  const app = await testApp({ smtpUrl: `smtp://services:canary-services@127.0.0.1:${services.port}` })
  const { api, email } = await asAdmin(app)
  const read = await api.getMailSettings({})
  expect(read).toMatchObject({ source: 'environment', host: '127.0.0.1', port: services.port, username: null })
  expect(JSON.stringify(read)).not.toContain('canary')
  await api.testMailSettings({})
  expect((await services.mailTo(email)).from!.value[0]!.name).toBe('Kith')
  await api.updateMailSettings({ ...settings, password: auth.pass })
  await api.testMailSettings({})
  expect((await smtp.mailTo(email)).from!.value[0]!.name).toBe('Acme GmbH')
  expect(await api.deleteMailSettings({})).toMatchObject({ source: 'environment' })
  await api.testMailSettings({})
  expect(services.mailsTo(email)).toHaveLength(2)
})

test('without a mail server nothing can be sent, and the Admin is told why', async () => {
  const { api, company_id } = await asAdmin()
  expect(await kith.services.mailer.canSend(kith.db, company_id)).toBe(false)
  await expect(api.testMailSettings({})).rejects.toMatchObject({
    problem: {
      status: 409,
      detail: expect.stringMatching('No mail server'),
    },
  })
})

test("settings are each company's own, for Admins, and not for keys", async () => {
  const one = await asAdmin()
  const other = await asAdmin()
  await one.api.updateMailSettings({ ...settings, password: auth.pass })
  expect(await other.api.getMailSettings({})).toMatchObject({ source: 'none' })
  const member = await kith.given.user(one)
  await expect(kith.withSession(await kith.given.session(member)).getMailSettings({})).toBeRefused(403)
  const withKey = await kith.send('/api/v1/settings/mail', { headers: { 'x-api-key': await kith.given.key(one) } })
  expect(withKey.status).toBe(404)
})

test('only Admins can read, set, test or remove the mail server', async () => {
  const admin = await asAdmin()
  await admin.api.updateMailSettings({ ...settings, password: auth.pass })
  const office = await kith.given.user(admin, { grants: ['company.manage', 'members.manage'] })
  const api = kith.withSession(await kith.given.session(office))
  await expect(api.getMailSettings({})).toBeRefused(403)
  await expect(api.updateMailSettings({ ...settings, host: 'evil.test', password: 'x' })).toBeRefused(403)
  await expect(api.testMailSettings({})).toBeRefused(403)
  await expect(api.deleteMailSettings({})).toBeRefused(403)
  expect(await admin.api.getMailSettings({})).toMatchObject({ host: settings.host })
})

test('a line break in the sender name or address is refused', async () => {
  const { api } = await asAdmin()
  for (const bad of [
    { from_name: 'A\r\nBcc: eve@example.com' },
    { from_email: 'a@b.test\r\nBcc: c@d.test' },
    { host: 'a\nb' },
  ])
    await expect(api.updateMailSettings({ ...settings, ...bad })).toBeRefused(422)
})

test('only the sole company of an installation can use an internal mail server, unless the operator allows it', async () => {
  const app = await testApp({ own: true })
  const looked: string[] = []
  const lookup = async (host: string) => {
    looked.push(host)
    return [{ address: '127.0.0.1', family: 4 }]
  }
  const mailerOf = (more: object) =>
    createMailer({ baseUrl: app.services.baseUrl, vault: app.services.vault, openSignup: false, lookup, ...more })
  const { api, company_id, email } = await asAdmin(app)
  await api.updateMailSettings({ ...settings, host: 'mail.internal', password: auth.pass })
  const send = (mailer: Mailer) =>
    mailer.send(app.db, company_id, { to: email, subject: 'Hello', text: 'Hello', html: 'Hello' })
  await send(mailerOf({}))
  await expect(send(mailerOf({ openSignup: true }))).rejects.toThrow(/port|public internet/)
  await app.given.company()
  await expect(send(mailerOf({}))).rejects.toThrow(/port|public internet/)
  await send(mailerOf({ outboundAllow: 'mail.internal' }))
  expect(smtp.mailsTo(email)).toHaveLength(2)
  expect(new Set(looked)).toEqual(new Set(['mail.internal']))
})

test('a password that version 0.1 sealed is bound to its company, and then opens for no other', async () => {
  const { company_id } = await asAdmin()
  const other = await asAdmin()
  const { vault } = kith.services
  const row = { host: 'localhost', port: 25, security: 'none', from_name: 'Acme', from_email: 'a@example.com' }
  const old = oldSeal('a secret for tests', 'sealed long ago')
  await kith.db
    .insertInto('mail_settings')
    .values({ ...row, company_id, password: old })
    .execute()
  await resealMailPasswords(kith.backgroundDb, vault)
  const { password } = (await ownSettings(kith.db, company_id))!
  expect(password).not.toEqual(old)
  expect(vault.open(password!, placeOfPassword(company_id))).toBe('sealed long ago')
  expect(() => vault.open(password!, placeOfPassword(other.company_id))).toThrow()
  await resealMailPasswords(kith.backgroundDb, vault)
  expect((await ownSettings(kith.db, company_id))!.password).toEqual(password)
})
