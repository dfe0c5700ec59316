// What an agent wants to send and a person decides about.

import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Output } from '../../../contract/operation.ts'
import { type proposals as contract, proposalDays } from '../../../contract/proposals.ts'
import { pages } from '../../../contract/shared/pages.ts'
import { nameOrAddress } from '../../../contract/shared/visitor-address.ts'
import { refused } from '../../kernel/app-error.ts'
import { type Actor, actorOf, type Context } from '../../kernel/context.ts'
import type { Db } from '../../platform/db.ts'
import { dayMs } from '../../platform/times.ts'
import { announceChanged, announceProposal } from '../access/announce.ts'
import type { SendingChannel } from '../channels/allowed.ts'
import type { ProviderTemplate } from '../channels/channel.ts'
import { isOurs, ourAddresses } from '../channels/our-addresses.ts'
import { inboxSettingsOf } from '../channels/settings.ts'
import { keepFiles } from '../sending/attachments.ts'
import { beginConversation } from '../sending/queue.ts'
import type { Recipient, Target } from '../sending/resolve-message.ts'
import type { MessageFile } from '../thread/message.ts'

export type ProposedContent = {
  channel_id: string
  reply_to_id: string | null
  mode: Target['mode']
  recipients: Recipient[]
  subject: string
  text: string
  files: MessageFile[]
  template_id: string | null
  template?: ProviderTemplate | null
  send_at: string | null
  /** Recipients who were not in the conversation; older proposals do not say. */
  outside?: string[]
}
export type ProposalRow = {
  company_id: string
  id: string
  state: string
  user_id: string
  user_name: string
  api_key_id: string | null
  client: string | null
  reason: string
  rule: string
  content: ProposedContent
  conversation_id: string | null
  created_at: Date
  expires_at: Date
  decided_at: Date | null
  decided_by_name: string | null
  note: string
  result: { message_id?: string; text?: string } | null
  changed: string | null
  channel_name: string
  template_name: string | null
  quoted: { from_name: string | null; from_address: string | null; at: string; text: string } | null
}

/** Why a person must decide; null: it is sent. People in the web app always send. */
export async function ruleFor(context: Context, channel: SendingChannel) {
  const { company_id, api_key_id } = actorOf(context)
  if (!api_key_id) return null
  const { agents_may_send } = await inboxSettingsOf(context.db, company_id)
  if (!agents_may_send) return 'Your company lets agents and API keys only propose messages.'
  return channel.agents === 'send'
    ? null
    : `The channel ${channel.name} lets agents and API keys only propose messages.`
}

export async function propose(context: Context, target: Target, { reason, rule }: { reason: string; rule: string }) {
  const { company_id, user_id, api_key_id } = actorOf(context)
  const { channel, replyTo, mode, recipients, subject, text, files, template_id, template, send_at } = target
  // An agent that was talked into it must not send copies that no one in the conversation would ever see.
  if (api_key_id && recipients.some(({ kind }) => kind === 'bcc'))
    throw refused('bcc', 'Proposals cannot have bcc recipients. Use cc')
  const conversation_id = target.conversation?.id ?? (await beginConversation(context, target))
  const content: ProposedContent = {
    channel_id: channel.id,
    reply_to_id: replyTo?.id ?? null,
    mode,
    recipients,
    subject,
    text,
    files,
    template_id,
    template,
    send_at: send_at?.toISOString() ?? null,
    outside: await outsideOf(context, target),
  }
  const id = randomUUIDv7()
  await context.db
    .insertInto('proposals')
    .values({
      company_id,
      id,
      kind: 'message',
      user_id,
      api_key_id,
      client: context.client,
      reason,
      rule,
      conversation_id,
      content: JSON.stringify(content),
      made_for_version: target.conversation?.version ?? null,
      created_at: context.now,
      expires_at: new Date(context.now.getTime() + proposalDays * dayMs),
    })
    .execute()
  await keepFiles(
    context,
    files.map((file) => file.id),
  )
  const audience = target.conversation?.audience ?? audienceFor(channel)
  await announceProposal(context, company_id, { audience }, 'proposal.made', { proposal_id: id })
  await announceChanged(context, company_id, [{ id: conversation_id, audience }])
  return (await findProposalUnchecked(context.db, company_id, id))!
}

/** Recipients who are not in the conversation yet. A new conversation has none. */
async function outsideOf(context: Context, { conversation, recipients }: Target) {
  if (!conversation) return []
  const ours = await ourAddresses(context.db, actorOf(context).company_id)
  const inside = new Set(conversation.participants.map(({ address }) => address))
  return recipients.flatMap(({ address }) => (inside.has(address) || isOurs(ours, address) ? [] : [address]))
}

const audienceFor = ({ company_id, id, owner_id }: SendingChannel) => (owner_id === null ? company_id : id)

/** What happened in the conversation since: messages have IDs in the order in which Kith got them. */
const changedSince = (
  company_id: string,
) => sql`(select case m.direction when 'in' then coalesce(m.from_name, m.from_address, 'Someone') || ' wrote'
    else coalesce((select w.name from users w where w.company_id = ${company_id} and w.id = m.user_id), m.from_name, 'Someone') || ' answered' end
    || ' (' || to_char(m.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || ')'
  from messages m where m.company_id = ${company_id} and m.conversation_id = p.conversation_id and m.kind = 'message'
    and m.state <> 'cancelled' and m.id > p.id order by m.id desc limit 1)`

/** Characters; the whole message is in the conversation. */
const mostQuoted = 2000

const selecting = (company_id: string) => sql`
  select p.company_id, p.id, p.state, p.user_id, u.name as user_name, p.api_key_id, p.client, p.reason, p.rule, p.content,
    p.conversation_id, p.created_at, p.expires_at, p.decided_at, d.name as decided_by_name, p.note, p.result,
    case p.state when 'waiting' then ${changedSince(company_id)} end as changed, coalesce(h.name, 'Deleted channel') as channel_name, t.name as template_name, q.quoted
  from proposals p join users u on u.company_id = ${company_id} and u.id = p.user_id
  left join channels h on h.company_id = ${company_id} and h.id = (p.content ->> 'channel_id')::uuid
  left join message_templates t on t.company_id = ${company_id} and t.id = (p.content ->> 'template_id')::uuid
  left join lateral (select jsonb_build_object('from_name', m.from_name, 'from_address', m.from_address, 'at', m.at,
      'text', left(m.text, ${mostQuoted})) as quoted
    from messages m where m.company_id = ${company_id} and m.id = (p.content ->> 'reply_to_id')::uuid
      and p.content ->> 'mode' <> 'none') q on true
  left join users d on d.company_id = ${company_id} and d.id = p.decided_by
  where p.company_id = ${company_id}`

export async function findProposalUnchecked(db: Db, company_id: string, id: string) {
  const { rows } = await sql<ProposalRow>`${selecting(company_id)} and p.id = ${id}`.execute(db)
  return rows[0]
}

type ProposalQuery = {
  state?: string | undefined
  conversation_id?: string | undefined
  before: string | null
  limit: number
}

/** One's own, and those in conversations that one may read. */
export async function listReadable(db: Db, { company_id, user_id }: Actor, audiences: string[], wanted: ProposalQuery) {
  const { state = null, conversation_id = null, before, limit } = wanted
  const { rows } = await sql<ProposalRow>`${selecting(company_id)}
    and (p.user_id = ${user_id} or exists (select from conversations v where v.company_id = ${company_id}
      and v.id = p.conversation_id and v.audience = any(${audiences}::uuid[])))
    and (${state}::text is null or p.state = ${state}) and (${conversation_id}::uuid is null or p.conversation_id = ${conversation_id})
    and (${before}::uuid is null or p.id < ${before}) order by p.id desc limit ${limit}`.execute(db)
  return rows
}

export const shownProposal = (baseUrl: URL, row: ProposalRow): Output<typeof contract.getProposal> => {
  const { content, result, quoted } = row
  const addresses = (kind: string) =>
    content.recipients.filter((one) => one.kind === kind).map(({ address }) => address)
  const page = row.conversation_id ? pages.conversation.replace(':id', row.conversation_id) : pages.inbox
  return {
    id: row.id,
    kind: 'message',
    state: row.state as 'waiting',
    user_id: row.user_id,
    user_name: row.user_name,
    client: row.client,
    reason: row.reason,
    rule: row.rule,
    conversation_id: row.conversation_id,
    subject: content.subject,
    text: content.text,
    to: addresses('to'),
    cc: addresses('cc'),
    bcc: addresses('bcc'),
    outside: content.outside ?? [],
    files: content.files.map(({ id, name, type, size }) => ({ id, name, type, size })),
    mode: content.mode,
    quoted: quoted && {
      message_id: content.reply_to_id!,
      from: nameOrAddress(quoted.from_name, quoted.from_address) ?? 'us',
      at: new Date(quoted.at).toISOString(),
      text: quoted.text,
    },
    channel: { id: content.channel_id, name: row.channel_name },
    send_at: content.send_at,
    template: row.template_name,
    provider_template: content.template ?? null,
    changed: row.changed,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
    decided_by: row.decided_by_name,
    note: row.note,
    sent_text: result?.text ?? null,
    message_id: result?.message_id ?? null,
    url: `${baseUrl.origin}${page}?proposal=${row.id}`,
  }
}
