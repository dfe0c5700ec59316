// Opens a mailbox by IMAP. Only addresses that were checked are dialed; see platform/outbound.ts.
import type { ImapFlow, ImapFlowOptions } from 'imapflow'
import { addressesOf, answering, type Way } from '../../mail/connect.ts'
import { MailError } from '../../mail/mail-error.ts'
import { isPublic } from '../../platform/outbound.ts'
import type { Server } from './mailbox.ts'
import { explainImap, MailboxError } from './mailbox-error.ts'

export type Credentials = { username: string } & ({ password: string } | { accessToken: string })
export type Imap = ImapFlow

export const mostSourceBytes = 50 * 1024 * 1024
const connectMs = 15_000
/** How long a connection may be silent. A quiet one is asked for a sign of life; without an answer, it is closed. */
export const silenceMs = 30_000
const idleMs = 5 * 60_000

export async function openMailbox(
  server: Server,
  credentials: Credentials,
  way: Way,
  pace: { silenceMs?: number; connectMs?: number } = {},
): Promise<Imap> {
  const isToken = 'accessToken' in credentials
  const addresses = await addressesOf(server, way).catch((error) => {
    throw error instanceof MailError
      ? new MailboxError(error.message)
      : explainImap(error, { server, isToken, isInside: false })
  })
  const isInside = way.reach !== 'operator' && addresses.some(({ address }) => !isPublic(address))
  // Most processes have no mailbox and need none of this library.
  const { ImapFlow } = await import('imapflow')
  const client = new ImapFlow({
    ...limits,
    host: server.host,
    port: server.port,
    secure: server.security === 'tls',
    ...(server.security !== 'tls' && { doSTARTTLS: server.security === 'starttls' }),
    auth: {
      user: credentials.username,
      ...(isToken ? { accessToken: credentials.accessToken } : { pass: credentials.password }),
    },
    connectionTimeout: pace.connectMs ?? connectMs,
    greetingTimeout: pace.connectMs ?? connectMs,
    socketTimeout: pace.silenceMs ?? silenceMs,
    tls: { lookup: answering(addresses), autoSelectFamily: true, rejectUnauthorized: true } as ImapFlowOptions['tls'],
  })
  // Without a listener, an error of a connection that no one waits for would end the process.
  client.on('error', () => {})
  endInSilence(client, 2 * (pace.silenceMs ?? silenceMs))
  try {
    await client.connect()
  } catch (error) {
    client.close()
    throw explainImap(error, { server, isToken, isInside })
  }
  return client
}

/** The library asks a quiet server for a sign of life, but not while it waits for the server to confirm IDLE. */
function endInSilence(client: Imap, ms: number) {
  let [received, since] = [0, performance.now()]
  const timer = setInterval(() => {
    const now = client.stats().received
    if (now !== received) [received, since] = [now, performance.now()]
    else if (performance.now() - since > ms) client.close()
  }, ms / 4).unref()
  client.once('close', () => clearInterval(timer))
}

const limits: ImapFlowOptions = {
  logger: false,
  clientInfo: { name: 'Kith' },
  disableAutoIdle: true,
  // Servers that can do so report deleted messages by their UID.
  qresync: true,
  maxIdleTime: idleMs,
  maxLineLength: 16 * 1024 * 1024,
  maxLiteralSize: mostSourceBytes,
  maxResponseSize: mostSourceBytes + 1024 * 1024,
}
