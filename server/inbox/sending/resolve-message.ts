// Where a message goes and what it says, from what a caller gave.
import { type RawBuilder, sql } from 'kysely'
import { whatsAppUser } from '../../../contract/built-in/channel-kinds.ts'
import type { messages as contract } from '../../../contract/messages.ts'
import { mostMessageFilesMb, mostRecipients, templateGap } from '../../../contract/messages.ts'
import type { Parsed } from '../../../contract/operation.ts'
import { own } from '../../../contract/shared/own.ts'
import { deceptive, email as emailRule } from '../../../contract/shared/shapes.ts'
import { recordsById } from '../../engine/read/by-id.ts'
import { timeOf } from '../../engine/read/since-until.ts'
import { findObject } from '../../engine/rights/rights.ts'
import { builtInInUse, schemaOf } from '../../engine/schema/schema.ts'
import { noSuchRecord } from '../../engine/write/lock.ts'
import { AppError, referenced, refused } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { channelFor, type SendingChannel } from '../channels/allowed.ts'
import {
  audienceOf,
  type ChannelKind,
  type ChannelKinds,
  isChat,
  type Party,
  type ProviderTemplate,
} from '../channels/channel.ts'
import { refuseOptedOut } from '../people/do-not-contact.ts'
import {
  type Answerable,
  conversationFor,
  messageFor,
  type StoredMessage,
  storedMessage,
} from '../thread/find-readable.ts'
import { phoneNumber } from '../thread/links.ts'
import type { MessageFile } from '../thread/message.ts'
import { filesFor } from './attachments.ts'
import { type Mode, subjectFor } from './compose.ts'
import { aboutRecipient, fillTemplate } from './template.ts'

export type Recipient = Party & { kind: 'to' | 'cc' | 'bcc' }
export type Target = {
  channel: SendingChannel
  kind: ChannelKind
  /** Null: a new one. */
  conversation: Answerable | null
  /** What is quoted or forwarded, and what is answered. */
  replyTo: StoredMessage | null
  mode: Mode
  recipients: Recipient[]
  subject: string
  text: string
  files: MessageFile[]
  template_id: string | null
  template: ProviderTemplate | null
  send_at: Date | null
}
type Input = Omit<Parsed<typeof contract.draftReply>, 'reason'>

export async function targetOf(context: Context, kinds: ChannelKinds, input: Input): Promise<Target> {
  const { reply_to_id } = input
  const given = reply_to_id ? await referenced('reply_to_id', () => messageFor(context, reply_to_id)) : null
  const conversation_id = input.conversation_id ?? given?.conversation_id
  const named = conversation_id
    ? await referenced('conversation_id', () => conversationFor(context, conversation_id))
    : null
  if (given && given.conversation_id !== named?.id)
    throw refused('reply_to_id', 'This message is in another conversation')
  const newest = given ?? (named && (await newestMessage(context, named.id)))
  const channel = await channelOf(context, input, named)
  const kind = kindOf(kinds, channel)
  const { can } = kind
  const asked = named ? input.mode : 'none'
  if (can.isAnswerOnly && (!named || asked === 'forward'))
    throw refused('channel_id', 'Chat messages can only go to the visitor. Choose another channel')
  const about = { conversation: named, replyTo: newest, mode: asked, channel, kind }
  const recipients = await recipientsOf(context, input, about)
  if (can.isAnswerOnly) {
    const visitors = await recipientsOf(context, { ...input, to: undefined, cc: undefined, bcc: undefined }, about)
    if (recipients.some(({ address }) => !visitors.some((visitor) => visitor.address === address)))
      throw refused('to', 'Chat messages can only go to the visitor')
  }
  const conversation = named ?? (isChat(kind) ? await chatWith(context, channel, recipients) : null)
  const mode = isChat(kind) && asked === 'reply' ? 'none' : asked
  const replyTo = isChat(kind) && asked !== 'forward' ? given : newest
  const { subject, text: words } = await wordsOf(context, input, conversation, recipients[0])
  const text = words.trim() || !input.provider_template ? words : wordsOfTemplate(input.provider_template)
  const title = can.subject
    ? subject || (conversation ? subjectFor(mode, replyTo?.subject || conversation.subject) : '')
    : ''
  if (can.subject && !title && !conversation) throw refused('subject', 'Write a subject')
  if (deceptive.test(title)) throw refused('subject', 'Remove line breaks and invisible control characters')
  const files = await filesFor(context, input, mode === 'forward' ? replyTo : null)
  if (!text.trim() && !files.length && mode !== 'forward') throw refused('text', 'Write a message')
  if (text.length > can.mostText) throw refused('text', `This channel allows at most ${can.mostText} characters`)
  refuseLarge(files, Math.min(can.mostFilesMb, mostMessageFilesMb))
  await refuseOptedOut(
    context,
    recipients.map(({ address }) => address),
    conversation?.id,
  )
  const send_at = input.send_at ? new Date(await timeOf(context, input.send_at)) : null
  const template = input.provider_template ?? null
  if (template && channel.kind !== 'whatsapp')
    throw refused('provider_template', 'Only WhatsApp channels have provider templates')
  const wanted = { conversationId: conversation?.id ?? null, text, template }
  const refusal = await kind.refusal?.(channel, wanted, context.now, context.db)
  if (refusal) throw new AppError('conflict', refusal)
  return {
    channel,
    kind,
    conversation,
    replyTo,
    mode,
    recipients,
    subject: title,
    text,
    files,
    template_id: input.template_id ?? null,
    template,
    send_at,
  }
}

/** What a reply answers: the last message from outside. Not what was forwarded to a third party since then. */
export async function newestMessage({ db, actor }: Context, conversation_id: string) {
  const { company_id } = actor!
  const newest = async (condition: RawBuilder<unknown>) => {
    const { rows } = await sql<StoredMessage>`
      select ${storedMessage} from messages m where m.company_id = ${company_id} and m.conversation_id = ${conversation_id}
        and m.kind = 'message' and m.state not in ('cancelled', 'failed') and ${condition}
      order by m.at desc, m.id desc limit 1`.execute(db)
    return rows[0] ?? null
  }
  return (await newest(sql`m.direction = 'in' and not m.is_automatic`)) ?? newest(sql`true`)
}

async function channelOf(context: Context, { channel_id }: Input, conversation: Answerable | null) {
  const channel = await referenced('channel_id', () => channelFor(context, channel_id ?? conversation?.channel_id))
  // Otherwise the answer to it would arrive where the readers of this conversation do not see it.
  if (conversation && audienceOf(channel) !== conversation.audience)
    throw refused(
      'channel_id',
      'This channel and this conversation have different readers. Send it as a new message instead.',
    )
  return channel
}

export function kindOf(kinds: ChannelKinds, { kind, name }: Pick<SendingChannel, 'kind' | 'name'>) {
  const known = own(kinds, kind)
  if (!known) throw new AppError('conflict', `This server does not support channels like ${name}.`)
  return known
}

/** In a chat, there is one conversation with someone. */
async function chatWith(context: Context, channel: SendingChannel, [recipient, ...others]: Recipient[]) {
  if (!recipient || others.length) return null
  const { company_id } = actorOf(context)
  const { rows } = await sql<{ id: string }>`
    select c.id from conversation_addresses a join conversations c on c.company_id = ${company_id} and c.id = a.conversation_id
    where a.company_id = ${company_id} and a.address = ${recipient.address} and not a.is_extra and c.channel_id = ${channel.id}
      and c.merged_into is null and jsonb_array_length(c.participants) = 1
    order by c.last_message_at desc limit 1`.execute(context.db)
  return rows[0] ? conversationFor(context, rows[0].id) : null
}

type MessageFrame = Pick<Target, 'conversation' | 'replyTo' | 'mode' | 'channel' | 'kind'>

async function recipientsOf(context: Context, input: Input, about: MessageFrame): Promise<Recipient[]> {
  const { cc = [], bcc = [] } = input
  const to = input.to ?? (await defaultTo(context, input, about))
  refuseWrong(about, { to, cc, bcc })
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
    throw refused(
      'to',
      about.mode === 'forward' ? 'Choose at least one recipient to forward to' : 'Choose at least one recipient',
    )
  if (all.length > mostRecipients) throw refused('to', `A message can have at most ${mostRecipients} recipients`)
  return all
}

/** What people are reached by depends on the channel. */
function refuseWrong({ kind: { can }, channel }: MessageFrame, given: Record<string, string[]>) {
  const kind = can.addresses ?? 'email'
  for (const [path, addresses] of Object.entries(given)) {
    if (path !== 'to' && addresses.length && !can.cc) throw refused(path, 'This channel does not support cc and bcc')
    for (const [i, address] of addresses.entries()) {
      if (kind === 'email' && !emailRule.safeParse(address).success)
        throw refused(`${path}.${i}`, 'Enter an email address such as ada@example.com')
      const isUser = channel.kind === 'whatsapp' && whatsAppUser.test(address)
      if (kind === 'phone' && !isUser && !phoneNumber.test(address))
        throw refused(`${path}.${i}`, 'Enter a phone number with its country code, such as +442079460000')
    }
  }
}

/** Who wrote last, or whom we wrote to. */
async function defaultTo(
  context: Context,
  { person_id }: Input,
  { conversation, replyTo, mode, channel, kind }: MessageFrame,
) {
  if (person_id) return [await addressOf(context, person_id, channel, kind)]
  if (!conversation || mode === 'forward') return []
  const others = (addresses: string[]) => addresses.filter((address) => address !== channel.address)
  const writer = replyTo && writerOf(replyTo)
  if (writer) return others([writer])
  const again = others(replyTo?.recipients.flatMap(({ kind, address }) => (kind === 'to' ? [address] : [])) ?? [])
  return again.length ? again : others(conversation.participants.slice(0, 1).map(({ address }) => address))
}

/** Where an answer to it goes. */
export const writerOf = ({ direction, reply_address, from_address }: StoredMessage) =>
  direction === 'in' ? (reply_address ?? from_address) : null

async function addressOf(context: Context, person_id: string, channel: SendingChannel, { can }: ChannelKind) {
  const actor = actorOf(context)
  const schema = await schemaOf(context.db, actor)
  const people = schema.builtIn.get('people')
  const object = people && findObject(schema, actor, people.key)
  const person = object && (await recordsById(context, object, [person_id])).get(person_id)
  if (!person)
    throw object
      ? await noSuchRecord({ context, schema, object }, 'person_id', person_id)
      : refused('person_id', 'The object People is archived. An Admin can restore it')
  const first = (key: string) => {
    const field = builtInInUse(object, key)
    const [value] = field ? ([own(person.values, field.key) ?? []].flat() as string[]) : []
    return value?.toLowerCase()
  }
  if (can.addresses === 'handle') {
    const mayBePhone = channel.kind === 'api'
    const address = (await handleOf(context, channel, person_id)) ?? (mayBePhone ? first('phones') : undefined)
    if (address) return address
    throw refused(
      'person_id',
      `${person.title} has not written via ${channel.name} yet${mayBePhone ? ' and has no phone number' : ''}. Pass their address in ${channel.name} as "to" instead`,
    )
  }
  const address =
    can.addresses === 'phone' ? (first('phones') ?? (await handleOf(context, channel, person_id))) : first('emails')
  if (!address)
    throw refused('person_id', `${person.title} has no ${can.addresses === 'phone' ? 'phone number' : 'email address'}`)
  return address
}

/** What the person is called in conversations of this channel. */
async function handleOf(context: Context, channel: SendingChannel, person_id: string) {
  const { company_id } = actorOf(context)
  const { rows } = await sql<{ address: string }>`
    select p ->> 'address' as address from conversation_links k
    join conversations c on c.company_id = ${company_id} and c.id = k.conversation_id and c.channel_id = ${channel.id}
    cross join lateral jsonb_array_elements(c.participants) p
    where k.company_id = ${company_id} and k.record_id = ${person_id} and p ->> 'person_id' = ${person_id}
    order by c.last_message_at desc limit 1`.execute(context.db)
  return rows[0]?.address
}

/** A template gives what was left empty. */
async function wordsOf(
  context: Context,
  input: Input,
  conversation: Answerable | null,
  recipient: Recipient | undefined,
) {
  const { template_id, person_id, text } = input
  const subject = input.subject?.trim() ?? ''
  if (!template_id) return { subject, text }
  const about = await aboutRecipient(context, { conversation, person_id }, recipient)
  const filled = await referenced('template_id', () =>
    fillTemplate(context, template_id, about, actorOf(context).api_key_id !== null),
  )
  const words = { subject: subject || (conversation ? '' : filled.subject), text: text || filled.text }
  const gaps = filled.missing.filter((name) => `${words.subject} ${words.text}`.includes(templateGap(name)))
  if (gaps.length)
    throw refused(
      'template_id',
      `These variables have no value: ${gaps.join(', ')}. Write the text yourself, or add the values to the person.`,
    )
  return words
}

const wordsOfTemplate = ({ name, values }: ProviderTemplate) =>
  values.length ? `Template ${name}: ${values.join(', ')}` : `Template ${name}`

function refuseLarge(files: MessageFile[], mostMb: number) {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > mostMb * 1024 * 1024) throw refused('file_ids', `Files can be up to ${mostMb} MB in total`)
}
