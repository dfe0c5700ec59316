// What every kind of channel can do. The inbox knows channels only by this.
import type { Kept } from '../files/queries.ts'

export type Party = { address: string; name: string | null }

/** A file that comes with a message. */
export type IncomingFile = {
  name: string
  type: string
  /** Its bytes, or where they are stored already. */
  content: Uint8Array | Kept
  contentId: string | null
  isInline: boolean
}

/** A message as a channel found it, written by an outsider or, somewhere else, by one of us. */
export type Incoming = {
  /** What it is recognized by: the same key in the same audience is the same message. */
  key: string
  providerId: string | null
  /** Keys of earlier messages that it refers to, newest first. */
  references: string[]
  /** The conversation that it names with a proof that only we can make. */
  conversationId: string | null
  direction: 'in' | 'out'
  from: Party | null
  /** Where replies are wanted, if it is another address than the sender's. */
  replyTo?: Party | null
  recipients: (Party & { kind: 'to' | 'cc' | 'bcc' })[]
  subject: string
  at: Date
  text: string
  html: string | null
  files: IncomingFile[]
  /** A reply of a machine, a list or a report. It is never answered and does not open a closed conversation. */
  isAutomatic: boolean
  /** A report that a message of ours did not arrive. */
  bounce: { key: string | null; recipient: string; isFinal: boolean; reason: string } | null
  /** Seen there already, so it does not count as unread. */
  isRead: boolean
}

export type Outgoing = {
  company_id: string
  messageId: string
  conversationId: string
  from: Party
  recipients: (Party & { kind: 'to' | 'cc' | 'bcc' })[]
  subject: string
  text: string
  html: string | null
  files: { name: string; type: string; content: Uint8Array; contentId: string | null; isInline: boolean }[]
  /** Keys of earlier messages, newest first. */
  references: string[]
  /** For one-click unsubscribing. */
  unsubscribe: string | null
}

export type SendResult =
  | { state: 'sent'; key: string; providerId: string }
  /** Nothing was sent. */
  | { state: 'again'; afterSeconds: number; reason: string }
  | { state: 'failed'; reason: string }
  /** It may have been sent. */
  | { state: 'unknown'; reason: string; key: string; providerId: string }

export type ChannelRow = {
  company_id: string
  id: string
  kind: string
  name: string
  address: string
  owner_id: string | null
  settings: unknown
  secrets: Buffer | null
}

export type ChannelKind = {
  can: { html: boolean; subject: boolean; cc: boolean; mostText: number; mostFilesMb: number }
  /** Messages are there at once, so they are neither delayed nor quote what they answer. */
  isInstant?: true
  /** What a message will be recognized by, so that a copy of it is known even if the process dies while it sends. */
  keyOf?(
    channel: ChannelRow,
    message: Pick<Outgoing, 'messageId' | 'conversationId'>,
  ): { key: string; providerId: string }
  send(channel: ChannelRow, message: Outgoing): Promise<SendResult>
}

export type ChannelKinds = Record<string, ChannelKind>

/** Who may read what arrives: the ID of the company for channels of the team, that of a personal channel otherwise. */
export const audienceOf = (channel: Pick<ChannelRow, 'company_id' | 'id' | 'owner_id'>) =>
  channel.owner_id === null ? channel.company_id : channel.id
