// A channel of kind email: where its servers are and what signs in to them.
import { lookup } from 'node:dns/promises'
import { sql } from 'kysely'
import type { mailboxProviders } from '../../../contract/channels.ts'
import type { mailSecurities } from '../../../contract/mail.ts'
import type { ChannelRow, SenderName } from '../../inbox/channels/channel.ts'
import type { Way } from '../../mail/connect.ts'
import { reachOfCompany } from '../../mail/queries.ts'
import type { Db } from '../../platform/db.ts'
import { type Lookup, readOutboundAllow } from '../../platform/outbound.ts'
import type { Vault } from '../../platform/vault.ts'
import type { SignIns } from './oauth.ts'

export type Provider = (typeof mailboxProviders)[number]
export type Server = { host: string; port: number; security: (typeof mailSecurities)[number] }

/** `channels.settings` of a mailbox. */
export type MailboxSettings = {
  imap: Server
  smtp: Server
  username: string
  provider: Provider | null
  /** What is sent to name+tag@domain arrives, too. */
  has_plus_addresses?: boolean
  /** Whose name recipients see, if it is for the team. */
  sender_name?: SenderName
}
/** `channels.secrets` of a mailbox, encrypted. */
export type MailboxSecrets = { password: string } | Tokens
export type Tokens = { refresh_token: string; access_token: string; expires_at: string }

export type Mailbox = MailboxSettings & { company_id: string; id: string; address: string }

export const mailboxOf = ({ company_id, id, address, settings }: Omit<ChannelRow, 'secrets'>): Mailbox => ({
  company_id,
  id,
  address,
  ...(settings as MailboxSettings),
})

const placeOf = ({ company_id, id }: Pick<ChannelRow, 'company_id' | 'id'>) => `channels.secrets ${company_id} ${id}`

export const sealSecrets = (vault: Vault, channel: Pick<ChannelRow, 'company_id' | 'id'>, secrets: MailboxSecrets) =>
  vault.seal(JSON.stringify(secrets), placeOf(channel))

export const openSecrets = (vault: Vault, channel: Pick<ChannelRow, 'company_id' | 'id'>, sealed: Buffer) =>
  JSON.parse(vault.open(sealed, placeOf(channel))) as MailboxSecrets

/** What mailboxes need from this installation. */
export type MailboxServices = {
  vault: Vault
  /** Proves that a Message-ID is ours. */
  ownKey: Buffer
  signIns: SignIns
  /** How the servers of a company's mailbox may be contacted. */
  wayTo(db: Db, ports: number[]): Promise<Way>
}

type Setup = { vault: Vault; signIns: SignIns; openSignup: boolean; outboundAllow?: string; lookup?: Lookup }

export function mailboxServices({
  vault,
  signIns,
  openSignup,
  outboundAllow,
  lookup = lookUp,
}: Setup): MailboxServices {
  const allow = readOutboundAllow(outboundAllow)
  return {
    vault,
    ownKey: vault.keyFor('message-id'),
    signIns,
    wayTo: async (db, ports) => ({ lookup, allow, ports, reach: await reachOfCompany(db, openSignup) }),
  }
}

const lookUp: Lookup = (host) => lookup(host, { all: true })

export const imapPorts = [143, 993]
export const smtpPorts = [25, 465, 587, 2525]

/** FORGET_SECRETS: the mailboxes are not read until someone enters them again. */
export const forgetMailboxSecrets = (db: Db) =>
  sql`update channels set secrets = null where secrets is not null`.execute(db)
