// What a message that arrives changes about its conversation.

import { randomUUIDv7 } from 'node:crypto'
import type { ConversationEvent } from '../../../contract/shared/conversation-events.ts'
import { isVisitorAddress } from '../../../contract/shared/visitor-address.ts'
import { dayMs } from '../../platform/times.ts'
import type { Envelope } from '../channels/channel.ts'
import { isOurs } from '../channels/our-addresses.ts'
import { baseSubject } from '../thread/conversation.ts'
import type { Thread } from '../thread/known-threads.ts'
import type { Batch } from './batch.ts'

const recentMs = 7 * dayMs
const mostParticipants = 50
const mostAddresses = 1000

/** Of an existing mailbox, only what arrived lately and no one has read needs attention. */
const isDone = ({ isHistory, now }: Batch, { direction, isRead, at }: Envelope) =>
  isHistory && (direction === 'out' || isRead || now.getTime() - at.getTime() > recentMs)

/** A new conversation with its first message. */
export function beginThread(batch: Batch, mail: Envelope, maybe_id: string | null): Thread {
  const assignee_id = batch.channel.owner_id ?? writerOf(batch, mail)
  // What someone began elsewhere waits for an answer, not for one of us.
  const isBegun = mail.direction === 'out' && assignee_id === null
  const thread: Thread = {
    id: randomUUIDv7(),
    audience: batch.place.audience,
    channel_id: batch.channel.id,
    subject: baseSubject(mail.subject),
    state: isDone(batch, mail) || isBegun ? 'closed' : 'open',
    snoozed_until: null,
    assignee_id,
    participants: [],
    preview: '',
    last_direction: null,
    message_count: 0,
    has_files: false,
    created_at: mail.at,
    last_message_at: mail.at,
    last_in_at: null,
    last_out_at: null,
    unread_at: null,
    first_response_at: null,
    closed_at: null,
    maybe_id,
    version: 0,
  }
  batch.known.threads.set(thread.id, thread)
  batch.known.addresses.set(thread.id, new Set())
  batch.created.add(thread.id)
  return thread
}

/** A conversation that a colleague began somewhere else is theirs. */
const writerOf = ({ ours, isHistory }: Batch, { direction, from }: Envelope) =>
  (direction === 'out' && !isHistory && from && ours.users.get(from.address)) || null

type Seen = { preview: string; hasFiles: boolean }

/** What a message changes about its conversation. */
export function followThread(batch: Batch, thread: Thread, mail: Envelope, { preview, hasFiles }: Seen) {
  const { now, isHistory } = batch
  const isIn = mail.direction === 'in'
  const isFailure = mail.bounce?.isFinal ?? false
  const isLate = mail.noReply === 'late'
  if (mail.at >= thread.last_message_at || !thread.message_count) {
    Object.assign(thread, { preview, last_direction: mail.direction, last_message_at: mail.at })
  }
  if (mail.at < thread.created_at) thread.created_at = mail.at
  thread.message_count++
  thread.has_files ||= hasFiles
  if (isIn) {
    if (!mail.isRead) {
      thread.unread_at = now
      const isWaiting = thread.state === 'closed' || thread.state === 'snoozed'
      const isOld = isDone(batch, mail) || (isHistory && mail.at < thread.last_message_at)
      if (isWaiting && !isOld && (!mail.isAutomatic || isFailure)) {
        reopen(batch, thread)
        // Otherwise the target of the earlier message would be missed at once.
        if (isLate) batch.opened.set(thread.id, now)
      }
    } else if (!isHistory && thread.state === 'snoozed' && !mail.isAutomatic) {
      reopen(batch, thread)
    }
    if (!mail.isAutomatic && !isLate && !batch.opened.has(thread.id))
      batch.opened.set(thread.id, mail.at < now ? mail.at : now)
    if (!thread.last_in_at || mail.at > thread.last_in_at) thread.last_in_at = mail.at
  } else {
    // Replying marks the conversation as read.
    if (!thread.last_in_at || mail.at >= thread.last_in_at) thread.unread_at = null
    if (thread.last_in_at && mail.at >= thread.last_in_at && !mail.isAutomatic) thread.first_response_at ??= mail.at
    if (!thread.last_out_at || mail.at > thread.last_out_at) thread.last_out_at = mail.at
  }
  thread.version++
  batch.changed.add(thread.id)
  if (!mail.isAutomatic && mail.at > (batch.latest.get(thread.id) ?? new Date(0))) batch.latest.set(thread.id, mail.at)
  addParticipants(batch, thread, mail)
}

function reopen({ place, rows, now, isHistory }: Batch, thread: Thread) {
  Object.assign(thread, { state: 'open', snoozed_until: null, closed_at: null })
  if (isHistory) return
  rows.events.push({
    ...place,
    id: randomUUIDv7(),
    conversation_id: thread.id,
    channel_id: thread.channel_id,
    kind: 'event',
    at: now,
    data: { event: { type: 'reopened_by_message' } satisfies ConversationEvent },
    state: 'received',
  })
}

function addParticipants({ ours, known, newAddresses, place, rows, extras }: Batch, thread: Thread, mail: Envelope) {
  const addresses = known.addresses.get(thread.id)!
  const writers = mail.bounce ? [] : [mail.from, mail.replyTo ?? null].filter((one) => one !== null)
  const all = [...writers, ...mail.recipients]
  const add = (address: string, is_extra: boolean) => {
    if (addresses.has(address) || addresses.size >= mostAddresses) return false
    addresses.add(address)
    rows.addresses.push({ company_id: place.company_id, address, conversation_id: thread.id, is_extra })
    newAddresses.set(thread.id, (newAddresses.get(thread.id) ?? new Set()).add(address))
    return true
  }
  for (const { address, name, also = [] } of all) {
    if (isOurs(ours, address)) continue
    const there = thread.participants.find((one) => one.address === address)
    // A visitor of a website may say later who they are.
    if (there && name && (there.name === null || (isVisitorAddress(address) && !there.person_id))) there.name = name
    for (const other of also) if (add(other, true)) extras.set(`${thread.id} ${other}`, address)
    if (add(address, false) && thread.participants.length < mostParticipants)
      thread.participants.push({ address, name, person_id: null })
  }
}
