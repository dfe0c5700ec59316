// Sends a message by the SMTP server of a mailbox.
import type { Way } from '../../mail/connect.ts'
import { handOver, type Refused } from '../../mail/deliver.ts'
import { MailError } from '../../mail/mail-error.ts'
import type { Credentials } from './connect.ts'
import type { Server } from './mailbox.ts'

export type Envelope = { from: string; to: string[] }
export type Handed =
  /** `reason`: who did not get it, while others did. */
  | { state: 'sent'; reason: string | null }
  /** Nothing was sent. */
  | { state: 'again'; afterSeconds: number; reason: string }
  | { state: 'failed'; reason: string }
  /** The server had all of it, but its answer did not arrive: it may have been sent. */
  | { state: 'unknown'; reason: string }

const laterSeconds = 60

export async function sendBySmtp(
  server: Server,
  credentials: Credentials,
  { from, to }: Envelope,
  source: Buffer,
  way: Way,
): Promise<Handed> {
  let hasAll = false
  try {
    const mail = { envelope: { from, to }, raw: source }
    const refused = await handOver(server, authOf(credentials), mail, way, () => {
      hasAll = true
    })
    return { state: 'sent', reason: refused.length ? refused.map(wordsFor).join(' ') : null }
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    const reason = error.said ? `${error.message} Response: ${error.said}` : error.message
    if (error.isPermanent) return { state: 'failed', reason }
    if (hasAll && !error.isFromServer)
      return {
        state: 'unknown',
        reason: `The connection to ${server.host} ended before it confirmed the message, so it may have been sent.`,
      }
    return { state: 'again', afterSeconds: laterSeconds, reason }
  }
}

const wordsFor = ({ address, said }: Refused) => `Not delivered to ${address}. The mail server responded: ${said}`

export const authOf = (credentials: Credentials) =>
  'accessToken' in credentials
    ? { type: 'OAuth2' as const, user: credentials.username, accessToken: credentials.accessToken }
    : { user: credentials.username, pass: credentials.password }
