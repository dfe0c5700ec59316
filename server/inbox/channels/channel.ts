// What every kind of channel can do. The inbox knows channels only by this.
import type { ChannelAbilities, senderNames } from '../../../contract/channels.ts'
import type { Kept } from '../../files/queries.ts'
import type { Db } from '../../platform/db.ts'

/** `also`: other addresses of the same party, by which people are found. */
export type Party = { address: string; name: string | null; also?: string[] }

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
export type Incoming = Envelope & { text: string; html: string | null; files: IncomingFile[] }

/** All of a message but its content. */
export type Envelope = {
  /** What it is recognized by: the same key in the same audience is the same message. */
  key: string
  /** Its sender chose the key, so another message may have the same one. */
  isNamedBySender?: boolean
  /** In bytes, where it was found. */
  size?: number
  providerId: string | null
  /** Keys of earlier messages that it refers to, newest first. */
  references: string[]
  /** The chat that it belongs to, in channels that have chats: the same one is the same conversation. */
  thread?: string
  /** Another name of the same chat, by which later messages may come. */
  otherThread?: string
  /** The conversation that it names with a proof that only we can make. */
  conversationId: string | null
  direction: 'in' | 'out'
  from: Party | null
  /** Where replies are wanted, if it is another address than the sender's. */
  replyTo?: Party | null
  recipients: (Party & { kind: 'to' | 'cc' | 'bcc' })[]
  subject: string
  at: Date
  /** A reply of a machine, a list or a report. It is never answered and does not open a closed conversation. */
  isAutomatic: boolean
  /**
   * Why rules do not reply to it automatically: its sender asked for that, someone else may have sent it, or Kith reads
   * it long after it arrived, which sets no response target either.
   */
  noReply?: 'asked' | 'unproven' | 'late' | null
  /** A report that a message of ours did not arrive. */
  bounce: { key: string | null; recipient: string; isFinal: boolean; reason: string } | null
  /** The key of a message of ours that its reader confirms to have seen. */
  receipt?: string | null
  /** Seen there already, so it does not count as unread. */
  isRead: boolean
  /** What is missing of it, for its readers. */
  notice?: string | null
}

/** A text that a provider approved, with what stands for its variables. */
export type ProviderTemplate = { name: string; language: string; values: string[] }

export type Outgoing = {
  company_id: string
  messageId: string
  conversationId: string
  /** The chat; null: none is known. */
  thread: string | null
  /** How often a person had it sent again. */
  resends: number
  at: Date
  /** The provider's ID of the message that it answers. */
  replyTo: string | null
  from: Party
  recipients: (Party & { kind: 'to' | 'cc' | 'bcc' })[]
  subject: string
  text: string
  html: string | null
  files: { name: string; type: string; content: Uint8Array; contentId: string | null; isInline: boolean }[]
  /** Keys of earlier messages, newest first. */
  references: string[]
  /** No person wrote it, so other machines must not answer it. */
  isAutomatic: boolean
  template: ProviderTemplate | null
  /** For one-click unsubscribing. */
  unsubscribe: string | null
}

export type SendResult =
  /** `thread`: the chat that it began. `final`: what is known beyond that. `reason`: which recipients did not get it. */
  | {
      state: 'sent'
      key: string
      providerId: string
      thread?: string
      final?: 'delivered' | 'read'
      reason?: string | null
      /** The channel itself has to put a copy into Sent; see channels/email/sent-copies.ts. */
      isCopyDue?: boolean
    }
  /** Nothing was sent. */
  | { state: 'again'; afterSeconds: number; reason: string }
  /** The same for all messages of the channel: it asks for patience, which is no failure. */
  | { state: 'later'; afterSeconds: number; reason: string }
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

export type Refusable = { conversationId: string | null; text: string; template: ProviderTemplate | null }

export type ChannelKind = {
  can: Omit<ChannelAbilities, 'addresses' | 'undoSeconds'> & Partial<ChannelAbilities>
  /** It recognizes what it gets twice: what may have been sent is sent again. */
  canRepeat?: true
  /** Why a message must not be sent, for example because the provider forbids it by now. `conversationId`: null for a new one. */
  refusal?(channel: ChannelRow, message: Refusable, now: Date, db: Db): Promise<string | null>
  /** The channel is being disconnected; its secrets are still there. */
  disconnect?(channel: ChannelRow): Promise<void>
  /** What a message will be recognized by, so that a copy of it is known even if the process dies while it sends. */
  keyOf?(
    channel: ChannelRow,
    message: Pick<Outgoing, 'messageId' | 'conversationId'>,
  ): { key: string; providerId: string }
  send(channel: ChannelRow, message: Outgoing): Promise<SendResult>
}

/** Without subjects: nothing is quoted or signed, and messages of a conversation are sent one after the other. */
export const isChat = ({ can }: ChannelKind) => !can.subject

export type ChannelKinds = Record<string, ChannelKind>

export type SenderName = (typeof senderNames)[number]

/** Channels that were connected before there was a choice use their own name. */
export const senderNameOf = ({ settings }: Pick<ChannelRow, 'settings'>): SenderName =>
  (settings as { sender_name?: SenderName }).sender_name ?? 'channel'

/** Who may read what arrives: the ID of the company for channels of the team, that of a personal channel otherwise. */
export const audienceOf = (channel: Pick<ChannelRow, 'company_id' | 'id' | 'owner_id'>) =>
  channel.owner_id === null ? channel.company_id : channel.id
