// What is known while a mailbox is held.
import type { ChannelRow } from '../../inbox/channels/channel.ts'
import { leasesOfChannels } from '../../inbox/channels/hold.ts'
import type { Reading, ReadMessage } from '../../inbox/receiving/read-messages.ts'
import type { Received, ReceiveOptions } from '../../inbox/receiving/receive.ts'
import type { Leased } from '../../kernel/leases.ts'
import type { Db } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Imap } from './connect.ts'
import type { Folder } from './folders.ts'
import type { MailboxServices } from './mailbox.ts'
import type { Suspects } from './suspects.ts'

/** Stores messages that were found, or finds those that are known. See inbox/receiving/receive.ts. */
export type Receive = (
  tx: Db,
  channel: ChannelRow,
  messages: ReadMessage[],
  now: Date,
  options: ReceiveOptions,
) => Promise<Pick<Received, 'messageId' | 'isNew'>[]>

export type HeldChannel = ChannelRow & Leased & { created_at: Date; state: string }

export type Parts = {
  db: Db
  log: Log
  clock: () => Date
  services: MailboxServices
  reading: Reading
  receive: Receive
}

export type Session = Parts & {
  channel: HeldChannel
  client: Imap
  /** Older messages are not read. */
  since: Date
  suspects: Suspects
  signal: AbortSignal
  /** Of folders that are being read for the first time, or again, by their path. */
  comparisons: Map<string, Comparison>
}

/** What a comparison of a whole folder found: all UIDs, and those that are still to be read. */
export type Comparison = { uidValidity: number; uids: number[]; missing: number[]; mark: Mark }

/** Up to where a folder is known. `modseq`: the server's mark for changes; null: it has none. */
export type Mark = { modseq: string | null; uid_next: number; exists: number; compared_at: string }

/** A folder as it is now: after a change of its validity, all UIDs are new. */
export type OpenFolder = Folder & { uidValidity: number }

/** Another process may have taken over while this one was stuck, so every transaction that stores messages holds the lease. */
export const leases = leasesOfChannels(30)
