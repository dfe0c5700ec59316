// Errors of a mailbox, in words that say what its owner can do.
import { discreet, explain, MailError } from '../../mail/mail-error.ts'
import type { Server } from './mailbox.ts'

/** settings: someone must enter others. sign_in: someone must sign in at the provider again. null: it is tried again. */
export type Need = 'settings' | 'sign_in' | null

export class MailboxError extends Error {
  override name = 'MailboxError'
  readonly needs: Need
  constructor(message: string, needs: Need = null, options?: ErrorOptions) {
    super(message, options)
    this.needs = needs
  }
}

export type ImapFailure = Error & {
  code?: string
  authenticationFailed?: boolean
  serverResponseCode?: string
  response?: string
  responseText?: string
}

type Attempt = { server: Server; isToken: boolean; isInside: boolean }

/** Providers that accept only passwords made for one program. */
const appPasswordHosts = /(^|\.)(gmail|googlemail|yahoo|aol|mail\.me|icloud|fastmail|zoho|gmx|web)\.(com|net|de|eu)$/
const microsoftHosts = /(^|\.)(outlook\.office365|office365|outlook|hotmail)\.com$/
const notImap = new Set(['InvalidResponse', 'UnexpectedTag', 'LineTooLarge'])
const slow = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT', 'ETIMEOUT'])
const closed = new Set(['NoConnection', 'EConnectionClosed', 'ClosedAfterConnectText', 'ClosedAfterConnectTLS'])

export function explainImap(error: unknown, { server, isToken, isInside }: Attempt): MailboxError {
  if (error instanceof MailboxError) return error
  const failure = error as ImapFailure
  const { code = '' } = failure
  if (failure.authenticationFailed) return refusedSignIn(failure, server, isToken)
  if (/starttls/i.test(failure.message) && !code) {
    const words = `The mail server ${server.host} does not offer STARTTLS on port ${server.port}. Choose TLS or another port.`
    return new MailboxError(words, 'settings')
  }
  const words = isInside ? discreet(explainNetwork(failure, server), server) : explainNetwork(failure, server)
  return new MailboxError(words.message, null, { cause: error })
}

function explainNetwork(failure: ImapFailure, server: Server): MailError {
  const { code = '' } = failure
  if (notImap.has(code) || code.startsWith('ParserError'))
    return new MailError(
      `The mail server ${server.host} does not respond as an IMAP server on port ${server.port}. Check the port; IMAP usually uses 993.`,
    )
  if (closed.has(code))
    return new MailError(`The mail server ${server.host} closed the connection. Check the port and encryption.`)
  if (slow.has(code)) return explain(Object.assign(new Error(code), { code: 'ETIMEDOUT' }), server)
  return explain(failure, server)
}

// The response of the server is not shown, because it may repeat the password.
function refusedSignIn(failure: ImapFailure, { host }: Server, isToken: boolean) {
  const { serverResponseCode = '', response = '', responseText = '' } = failure
  const said = `${response} ${responseText}`
  const server = `The mail server ${host}`
  if (['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG'].includes(serverResponseCode))
    return new MailboxError(`${server} could not check the sign-in right now.`)
  if (isToken) return new MailboxError(`${server} no longer accepts the sign-in. Sign in again.`, 'sign_in')
  if (/application-specific|app[- ]password/i.test(said)) return new MailboxError(appPasswordWords(host), 'settings')
  if (/imap (access )?is (disabled|not enabled)|not enabled for imap|enable imap/i.test(said))
    return new MailboxError(
      `IMAP is switched off for this mailbox. Turn it on in the mail settings of your provider, then try again.`,
      'settings',
    )
  if (serverResponseCode === 'PRIVACYREQUIRED')
    return new MailboxError(`${server} accepts passwords only with encryption. Choose TLS or STARTTLS.`, 'settings')
  if (microsoftHosts.test(host))
    return new MailboxError(
      `Microsoft no longer accepts passwords for IMAP. Connect this mailbox by signing in to Microsoft.`,
      'settings',
    )
  const hint = appPasswordHosts.test(host) ? ` ${appPasswordWords(host)}` : ''
  return new MailboxError(`${server} refused the user name or password. Enter both again.${hint}`, 'settings')
}

const appPasswordWords = (host: string) =>
  `${host} needs an app password instead of your usual password. Create one in your account’s security settings and enter it here.`
