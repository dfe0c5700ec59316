// Where a message goes and what it says, from what a caller gave.
import { sql } from 'kysely'
import type { messages as contract } from '../../contract/messages.ts'
import { mostMessageFilesMb, mostRecipients } from '../../contract/messages.ts'
import type { Parsed } from '../../contract/operation.ts'
import { own } from '../../contract/own.ts'
import { deceptive } from '../../contract/shapes.ts'
import { recordsById } from '../engine/read/by-id.ts'
import { findObject } from '../engine/rights/rights.ts'
import { builtInInUse, schemaOf } from '../engine/schema/schema.ts'
import { noSuchRecord } from '../engine/write/lock.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { type Answerable, conversationFor, messageFor, type StoredMessage, storedMessage } from './answerable.ts'
import { audienceOf, type ChannelKinds, type Party } from './channel.ts'
import { type Mode, subjectFor } from './compose.ts'
import { refuseOptedOut } from './contacts.ts'
import type { MessageFile } from './message.ts'
import { filesFor } from './message-files.ts'
import { channelFor, refused, type SendingChannel } from './sending-channel.ts'
import { fillTemplate } from './template.ts'

export type Recipient = Party & { kind: 'to' | 'cc' | 'bcc' }
export type Target = {
  channel: SendingChannel
  /** Null: a new one. */
  conversation: Answerable | null
  replyTo: StoredMessage | null
  mode: Mode
  recipients: Recipient[]
  subject: string
  text: string
  files: MessageFile[]
  template_id: string | null
  send_at: Date | null
}
type Input = Omit<Parsed<typeof contract.draftReply>, 'reason'>

export async function targetOf(context: Context, kinds: ChannelKinds, input: Input): Promise<Target> {
  const given = input.reply_to_id ? await messageFor(context, input.reply_to_id) : null
  const conversation_id = input.conversation_id ?? given?.conversation_id
  const conversation = conversation_id ? await conversationFor(context, conversation_id) : null
  if (given && given.conversation_id !== conversation?.id)
    throw refused('reply_to_id', 'This message is in another conversation')
  const replyTo = given ?? (conversation && (await newestMessage(context, conversation.id)))
  const mode = conversation ? input.mode : 'none'
  const channel = await channelOf(context, input, conversation)
  const can = canOf(kinds, channel)
  if (own(kinds, channel.kind)?.isInstant && (!conversation || mode === 'forward'))
    throw refused('channel_id', 'By chat, you can only answer the visitor. Choose another channel')
  const recipients = await recipientsOf(context, input, { conversation, replyTo, mode, channel })
  const { subject, text } = await wordsOf(context, input, conversation)
  const answered = conversation ? subjectFor(mode, replyTo?.subject || conversation.subject) : ''
  const title = can.subject ? subject || answered : ''
  if (can.subject && !title && !conversation) throw refused('subject', 'Write a subject')
  if (deceptive.test(title)) throw refused('subject', 'Remove line breaks and invisible control characters')
  if (!text.trim()) throw refused('text', 'Write a message')
  if (text.length > can.mostText) throw refused('text', `This channel takes at most ${can.mostText} characters`)
  const files = await filesFor(context, input, mode === 'forward' ? replyTo : null)
  refuseLarge(files, Math.min(can.mostFilesMb, mostMessageFilesMb))
  await refuseOptedOut(
    context,
    recipients.map(({ address }) => address),
  )
  const send_at = input.send_at ? new Date(input.send_at) : null
  return {
    channel,
    conversation,
    replyTo,
    mode: own(kinds, channel.kind)?.isInstant ? 'none' : mode,
    recipients,
    subject: title,
    text,
    files,
    template_id: input.template_id ?? null,
    send_at,
  }
}

/** What a reply answers: the last message from outside. Not what was forwarded to a third party since then. */
async function newestMessage({ db, actor }: Context, conversation_id: string) {
  const { company_id } = actor!
  const { rows } = await sql<StoredMessage>`
    select ${storedMessage} from messages m where m.company_id = ${company_id} and m.conversation_id = ${conversation_id}
      and m.kind = 'message' and m.state not in ('cancelled', 'failed') order by (m.direction = 'in' and not m.is_automatic) desc, m.at desc, m.id desc limit 1`.execute(
    db,
  )
  return rows[0] ?? null
}

async function channelOf(context: Context, { channel_id }: Input, conversation: Answerable | null) {
  const channel = await channelFor(context, channel_id ?? conversation?.channel_id)
  // Otherwise the answer to it would arrive where the readers of this conversation do not see it.
  if (conversation && audienceOf(channel) !== conversation.audience)
    throw refused(
      'channel_id',
      'This conversation has other readers than this channel. Send it as a new message instead.',
    )
  return channel
}

export function canOf(kinds: ChannelKinds, { kind, name }: Pick<SendingChannel, 'kind' | 'name'>) {
  const known = own(kinds, kind)
  if (!known) throw new AppError('conflict', `This installation cannot send by the channel ${name}.`)
  return known.can
}

type About = Pick<Target, 'conversation' | 'replyTo' | 'mode' | 'channel'>

async function recipientsOf(context: Context, input: Input, about: About): Promise<Recipient[]> {
  const { cc = [], bcc = [] } = input
  const to = input.to ?? (await defaultTo(context, input, about))
  const names = new Map(about.conversation?.participants.map(({ address, name }) => [address, name]))
  const seen = new Set<string>()
  const all = Object.entries({ to, cc, bcc }).flatMap(([kind, addresses]) =>
    addresses.flatMap((address): Recipient[] => {
      if (seen.has(address)) return []
      seen.add(address)
      return [{ kind: kind as 'to', address, name: names.get(address) ?? null }]
    }),
  )
  if (!all.length)
    throw refused('to', about.mode === 'forward' ? 'Choose whom to forward it to' : 'Choose at least one recipient')
  if (all.length > mostRecipients) throw refused('to', `A message has at most ${mostRecipients} recipients`)
  return all
}

/** Who wrote last, or whom we wrote to. */
async function defaultTo(context: Context, { person_id }: Input, { conversation, replyTo, mode, channel }: About) {
  if (person_id) return [await addressOf(context, person_id)]
  if (!conversation || mode === 'forward') return []
  const others = (addresses: string[]) => addresses.filter((address) => address !== channel.address)
  const writer = replyTo?.direction === 'in' ? (replyTo.reply_address ?? replyTo.from_address) : null
  if (writer) return others([writer])
  const again = others(replyTo?.recipients.flatMap(({ kind, address }) => (kind === 'to' ? [address] : [])) ?? [])
  return again.length ? again : others(conversation.participants.slice(0, 1).map(({ address }) => address))
}

async function addressOf(context: Context, person_id: string) {
  const actor = actorOf(context)
  const schema = await schemaOf(context.db, actor)
  const people = schema.builtIn.get('people')
  const object = people && findObject(schema, actor, people.key)
  const person = object && (await recordsById(context, object, [person_id])).get(person_id)
  if (!person)
    throw object ? noSuchRecord(object, 'person_id') : refused('person_id', 'Your company does not use people')
  const field = builtInInUse(object, 'emails')
  const [address] = field ? ([own(person.values, field.key) ?? []].flat() as string[]) : []
  if (!address) throw refused('person_id', `${person.title} has no email address`)
  return address.toLowerCase()
}

/** A template gives what was left empty. */
async function wordsOf(context: Context, input: Input, conversation: Answerable | null) {
  const { template_id, person_id, text } = input
  const subject = input.subject?.trim() ?? ''
  if (!template_id) return { subject, text }
  const about = { conversation, person_id: person_id ?? conversation?.participants[0]?.person_id ?? undefined }
  const filled = await fillTemplate(context, template_id, about)
  if (!text && filled.missing.length)
    throw refused(
      'template_id',
      `These variables have no value: ${filled.missing.join(', ')}. Write the text yourself, or fill in the person.`,
    )
  return { subject: subject || (conversation ? '' : filled.subject), text: text || filled.text }
}

function refuseLarge(files: MessageFile[], mostMb: number) {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > mostMb * 1024 * 1024) throw refused('file_ids', `All files together can have at most ${mostMb} MB`)
}
