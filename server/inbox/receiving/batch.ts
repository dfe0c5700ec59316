// A batch of messages on its way into the inbox.
import type { Context } from '../../kernel/context.ts'
import type { ChannelRow } from '../channels/channel.ts'
import type { Ours } from '../channels/our-addresses.ts'
import type { KnownThreads } from '../thread/known-threads.ts'

/** What is known and what is to be written about a batch of messages. */
export type Batch = {
  context: Context
  channel: ChannelRow
  place: { company_id: string; audience: string }
  /** Other addresses of participants, with what they are known by. */
  extras: Map<string, string>
  rules: { is_shared: boolean; unknown_senders: string; joins_subjects: boolean }
  ours: Ours
  known: KnownThreads
  isHistory: boolean
  now: Date
  /** For its messages, in order. */
  ids: string[]
  changed: Set<string>
  created: Set<string>
  rows: Record<'messages' | 'events' | 'references' | 'addresses' | 'threads', object[]> & { files: { size: number }[] }
  /** New messages of outsiders that are news. */
  received: { id: string; conversation_id: string }[]
  /** Conversations that an outsider began, or wrote in, and when first. */
  opened: Map<string, Date>
  /** Messages of ours that did not arrive. */
  failed: { id: string; reason: string }[]
  /** Messages of ours whose copy in Sent shows that they were sent, and when. */
  sent: { id: string; at: Date }[]
  /** Messages of ours that their readers confirm to have seen. */
  seen: string[]
  /** Sizes of messages that were here already, some of which have none yet. */
  sizes: { id: string; size: number }[]
  newAddresses: Map<string, Set<string>>
  /** The newest message of each conversation that counts as activity. */
  latest: Map<string, Date>
}
