// A real mail server on the loopback, for mail that must arrive.
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { afterAll, vi } from 'vitest'

type Settings = {
  /** Without it, no sign-in is required. */
  auth?: { user: string; pass: string }
  tls?: { kind: 'tls' | 'starttls'; key: string; cert: string }
  /** The answer to this recipient, such as '550 No such user'; nothing for a welcome. */
  refuse?: (address: string) => string | undefined
}

export type Received = ParsedMail & { isEncrypted: boolean; recipients: string[] }

export async function testSmtp({ auth, tls, refuse }: Settings = {}) {
  const received: Received[] = []
  const server = new SMTPServer({
    logger: false,
    closeTimeout: 200,
    secure: tls?.kind === 'tls',
    ...(tls && { key: tls.key, cert: tls.cert }),
    disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(auth ? [] : ['AUTH'])],
    allowInsecureAuth: true,
    authOptional: !auth,
    onAuth({ username, password }, _session, done) {
      if (username === auth?.user && password === auth?.pass) return done(null, { user: username })
      done(Object.assign(new Error('Wrong user name or password'), { responseCode: 535 }))
    },
    onRcptTo({ address }, _session, done) {
      const answer = refuse?.(address)
      if (!answer) return done()
      done(Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) }))
    },
    async onData(stream, session, done) {
      const mail = await simpleParser(stream)
      const recipients = session.envelope.rcptTo.map((to) => to.address)
      received.push({ ...mail, isEncrypted: Boolean(session.secure), recipients })
      done()
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as { port: number }

  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    received,
    /** The mail that reached this address, as soon as there is one with this subject. */
    mailTo: (address: string, subject: string | RegExp = '') =>
      vi.waitFor(
        () => {
          const found = received.find((mail) => mail.recipients.includes(address) && mail.subject?.match(subject))
          if (!found) throw new Error(`No mail to ${address} has come; there are ${received.length} others`)
          return found
        },
        { timeout: 15_000, interval: 50 },
      ),
    mailsTo: (address: string) => received.filter((mail) => mail.recipients.includes(address)),
  }
}
