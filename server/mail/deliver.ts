// Delivers one email to a mail server over a new connection.
import type { SendMailOptions, Transporter } from 'nodemailer'
import { isPublic } from '../platform/outbound.ts'
import { openSocket, type Way } from './connect.ts'
import { discreet, explain, MailError } from './mail-error.ts'
import type { MailServer } from './mail-server.ts'

export type Message = {
  to: string
  subject: string
  text: string
  html: string
  /** The same for every retry, so that mail programs show an email that was sent twice only once. */
  id?: string
  /** The URL that mail programs call to unsubscribe the reader (RFC 8058). */
  unsubscribe?: string
  attachment?: { name: string; type: string; content: string }
}

/** Loaded with the first email. */
const library = () => import('nodemailer')

const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
const totalMs = 30_000

/** Resolves when the server has accepted the message; rejects with a MailError. */
export async function deliver(server: MailServer, message: Message, way: Way) {
  refuseTricks(server, message)
  await handOver(server, authOf(server), toMail(server, message), way)
}

type Auth = { user: string; pass: string } | { type: 'OAuth2'; user: string; accessToken: string }

type Server = Pick<MailServer, 'host' | 'port' | 'security'>

/** A recipient whom the server refused while it took the mail for others. */
export type Refused = { address: string; said: string }

/** Hands a mail of nodemailer's form over. `sentAll` is called when the server has got all of it and has to answer. */
export async function handOver(
  server: Server,
  auth: Auth | undefined,
  mail: SendMailOptions,
  way: Way,
  sentAll: () => void = () => {},
): Promise<Refused[]> {
  const info = await withTransport(server, auth, way, (transport) => transport.sendMail(mail), sentAll)
  const { rejectedErrors = [] } = info as { rejectedErrors?: { recipient?: string; response?: string }[] }
  return rejectedErrors.map(({ recipient = '', response = '' }) => ({
    address: recipient,
    said: response.replace(/\s+/g, ' ').slice(0, 200),
  }))
}

/** Signs in and sends nothing. */
export const trySmtp = (server: Server, auth: Auth | undefined, way: Way) =>
  withTransport(server, auth, way, (transport) => transport.verify())

async function withTransport<T>(
  server: Server,
  auth: Auth | undefined,
  way: Way,
  work: (transport: Transporter) => Promise<T>,
  sentAll: () => void = () => {},
) {
  let isInside = false
  try {
    const began = Date.now()
    const socket = await openSocket(server, way)
    isInside = !isPublic(socket.remoteAddress ?? '')
    let isLate = false
    const timer = setTimeout(
      () => {
        isLate = true
        socket.destroy()
      },
      totalMs - (Date.now() - began),
    )
    const { host, port, security } = server
    const { createTransport } = await library()
    const transport = createTransport({
      ...limits,
      host,
      port,
      auth,
      connection: socket,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      tls: { rejectUnauthorized: true },
      disableFileAccess: true,
      disableUrlAccess: true,
      logger: noticing(sentAll),
    })
    try {
      return await work(transport as Transporter)
    } catch (error) {
      throw isLate ? Object.assign(new Error('late'), { code: 'ETIMEDOUT' }) : error
    } finally {
      clearTimeout(timer)
      transport.close()
    }
  } catch (error) {
    const mailError = explain(error, server)
    isInside ||= (error as { isInside?: boolean }).isInside === true
    throw isInside && way.reach !== 'operator' ? discreet(mailError, server) : mailError
  }
}

/** The library says only in its log when the last byte has left. */
function noticing(sentAll: () => void) {
  const ignore = () => {}
  const info = ({ tnx }: { tnx?: string } = {}) => void (tnx === 'message' && sentAll())
  return { level: ignore, trace: ignore, debug: ignore, info, warn: ignore, error: ignore, fatal: ignore } as never
}

function authOf({ host, username, password }: MailServer) {
  if (!username) return undefined
  if (password) return { user: username, pass: password }
  throw new MailError(`The password for the mail server ${host} is missing. Enter it again.`)
}

// A line break would let an attacker add headers, and a list of addresses would reach more people.
function refuseTricks({ from }: MailServer, { to, subject, id = '' }: Message) {
  const lines = { subject, sender: from.name, id }
  for (const [field, text] of Object.entries(lines)) {
    if (/\p{Cc}/u.test(text))
      throw new MailError(`The ${field} of an email contains a line break.`, { isPermanent: true })
  }
  for (const address of [to, from.address]) {
    if (/^[^\s\p{Cc}<>,;:"()]+@[^\s\p{Cc}<>,;:"()@]+$/u.test(address)) continue
    throw new MailError('An email has an invalid address.', { isPermanent: true })
  }
}

const toMail = ({ from }: MailServer, { to, subject, text, html, id, unsubscribe, attachment }: Message) => ({
  from,
  to: { name: '', address: to },
  subject,
  text,
  html,
  headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', ...unsubscribing(unsubscribe) },
  ...(attachment && {
    attachments: [{ filename: attachment.name, contentType: attachment.type, content: attachment.content }],
  }),
  ...(id && { messageId: `<${id}@${from.address.split('@').at(-1)}>` }),
})

/** One-click unsubscribing requires HTTPS. */
const unsubscribing = (url: string | undefined) => ({
  ...(url && { 'List-Unsubscribe': `<${url}>` }),
  ...(url?.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
})
