// The automatic reply of a rule. Loops are not possible: machines get none, a conversation one a day, an address a few, and
// the message is marked as automatic.

import { sql } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context, may } from '../../kernel/context.ts'
import { isForPeople } from '../../leads/forms/form-emails.ts'
import { dayMs } from '../../platform/times.ts'
import type { ChannelKinds } from '../channels/channel.ts'
import { queueMessage } from '../sending/queue.ts'
import { targetOf } from '../sending/resolve-message.ts'
import { fillAutomatic, templateFor } from '../sending/template.ts'
import type { Arrived } from './run.ts'

const perAddress = 5
const unwanted = {
  asked: 'The sender does not accept automatic replies.',
  late: 'The message arrived more than 24 hours before Kith read it.',
  unproven: 'The sender may be forged: the message failed DMARC.',
}
/** So long it can be cancelled. */
export const cancelSeconds = 10

export async function reply(context: Context, kinds: ChannelKinds, arrived: Arrived, template_id: string) {
  const { conversation_id, message_id, address } = arrived
  if (arrived.is_automatic) return { skipped: 'Automatic messages get no reply.' }
  if (arrived.no_reply) return { skipped: unwanted[arrived.no_reply] }
  if (!address || !isForPeople(address)) return { skipped: 'This address gets no automatic replies.' }
  const template = await templateFor(context, template_id)
  if (!template.is_shared) throw new AppError('conflict', `The template ${template.name} is not shared with everyone.`)
  if (!may(actorOf(context), 'messages.send'))
    throw new AppError('forbidden', 'The owner of the rule is not allowed to send messages.')
  const recent = arrived.is_trial ? { here: false, address: 0 } : await repliesOf(context, arrived)
  if (recent.here) return { skipped: 'The conversation got an automatic reply in the last 24 hours.' }
  if (recent.address >= perAddress)
    return { skipped: `This address got ${perAddress} automatic replies in the last 24 hours.` }
  const itself = asChannelItself(context, arrived)
  const { text } = await fillAutomatic(itself, template, arrived)
  const target = await targetOf(itself, kinds, {
    conversation_id,
    reply_to_id: message_id,
    mode: 'reply',
    to: [address],
    text,
    file_ids: [],
    without_file_ids: [],
  })
  const { id: rule_id, name: rule } = context.principal!
  await queueMessage(
    context,
    { ...target, conversation_id },
    {
      by: { user_id: null, api_key_id: null, client: null },
      send_at: new Date(context.now.getTime() + cancelSeconds * 1000),
      canUnsubscribe: true,
      isAutomatic: true,
      rule_id: rule_id!,
      data: { rule },
    },
  )
  return { done: `Reply with the template ${template.name}`, text }
}

/** No person writes it, so it names none: variables about the writer are those of the channel. */
const asChannelItself = (context: Context, { channel_name, channel_address }: Arrived): Context => ({
  ...context,
  actor: { ...actorOf(context), name: channel_name, email: channel_address },
})

async function repliesOf(context: Context, { conversation_id, address }: Arrived) {
  const { company_id } = actorOf(context)
  // Two conversations with the same machine wait for each other.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${company_id} ${address}`}, 37))`.execute(context.db)
  const since = new Date(context.now.getTime() - dayMs)
  const recent = sql`m.company_id = ${company_id} and m.direction = 'out' and m.is_automatic and m.rule_id is not null
    and m.state <> 'cancelled' and m.at > ${since}`
  const { rows } = await sql<{ here: boolean; address: number }>`
    select exists (select from messages m where m.conversation_id = ${conversation_id} and ${recent}) as here,
      (select count(*)::int from messages m where m.recipients -> 0 ->> 'address' = ${address} and ${recent}) as address`.execute(
    context.db,
  )
  return rows[0]!
}
