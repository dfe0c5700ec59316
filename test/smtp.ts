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
  /** Whether an access token is this user's. */
  isToken?: (user: string, token: string) => boolean | Promise<boolean>
  /** Passes on what was sent, such as into Dovecot. */
  deliver?: (recipients: string[], source: Buffer, from: string) => Promise<unknown>
  /** Ends the connection in the place of the answer to a message that has come whole. */
  hangsUp?: () => boolean
}

export type Received = ParsedMail & { isEncrypted: boolean; recipients: string[] }

export async function testSmtp({ auth, tls, refuse, isToken, deliver, hangsUp }: Settings = {}) {
  const needsSignIn = Boolean(auth || isToken)
  const received: Received[] = []
  const server = new SMTPServer({
    logger: false,
    closeTimeout: 200,
    secure: tls?.kind === 'tls',
    ...(tls && { key: tls.key, cert: tls.cert }),
    disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(needsSignIn ? [] : ['AUTH'])],
    ...(isToken && { authMethods: ['XOAUTH2'] }),
    allowInsecureAuth: true,
    authOptional: !needsSignIn,
    async onAuth({ username, password, accessToken }, _session, done) {
      if (isToken && (await isToken(username!, accessToken!))) return done(null, { user: username! })
      if (username === auth?.user && password === auth?.pass) return done(null, { user: username })
      done(Object.assign(new Error('Wrong user name or password'), { responseCode: 535 }))
    },
    onRcptTo({ address }, _session, done) {
      const answer = refuse?.(address)
      if (!answer) return done()
      done(Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) }))
    },
    async onData(stream, session, done) {
      const source = Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>))
      const mail = await simpleParser(source)
      const recipients = session.envelope.rcptTo.map((to) => to.address)
      if (hangsUp?.()) return void [...server.connections].forEach(({ _socket }) => void _socket.destroy())
      received.push({ ...mail, isEncrypted: Boolean(session.secure), recipients })
      const { mailFrom } = session.envelope
      await deliver?.(recipients, source, mailFrom ? mailFrom.address : '')
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
        { timeout: 60_000, interval: 50 },
      ),
    mailsTo: (address: string) => received.filter((mail) => mail.recipients.includes(address)),
  }
}
