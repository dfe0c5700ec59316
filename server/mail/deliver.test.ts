import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { selfSigned, trust } from '../../test/certificate.ts'
import { testSmtp } from '../../test/smtp.ts'
import { deliver } from './deliver.ts'
import { MailError } from './mail-error.ts'
import type { MailServer } from './mail-server.ts'

const message = { to: 'max@example.com', subject: 'Hello', text: 'Hello Max', html: '<p>Hello Max</p>' }
const loopback = async () => [{ address: '127.0.0.1', family: 4 }]

const serverAt = (port: number, values: Partial<MailServer> = {}): MailServer => ({
  host: 'smtp.test',
  port,
  security: 'none',
  username: null,
  password: null,
  from: { name: 'Acme', address: 'hello@acme.test' },
  ...values,
})
const send = (server: MailServer, more: Partial<typeof message> = {}) =>
  deliver(server, { ...message, ...more }, { lookup: loopback, reach: 'operator' })
const failureOf = async (sending: Promise<void>): Promise<MailError> => {
  const error = await sending.then(() => null).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(MailError)
  return error
}

const trusted = selfSigned('smtp.test')
trust(trusted.cert)

test('a mail arrives with sender, subject, text and HTML, marked as written by a program', async () => {
  const smtp = await testSmtp()
  await send(serverAt(smtp.port), { subject: 'Grüße' })
  const [mail] = smtp.received
  expect(mail).toMatchObject({ subject: 'Grüße', text: 'Hello Max', html: '<p>Hello Max</p>' })
  expect(mail!.from!.text).toBe('"Acme" <hello@acme.test>')
  expect(mail!.headers.get('auto-submitted')).toBe('auto-generated')
})

test.each(['tls', 'starttls'] as const)('with %s a mail travels encrypted and signed in', async (security) => {
  const auth = { user: 'acme', pass: 'pass word' }
  const smtp = await testSmtp({ auth, tls: { kind: security, ...trusted } })
  await send(serverAt(smtp.port, { security, username: auth.user, password: auth.pass }))
  expect(smtp.received).toMatchObject([{ isEncrypted: true }])
})

test('STARTTLS is demanded: a server without it gets no mail', async () => {
  const smtp = await testSmtp()
  const { message: words } = await failureOf(send(serverAt(smtp.port, { security: 'starttls' })))
  expect(words).toBe(
    `The mail server smtp.test does not offer STARTTLS on port ${smtp.port}. Choose another port or encryption.`,
  )
  expect(smtp.received).toEqual([])
})

test.each([
  ['that is not trusted', selfSigned('smtp.test'), 'it is self-signed'],
  ['for another name', selfSigned('other.test'), 'it was issued for another name'],
  ['that has expired', selfSigned('smtp.test', new Date(Date.now() - 86_400_000)), 'it has expired'],
])('a certificate %s is refused', async (_, certificate, why) => {
  if (why !== 'it is self-signed') trust(certificate.cert)
  for (const kind of ['tls', 'starttls'] as const) {
    const smtp = await testSmtp({ tls: { kind, ...certificate } })
    const { message: words } = await failureOf(send(serverAt(smtp.port, { security: kind })))
    expect(words).toMatch(`The certificate of the mail server smtp.test is not valid: ${why}.`)
    expect(smtp.received).toEqual([])
  }
})

test('TLS with a server that does not support it is explained', async () => {
  const smtp = await testSmtp()
  const { message: words } = await failureOf(send(serverAt(smtp.port, { security: 'tls' })))
  expect(words).toMatch('does not support this encryption')
})

test('a wrong password is explained without repeating it, and can be retried', async () => {
  const smtp = await testSmtp({ auth: { user: 'acme', pass: 'right' } })
  const failure = await failureOf(send(serverAt(smtp.port, { username: 'acme', password: 'wrong-canary' })))
  expect(failure.message).toBe('The mail server smtp.test refused the user name or password. Enter both again.')
  expect(JSON.stringify([failure.message, failure.said, failure.stack])).not.toContain('canary')
  expect(failure.isPermanent).toBe(false)
})

test('a permanently rejected recipient is not retried; a temporarily rejected one is', async () => {
  const answers: Record<string, string> = { 'gone@example.com': '550 No such user', 'full@example.com': '452 Full' }
  const smtp = await testSmtp({ refuse: (address) => answers[address] })
  const gone = await failureOf(send(serverAt(smtp.port), { to: 'gone@example.com' }))
  expect(gone).toMatchObject({ isPermanent: true, said: '550 No such user' })
  expect(gone.message).toBe('The mail server smtp.test refused the recipient address.')
  const full = await failureOf(send(serverAt(smtp.port), { to: 'full@example.com' }))
  expect(full).toMatchObject({ isPermanent: false })
})

test('an unreachable server and an unknown name are explained', async () => {
  const { message: words } = await failureOf(send(serverAt(1)))
  expect(words).toBe('The mail server smtp.test could not be reached on port 1. Check the name, port and firewall.')
  const lookup = async () => {
    throw Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
  }
  const unknown = await failureOf(deliver(serverAt(25), message, { lookup, reach: 'operator' }))
  expect(unknown.message).toBe('The mail server smtp.test was not found. Check its name.')
})

test.each([
  ['subject', { subject: 'Hello\r\nBcc: eve@example.com' }],
  ['recipient', { to: 'max@example.com\r\nBcc: eve@example.com' }],
  ['recipient list', { to: 'max@example.com, eve@example.com' }],
])('a line break or a second address in the %s is refused', async (_, more) => {
  const smtp = await testSmtp()
  expect(await failureOf(send(serverAt(smtp.port), more))).toMatchObject({ isPermanent: true })
  expect(smtp.received).toEqual([])
})

test('a line break in the sender is refused', async () => {
  const smtp = await testSmtp()
  for (const from of [
    { name: 'Acme\nBcc: eve@example.com', address: 'hello@acme.test' },
    { name: 'Acme', address: 'hello@acme.test\nBcc: eve@example.com' },
  ])
    await failureOf(send(serverAt(smtp.port, { from })))
  expect(smtp.received).toEqual([])
})

test('with several companies, a server inside the network gets no mail', async () => {
  const way = { lookup: loopback, reach: 'public' as const }
  expect((await failureOf(deliver(serverAt(2525), message, way))).message).toMatch('not found on the public internet')
})

test('the connection goes to the address that was checked: a name is looked up once', async () => {
  const smtp = await testSmtp()
  const answers = [await loopback(), [{ address: '192.0.2.1', family: 4 }]]
  await deliver(serverAt(smtp.port), message, { lookup: async () => answers.shift()!, reach: 'operator' })
  expect(smtp.received).toHaveLength(1)
  expect(answers).toHaveLength(1)
})

test('an error about a server inside the network does not reveal whether a port is closed or used', async () => {
  const smtp = await testSmtp()
  const http = createServer((_, answer) => answer.end('no')).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const portOf = (server: { address(): unknown }) => (server.address() as { port: number }).port
  const tried = [
    serverAt(1),
    serverAt(portOf(http)),
    serverAt(portOf(http), { security: 'tls' }),
    serverAt(smtp.port, { security: 'tls' }),
  ]
  for (const server of tried) {
    const way = { lookup: loopback, reach: 'anywhere' as const }
    const { message: words } = await failureOf(deliver(server, message, way))
    expect(words.replace(String(server.port), 'N')).toBe(
      'No mail server responded at smtp.test on port N. Check the name, port, encryption and certificate.',
    )
  }
  const refused = serverAt(smtp.port, { security: 'starttls' })
  const said = await failureOf(deliver(refused, message, { lookup: loopback, reach: 'anywhere' }))
  expect(said.message, 'a mail server that answers is named').toContain('does not offer STARTTLS')
  http.close()
})
