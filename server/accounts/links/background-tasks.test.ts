import { randomUUIDv7 } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { testSmtp } from '../../../test/smtp.ts'
import { soon, testWorker } from '../../../test/worker.ts'

const refused: Record<string, string> = {}
const smtp = await testSmtp({ refuse: (address) => refused[address] })
const kith = await testApp({ smtpUrl: smtp.url, baseUrl: 'http://crm.example.com' })
const { run: runJob } = await testWorker(kith)

const password = 'a long enough passphrase'
const anEmail = () => `${randomUUIDv7()}@example.com`
const tokenIn = (text: string | undefined) => text?.match(/#token=([\w-]{43})\s/)?.[1] ?? ''
const asAdmin = async (name = 'Ada Admin') => {
  const admin = await kith.given.company({ name: 'Acme & Söhne', adminName: name })
  return { ...admin, api: kith.withSession(await kith.given.session(admin)) }
}
const linksOf = (user_id: string) =>
  kith.db.selectFrom('account_links').select('kind').where('user_id', '=', user_id).execute()
/** All events have become jobs, and those that were asked for are done. */
const settled = (job: string, count: number) => soon(async () => expect(await done(job)).toBeGreaterThanOrEqual(count))
const done = async (job: string) =>
  (await kith.pool.query("select 1 from pgboss.job where name = $1 and state = 'completed'", [job])).rows.length

/** Held before they write anything, so that none can be done before another has looked. */
async function allAtOnce(count: number, run: () => Promise<unknown>) {
  const gate = await kith.pool.connect()
  await gate.query('begin')
  await gate.query('lock table account_links in share mode')
  const running = Promise.all(Array.from({ length: count }, run))
  const held = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  const allHeld = async () => expect((await kith.pool.query(held)).rows).toHaveLength(count)
  await vi.waitFor(allHeld, { timeout: 60_000, interval: 50 }).finally(() => gate.query('commit'))
  gate.release()
  await running
}

test('an invitation arrives by email with a link that works once', async () => {
  const { api } = await asAdmin()
  const email = anEmail()
  const { sent_to, link } = await api.inviteUser({ email })
  expect(sent_to).toBe(email)
  const mail = await smtp.mailTo(email)
  expect(mail.subject).toBe('Ada Admin invited you to Acme & Söhne')
  expect(mail.text).toContain('http://crm.example.com/join#token=')
  expect(mail.text).toContain('expires in 7 days')
  expect(mail.html).toContain('Acme &amp; Söhne')
  const token = tokenIn(mail.text)
  expect(link).not.toContain(token)
  expect(await kith.visitor.getAccountLink({ token })).toMatchObject({ kind: 'invitation', email })
  await kith.visitor.acceptInvitation({ token, name: 'Grace', password })
  await expect(kith.visitor.getAccountLink({ token: tokenIn(`${link}\n`) })).toBeRefused(404)
})

test('an invitation that will be shared by hand is not emailed', async () => {
  const { api } = await asAdmin()
  const [byHand, byMail] = [anEmail(), anEmail()]
  await api.inviteUser({ email: byHand, send: false })
  await api.inviteUser({ email: byMail })
  await smtp.mailTo(byMail)
  expect(smtp.mailsTo(byHand)).toEqual([])
})

test('someone who joined in the meantime gets no further invitation', async () => {
  const admin = await asAdmin()
  const member = await kith.given.user(admin)
  const payload = { user_id: member.user_id, send: true }
  await runJob('send_invitation', {
    event: 'user.invited',
    company_id: admin.company_id,
    actor_id: admin.user_id,
    payload,
  })
  expect(smtp.mailsTo(member.email)).toEqual([])
  expect(await linksOf(member.user_id)).toEqual([])
})

test('a new address is confirmed by email, and the old address is notified', async () => {
  const admin = await asAdmin()
  const max = await kith.given.user(admin)
  const email = anEmail()
  const { confirmation } = await admin.api.updateUser({ id: max.user_id, email })
  expect(confirmation!.sent_to).toBe(email)
  const mail = await smtp.mailTo(email)
  expect(mail.subject).toBe('Confirm your new address for Acme & Söhne')
  expect(mail.text).toContain('http://crm.example.com/confirm-email#token=')
  expect(smtp.mailsTo(max.email)).toEqual([])
  const token = tokenIn(mail.text)
  expect(confirmation!.link).not.toContain(token)
  await kith.visitor.confirmEmail({ token })
  const told = await smtp.mailTo(max.email, 'was changed')
  expect(told.subject).toBe('Your sign-in address for Acme & Söhne was changed')
  expect(told.text).not.toContain(email)
  await smtp.mailTo(email, 'Your sign-in address was changed')
  await expect(kith.visitor.confirmEmail({ token: tokenIn(`${confirmation!.link}\n`) })).toBeRefused(404)
})

test('text entered by people never becomes markup', async () => {
  const { api } = await asAdmin('<b onclick="x">Eve</b>')
  const email = anEmail()
  await api.inviteUser({ email })
  const { html, text } = await smtp.mailTo(email)
  expect(html).toContain('&lt;b onclick=&quot;x&quot;&gt;Eve&lt;/b&gt;')
  expect(html).not.toContain('<b onclick')
  expect(html).not.toMatch(/<img|<script|<link|url\(|src=/)
  expect(text).toContain('<b onclick="x">Eve</b>')
})

test('a forgotten password is reset with an emailed link, and the request is in the audit log', async () => {
  const admin = await asAdmin()
  expect(await kith.visitor.requestPasswordReset({ email: admin.email })).toEqual({})
  const mail = await smtp.mailTo(admin.email)
  expect(mail.subject).toBe('Set a new password for Kith')
  expect(mail.text).toContain('http://crm.example.com/reset-password#token=')
  expect(mail.text).toContain('expires in 1 hour')
  const token = tokenIn(mail.text)
  await kith.visitor.resetPassword({ token, password })
  expect(await kith.visitor.signIn({ email: admin.email, password })).toMatchObject({ state: 'signed_in' })
  const audit = await kith.withKey(await kith.given.key(admin)).listAuditEvents({ action: 'password.reset_requested' })
  expect(audit.items).toMatchObject([{ target_id: admin.user_id, actor_id: null }])
})

test('nothing is sent to an unknown address, and the response is the same', async () => {
  const before = await done('send_reset')
  const email = anEmail()
  expect(await kith.visitor.requestPasswordReset({ email })).toEqual({})
  await settled('send_reset', before + 1)
  expect(smtp.mailsTo(email)).toEqual([])
})

test('at most three password reset emails are sent per hour, even with concurrent requests', async () => {
  const { email, user_id } = await asAdmin()
  const asking = { event: 'password.reset_requested' as const, payload: { email } }
  await allAtOnce(6, () => runJob('send_reset', asking))
  expect(smtp.mailsTo(email)).toHaveLength(3)
  expect(await linksOf(user_id)).toHaveLength(3)
  kith.time.now = new Date(kith.time.now.getTime() + 3_600_001)
  await runJob('send_reset', asking)
  expect(smtp.mailsTo(email)).toHaveLength(4)
})

test('an email that is permanently rejected is not retried, and its link stops working', async () => {
  const { email, user_id, company_id } = await asAdmin()
  refused[email] = '550 No such user'
  await runJob('send_reset', { event: 'password.reset_requested', payload: { email } })
  expect(await linksOf(user_id)).toEqual([])
  expect(kith.logged.find((line) => line.includes('will not be retried') && line.includes(company_id))).toBeTruthy()
})

test('an email that is temporarily rejected is retried, and retries do not count towards the limit', async () => {
  const { email, user_id } = await asAdmin()
  refused[email] = '451 Later'
  const event = { id: randomUUIDv7(), event: 'password.reset_requested' as const, payload: { email } }
  for (let tries = 0; tries < 5; tries++) await expect(runJob('send_reset', event)).rejects.toThrow('refused')
  expect(await linksOf(user_id)).toEqual([])
  delete refused[email]
  await runJob('send_reset', event)
  expect(smtp.mailsTo(email)).toHaveLength(1)
  const audit = await kith.db
    .selectFrom('audit_events')
    .select('id')
    .where('target_id', '=', user_id)
    .where('action', '=', 'password.reset_requested')
    .execute()
  expect(audit).toHaveLength(1)
})

test('links and addresses are never logged or stored in a job', async () => {
  const tokens = smtp.received.map((mail) => tokenIn(mail.text)).filter(Boolean)
  expect(tokens.length).toBeGreaterThan(5)
  const { rows } = await kith.pool.query('select data::text as data, output::text as output from pgboss.job')
  const written = [...kith.logged, ...rows.flatMap((row) => [row.data, row.output])].join('\n')
  for (const token of tokens) expect(written).not.toContain(token)
  const lines = kith.logged.join('\n')
  for (const { recipients } of smtp.received) expect(lines).not.toContain(recipients[0])
})
