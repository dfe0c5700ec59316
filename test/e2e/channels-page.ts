// What the tests of channels share.
import { createServer } from 'node:http'
import { afterAll } from 'vitest'
import { testAuthorizationServer } from '../authorization-server.ts'
import { testWeb } from '../browser.ts'
import { testDovecot } from '../dovecot.ts'
import { freePort } from '../process.ts'
import { testSmtp } from '../smtp.ts'
import { testWorker } from '../worker.ts'

/** The web app with a mail server, and with Google as a provider of mailboxes there. */
export async function testChannels() {
  // The provider sends browsers to the address of the installation, before it is known where the test listens.
  const baseUrl = `http://localhost:${await freePort()}`
  const google = await testAuthorizationServer({
    redirectUri: `${baseUrl}/public/mailboxes/signed-in`,
    scopes: ['https://mail.google.com/'],
  })
  const dovecot = await testDovecot({
    users: { 'team@acme.test': 'secret', 'ada@acme.test': 'secret' },
    introspection: google.introspection,
  })
  const [smtp, openSmtp] = [
    await testSmtp({ deliver: (to, source, from) => dovecot.deliver(to, source, from) }),
    await testSmtp({ isToken: () => true }),
  ]
  const server = (port: number) => ({ host: '127.0.0.1', port, security: 'none' as const })
  const web = await testWeb({
    baseUrl,
    mailboxProviders: {
      google: {
        label: 'Google',
        issuer: google.issuer,
        asking: { prompt: 'consent' },
        scopes: ['openid', 'email', 'https://mail.google.com/'],
        imap: server(dovecot.port),
        smtp: server(openSmtp.port),
        clientId: google.client.id,
        clientSecret: google.client.secret,
      },
    },
  })
  const front = createServer((request, response) =>
    response.writeHead(302, { location: `${web.origin}${request.url}` }).end(),
  ).listen(Number(new URL(baseUrl).port))
  afterAll(() => front.close())
  await testWorker(web.kith)
  return { ...web, baseUrl, dovecot, smtp, server }
}
