import { lookup } from 'node:dns/promises'
import type { Db } from '../platform/db.ts'
import { type Lookup, readOutboundAllow } from '../platform/outbound.ts'
import type { Vault } from '../platform/vault.ts'
import { deliver, type Message } from './deliver.ts'
import { MailError } from './mail-error.ts'
import type { MailServer } from './mail-server.ts'
import { hasOwnSettings, ownSettings, reachOfCompany, serverOf } from './queries.ts'
import { readSmtpUrl } from './smtp-url.ts'

export type { Message } from './deliver.ts'

/** Sends the mail of a company through its own mail server or through the installation's. */
export type Mailer = {
  /** The installation's mail server, for companies without their own. */
  environment: MailServer | null
  /** Whether this company can send mail. */
  canSend(db: Db, company_id: string): Promise<boolean>
  /** Whether any company on this server can send mail, which visitors may know. */
  canSendAny(db: Db): Promise<boolean>
  /** Resolves when the mail server has accepted the message; rejects with an error for an Admin. */
  send(db: Db, company_id: string, message: Message): Promise<void>
  /** Uses the installation's mail server, even if a company has its own. */
  sendAsInstallation(message: Message): Promise<void>
}

export type MailSetup = {
  smtpUrl?: string | undefined
  mailFrom?: string | undefined
  /** The host of the sender address, unless MAIL_FROM is set. */
  baseUrl: URL
  vault: Vault
  /** Anyone may create a company on this server. */
  openSignup: boolean
  /** Additional addresses for mail servers of companies: see `platform/outbound.ts`. */
  outboundAllow?: string
  lookup?: Lookup
}

export function createMailer({ vault, openSignup, lookup = lookUp, smtpUrl, ...options }: MailSetup): Mailer {
  const { outboundAllow, ...sender } = options
  const allow = readOutboundAllow(outboundAllow)
  const environment = smtpUrl ? readSmtpUrl({ smtpUrl, ...sender }) : null

  async function ownServer(db: Db, company_id: string): Promise<MailServer | null> {
    const settings = await ownSettings(db, company_id)
    return settings ? serverOf(vault, settings) : null
  }

  async function sendAsInstallation(message: Message) {
    if (!environment) throw new MailError('No mail server is set up. Set SMTP_URL.', { isPermanent: true })
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
      if (!server)
        throw new MailError('No mail server is set up. Set one up under Company, Mail.', { isPermanent: true })
      await deliver(server, message, { lookup, allow, reach: own ? await reachOfCompany(db, openSignup) : 'operator' })
    },
  }
}

const lookUp: Lookup = (host) => lookup(host, { all: true })
