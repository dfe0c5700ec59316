import { describe, expect, test } from 'vitest'
import { testAuthorizationServer } from '../../../test/authorization-server.ts'
import { selfSigned, trust } from '../../../test/certificate.ts'
import { hasDovecot, testDovecot } from '../../../test/dovecot.ts'
import { waitForProcesses } from '../../../test/patience.ts'
import { testSmtp } from '../../../test/smtp.ts'
import type { Way } from '../../mail/connect.ts'
import { type Credentials, openMailbox } from './connect.ts'
import type { Server } from './mailbox.ts'
import { explainImap, MailboxError } from './mailbox-error.ts'

waitForProcesses()

const way: Way = { lookup: async () => [{ address: '127.0.0.1', family: 4 }], reach: 'operator' }
const at = (port: number, security: Server['security'] = 'none'): Server => ({ host: 'imap.test', port, security })
const ada = { username: 'ada@acme.test', password: 'secret canary' }
const failureOf = async (server: Server, credentials: Credentials = ada, by = way): Promise<MailboxError> => {
  const error = await openMailbox(server, credentials, by, { connectMs: 2000 }).then(
    () => null,
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(MailboxError)
  return error
}

describe.skipIf(!hasDovecot)('a mailbox', async () => {
  const trusted = selfSigned('imap.test')
  trust(trusted.cert)
  const dovecot = hasDovecot ? await testDovecot({ users: { 'ada@acme.test': 'secret canary' }, tls: trusted }) : null!

  test.each(['none', 'starttls', 'tls'] as const)('is opened with encryption %s', async (security) => {
    const client = await openMailbox(at(security === 'tls' ? dovecot.tlsPort : dovecot.port, security), ada, way)
    expect(client.secureConnection || client.tls !== false).toBe(security !== 'none')
    expect((await client.list()).map(({ path }) => path)).toContain('INBOX')
    await client.logout()
  })

  test('with a wrong password says what to do, without repeating it', async () => {
    const failure = await failureOf(at(dovecot.port), { username: 'ada@acme.test', password: 'wrong canary' })
    expect(failure).toMatchObject({
      needs: 'settings',
      message: 'The mail server imap.test refused the user name or password. Enter both again.',
    })
    expect(JSON.stringify([failure.message, failure.stack])).not.toContain('canary')
  })

  test('with a certificate for another name is not opened', async () => {
    const { message } = await failureOf({ host: 'other.test', port: dovecot.tlsPort, security: 'tls' })
    expect(message).toMatch(
      'The certificate of the mail server other.test is not valid: it was issued for another name.',
    )
  })

  test('inside the network of an installation with several companies is not found', async () => {
    const { message } = await failureOf(at(dovecot.port), ada, { ...way, reach: 'public', ports: [143, 993] })
    expect(message).toBe(`This server does not allow mail on port ${dovecot.port}. Use one of: 143, 993.`)
    const named = await failureOf(at(993), ada, { ...way, reach: 'public', ports: [143, 993] })
    expect(named.message).toBe('The mail server imap.test was not found on the public internet. Check its name.')
  })

  test('is opened with an access token, and a wrong one asks to sign in again', async () => {
    const server = await testAuthorizationServer({ redirectUri: 'http://localhost:3000/back' })
    const other = await testDovecot({ users: {}, introspection: server.introspection })
    const failure = await failureOf(at(other.port), { username: 'ada@acme.test', accessToken: 'wrong' })
    expect(failure).toMatchObject({
      needs: 'sign_in',
      message: 'The mail server imap.test no longer accepts the sign-in. Sign in again.',
    })
  })
})

test('what is no mail server is said to be none', async () => {
  const smtp = await testSmtp()
  const { message } = await failureOf(at(smtp.port))
  expect(message).toMatch(`The mail server imap.test did not respond in time on port ${smtp.port}.`)
  const closed = await failureOf(at(1))
  expect(closed.message).toBe(
    'The mail server imap.test could not be reached on port 1. Check the name, port and firewall.',
  )
})

test.each([
  ['imap.gmail.com', 'Application-specific password required', 'imap.gmail.com needs an app password'],
  ['imap.gmail.com', 'Invalid credentials (Failure)', 'Enter both again. imap.gmail.com needs an app password'],
  ['outlook.office365.com', 'LOGIN failed.', 'Connect this mailbox by signing in to Microsoft.'],
  ['imap.acme.test', 'IMAP is disabled for your domain', 'IMAP is switched off for this mailbox. Turn it on'],
])('%s saying "%s" is explained', (host, response, words) => {
  const error = Object.assign(new Error('Command failed'), { authenticationFailed: true, response })
  const server: Server = { host, port: 993, security: 'tls' }
  const { message, needs } = explainImap(error, { server, isToken: false, isInside: false })
  expect(message).toContain(words)
  expect(needs).toBe('settings')
})
