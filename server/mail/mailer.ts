import { lookup } from 'node:dns/promises'
import type { Db } from '../platform/db.ts'
import { readOutboundAllow } from '../platform/outbound.ts'
import type { Vault } from '../platform/vault.ts'
import type { Lookup } from './connect.ts'
import { deliver, type Message } from './deliver.ts'
import { MailError } from './mail-error.ts'
import type { MailServer } from './mail-server.ts'
import { hasOwnSettings, ownSettings, placeOfPassword, reachOfCompany } from './queries.ts'
import { readSmtpUrl } from './smtp-url.ts'

export type { Message } from './deliver.ts'

/** Sends mail as one company: through its own server, or through that of the installation. */
export type Mailer = {
  /** The server of the installation, for companies that set none. */
  environment: MailServer | null
  /** Whether mail of this company can be sent at all. */
  canSend(db: Db, company_id: string): Promise<boolean>
  /** Whether any company here can: what a stranger may know. */
  canSendAny(db: Db): Promise<boolean>
  /** Resolves when the mail server took the message; rejects with words for an Admin. */
  send(db: Db, company_id: string, message: Message): Promise<void>
  /** Through the server of the installation, whatever a company has set. */
  sendAsInstallation(message: Message): Promise<void>
}

export type MailSetup = {
  smtpUrl?: string | undefined
  mailFrom?: string | undefined
  /** Where mail comes from unless MAIL_FROM says so. */
  baseUrl: URL
  vault: Vault
  /** Strangers may create companies here. */
  openSignup: boolean
  /** What a company's own server may be besides a public one: see `kernel/outbound.ts`. */
  outboundAllow?: string
  lookup?: Lookup
}

export function createMailer({ vault, openSignup, lookup = lookUp, smtpUrl, ...more }: MailSetup): Mailer {
  const { outboundAllow, ...sender } = more
  const allow = readOutboundAllow(outboundAllow)
  const environment = smtpUrl ? readSmtpUrl({ smtpUrl, ...sender }) : null

  async function ownServer(db: Db, company_id: string): Promise<MailServer | null> {
    const own = await ownSettings(db, company_id)
    if (!own) return null
    const { host, port, security, username, password, from_name, from_email } = own
    return {
      host,
      port,
      security: security as MailServer['security'],
      username,
      password: password && vault.open(password, placeOfPassword(company_id)),
      from: { name: from_name, address: from_email },
    }
  }

  async function sendAsInstallation(message: Message) {
    if (!environment) throw new MailError('No mail server is set for this installation.', { isPermanent: true })
    await deliver(environment, message, { lookup, reach: 'operator' })
  }

  return {
    environment,
    sendAsInstallation,
    canSend: async (db, company_id) => environment !== null || hasOwnSettings(db, company_id),
    canSendAny: async (db) => environment !== null || hasOwnSettings(db),
    async send(db, company_id, message) {
      const own = await ownServer(db, company_id)
      const server = own ?? environment
      if (!server) throw new MailError('No mail server is set. Set one for your company first.', { isPermanent: true })
      await deliver(server, message, { lookup, allow, reach: own ? await reachOfCompany(db, openSignup) : 'operator' })
    },
  }
}

const lookUp: Lookup = (host) => lookup(host, { all: true })
