// Which conversation a message belongs to.
import type { Envelope } from '../channels/channel.ts'
import { isOurs, type Ours } from '../channels/our-addresses.ts'

/** What is known in the audience of the channel. */
export type Threads = {
  /** The conversation of a message, or of one that refers to it, by key. */
  byKey(key: string): string | undefined
  /** The conversation of a chat, or one that we began with this address and that has no chat yet. */
  byThread(thread: string, address: string | null): string | undefined
  /** The conversation with this ID, or the one that it was merged into. */
  byId(id: string): string | undefined
  isParticipant(conversation_id: string, address: string): boolean
  /** A conversation of the last days with the same subject that this address takes part in. */
  alike(mail: Envelope): string | undefined
}

export type Choice = { joins: string } | { joins: null; maybe: string | null }

type Rules = { joins_subjects: boolean }

export function chooseThread(mail: Envelope, threads: Threads, ours: Ours, { joins_subjects }: Rules): Choice {
  if (mail.thread !== undefined) {
    const joins =
      threads.byThread(mail.thread, mail.from?.address ?? null) ??
      (mail.otherThread === undefined ? undefined : threads.byThread(mail.otherThread, null))
    return joins === undefined ? { joins: null, maybe: null } : { joins }
  }
  const named = referredTo(mail, threads)
  if (!named) {
    const alike = threads.alike(mail) ?? null
    return joins_subjects && alike !== null ? { joins: alike } : { joins: null, maybe: alike }
  }
  return mayJoin(mail, named, threads, ours) ? { joins: named } : { joins: null, maybe: named }
}

/** The newest reference that is known counts. Then the conversation that the message names with a proof. */
function referredTo({ key, references, conversationId }: Envelope, threads: Threads) {
  for (const reference of references) {
    const found = threads.byKey(reference)
    if (found) return found
  }
  // An earlier message that arrives after its reply.
  return threads.byKey(key) ?? (conversationId === null ? undefined : threads.byId(conversationId))
}

/** Strangers who know a reference, for example from a forwarded message, do not get into a conversation. */
function mayJoin({ from, recipients, bounce }: Envelope, conversation: string, threads: Threads, ours: Ours) {
  if (bounce || !from) return true
  if (isOurs(ours, from.address)) return true
  return [from, ...recipients].some(({ address }) => threads.isParticipant(conversation, address))
}
