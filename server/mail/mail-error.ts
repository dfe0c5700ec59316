// Mail errors, explained for an Admin.
import type { MailServer } from './mail-server.ts'

type Server = Pick<MailServer, 'host' | 'port' | 'security'>

/** The message contains only the name of the server, so that it may be logged. */
export class MailError extends Error {
  override name = 'MailError'
  /** Retrying the same mail cannot help. */
  readonly isPermanent: boolean
  /** The response of the server. It may contain addresses and must not be logged. */
  readonly said: string | null
  /** The error comes from an actual mail server. */
  readonly isFromServer: boolean
  constructor(message: string, { isPermanent = false, said = null as string | null, isFromServer = false } = {}) {
    super(message)
    this.isPermanent = isPermanent
    this.said = said
    this.isFromServer = isFromServer
  }
}

/** The same error for a closed or silent port and for another service, so that a company cannot scan the network. */
export function discreet(error: MailError, { host, port }: Server) {
  if (error.isFromServer || error.isPermanent) return error
  return new MailError(
    `No mail server responded at ${host} on port ${port}. Check the name, port, encryption and certificate.`,
  )
}

type Failure = Error & {
  code?: string
  originalCode?: string
  responseCode?: number
  permanent?: boolean
  command?: string
  response?: string
}

const certificateErrors: Record<string, string> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'it is not signed by a trusted authority',
  UNABLE_TO_GET_ISSUER_CERT: 'it is not signed by a trusted authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'it is not signed by a trusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'it is not signed by a trusted authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it was issued for another name',
}
const unknownName = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'ENODATA'])
const notSpeaking = new Set(['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'])

export function explain(error: unknown, { host, port, security }: Server): MailError {
  if (error instanceof MailError) return error
  const failure = error as Failure
  const codes = [failure.originalCode, failure.code].filter((code) => code !== undefined)
  const has = (known: { has(code: string): boolean }) => codes.some((code) => known.has(code))
  const server = `The mail server ${host}`
  const badCertificate = codes.map((code) => certificateErrors[code]).find(Boolean)

  if (badCertificate) {
    return new MailError(
      `The certificate of the mail server ${host} is not valid: ${badCertificate}. Use the name it was issued for, or contact the operator of the server.`,
      { isFromServer: security === 'starttls' },
    )
  }
  if (has(unknownName)) return new MailError(`${server} was not found. Check its name.`)
  if (failure.code === 'EAUTH') return refusedSignIn(server, failure)
  if (failure.code === 'EENVELOPE' || failure.code === 'EMESSAGE') return refusedMail(server, failure)
  if (has(new Set(['ETIMEDOUT', 'ETIME']))) {
    return new MailError(`${server} did not respond in time on port ${port}. Check the port and encryption.`)
  }
  if (failure.command === 'STARTTLS' && failure.responseCode) {
    return new MailError(`${server} does not offer STARTTLS on port ${port}. Choose another port or encryption.`, {
      isFromServer: true,
    })
  }
  if (failure.code === 'ETLS' || has(notSpeaking) || codes.some((code) => code.startsWith('ERR_SSL_'))) {
    const other = security === 'tls' ? 'STARTTLS, usually on port 587' : 'TLS, usually on port 465'
    return new MailError(`${server} does not support this encryption on port ${port}. Try ${other}.`)
  }
  if (failure.code === 'EPROTOCOL') {
    return new MailError(`${server} does not respond as a mail server on port ${port}. Check the port.`)
  }
  if (has(new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EHOSTDOWN']))) {
    return new MailError(`${server} could not be reached on port ${port}. Check the name, port and firewall.`)
  }
  return new MailError(`${server} closed the connection before accepting the email. Check the port and encryption.`)
}

// The response of the server is not shown, because it may repeat the password.
function refusedSignIn(server: string, { responseCode = 0, command }: Failure) {
  const isFromServer = true
  if (command === 'API')
    return new MailError(`${server} offers no sign-in method that Kith supports.`, { isFromServer })
  if (responseCode >= 400 && responseCode < 500) {
    const words = `${server} could not check the user name and password right now. Try again later.`
    return new MailError(words, { isFromServer })
  }
  return new MailError(`${server} refused the user name or password. Enter both again.`, { isFromServer })
}

function refusedMail(server: string, { command = '', permanent = true, response }: Failure) {
  const what = command.startsWith('RCPT')
    ? 'the recipient address'
    : command.startsWith('MAIL')
      ? 'the sender address'
      : 'the message'
  const until = permanent ? '' : ' for now'
  const said = oneLine(response)
  return new MailError(`${server} refused ${what}${until}.`, { isPermanent: permanent, said, isFromServer: true })
}

const oneLine = (text?: string) =>
  text
    ?.replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 300) || null
