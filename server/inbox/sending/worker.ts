// Sends the messages that are due. Each channel and each company sends a few at a time, so that one that hangs delays no
// other.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { own } from '../../../contract/shared/own.ts'
import { type Files, readFile } from '../../files/queries.ts'
import { companiesWaiting } from '../../kernel/companies.ts'
import { polling } from '../../kernel/polling.ts'
import { type Db, isUnavailable } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Vault } from '../../platform/vault.ts'
import type { ChannelKinds, Outgoing } from '../channels/channel.ts'
import { outgoingHtml } from '../content/outgoing-html.ts'
import { plainMarkdown } from '../content/plain-markdown.ts'
import { optOutUrl } from '../people/opt-out.ts'
import { abandon, type Claimed, claim, type Due, dueMessages, type Result, renew } from './claim.ts'
import { writeResult } from './write-result.ts'

const renewMs = 8000
const ofChannel = 4
const ofCompany = 16
const atOnce = 64
/** How long messages may still be sent when the process stops. What takes longer is left as unknown. */
const graceMs = 10_000
const mostReferences = 20

export type MessageSender = ReturnType<typeof startMessageSender>
export type SenderServices = { channelKinds: ChannelKinds; files: Files; vault: Vault; baseUrl: URL }
type Parts = { db: Db; log: Log; clock: () => Date; services: SenderServices }

export function startMessageSender({ db, log, clock, services }: Parts) {
  const working = new Map<string, Due & { done: Promise<void> }>()
  const poll = polling({ look, log, failure: 'messages could not be looked up' })

  /** Companies that are sending the fewest come first. */
  async function look() {
    const companies = await companiesWaiting(db, 'messages', 'send_at', clock())
    const sending = new Map(
      companies.map((company_id) => [company_id, count((work) => work.company_id === company_id)]),
    )
    for (const company_id of companies.toSorted((a, b) => sending.get(a)! - sending.get(b)!))
      if (hasShare(company_id))
        for (const due of await dueMessages(db, services.channelKinds, company_id, clock(), wantedOf(company_id)))
          if (isFree(due)) start(due)
  }

  const count = (is: (work: Due) => boolean) => working.values().filter(is).toArray().length

  const ofSame = (id: string) => count((work) => work.channel_id === id)

  function wantedOf(company_id: string) {
    const channels = new Set(
      working
        .values()
        .filter((work) => work.company_id === company_id)
        .map((work) => work.channel_id),
    )
    return { ofChannel, without: [...channels].filter((id) => ofSame(id) >= ofChannel) }
  }

  /** Whoever is sending nothing may always send one, up to twice the usual number of all together. */
  function hasShare(company_id: string, inChannel = 0) {
    const own = count((work) => work.company_id === company_id)
    return own < (inChannel ? ofCompany : 2 * ofCompany) && working.size < (own ? atOnce : 2 * atOnce)
  }

  function isFree({ id, company_id, channel_id }: Due) {
    const inChannel = ofSame(channel_id)
    return !poll.isStopped && !working.has(id) && inChannel < ofChannel && hasShare(company_id, inChannel)
  }

  function start(due: Due) {
    const done = work(due)
      .catch((error) => {
        if (!isUnavailable(error))
          log.error({ err: error, company_id: due.company_id, message_id: due.id }, 'a message could not be sent')
      })
      .finally(() => {
        working.delete(due.id)
        poll.wake()
      })
    working.set(due.id, { ...due, done })
  }

  async function work(due: Due) {
    if (due.state === 'sending') return abandon(db, services.channelKinds, due, clock())
    const claimed = await claim(db, services.channelKinds, due, randomUUID(), clock())
    if (!claimed) return
    const about = { company_id: due.company_id, message_id: due.id, channel_id: due.channel_id }
    const renewing = setInterval(
      () =>
        void renew(db, claimed.message, claimed.leased_by).catch((err) => {
          if (!isUnavailable(err)) log.warn({ err, ...about }, 'the lease of a message was not renewed')
        }),
      renewMs,
    )
    try {
      const result = await send(db, services, claimed, (err, problem) => log.error({ err, ...about }, problem))
      await writing(() => writeResult(db, claimed, result, clock()))
    } finally {
      clearInterval(renewing)
    }
  }

  /** The message was sent: what is known about it must not get lost while the database restarts. */
  async function writing(write: () => Promise<unknown>) {
    for (let attempt = 1; ; attempt++)
      try {
        return await write()
      } catch (error) {
        if (!isUnavailable(error) || attempt === 20 || poll.isStopped) throw error
        await new Promise((resolve) => setTimeout(resolve, 1000))
      }
  }

  poll.wake()
  return {
    wake: poll.wake,
    async stop() {
      await poll.stop()
      const late = new Promise((resolve) => setTimeout(resolve, graceMs).unref())
      await Promise.race([Promise.allSettled([...working.values()].map(({ done }) => done)), late])
    },
  }
}

/** Errors before the channel was called leave no doubt: nothing was sent. */
async function send(
  db: Db,
  services: SenderServices,
  claimed: Claimed,
  report: (error: unknown, problem: string) => void,
): Promise<Result> {
  const { channel } = claimed
  const kind = own(services.channelKinds, channel.kind)
  if (!kind) return { state: 'failed', reason: 'This installation cannot send by this kind of channel.' }
  let outgoing: Outgoing
  try {
    outgoing = await outgoingOf(db, services, claimed)
  } catch (error) {
    if (error instanceof MissingFile) return { state: 'failed', reason: error.message }
    report(error, 'a message could not be prepared for sending')
    return { state: 'again', afterSeconds: 0, reason: 'Kith could not read the message from its database.' }
  }
  try {
    return await kind.send(channel, outgoing)
  } catch (error) {
    // A channel reports errors as results. This one does not know itself how far it came.
    report(error, 'a channel failed while it sent a message')
    return { state: 'unknown', reason: 'The channel failed while it was being sent.' }
  }
}

export class MissingFile extends Error {}

type OutgoingServices = Pick<SenderServices, 'files'> & Partial<Pick<SenderServices, 'vault' | 'baseUrl'>>

/** Without vault and address, it has no link to unsubscribe. */
export async function outgoingOf(
  db: Db,
  services: OutgoingServices,
  { message, channel }: Pick<Claimed, 'message'> & { channel: Pick<Claimed['channel'], 'address'> },
): Promise<Outgoing> {
  const { company_id, id, conversation_id, recipients, subject, text, html, quote_at } = message
  const [own, quoted] =
    quote_at === null ? [text, ''] : [text.slice(0, quote_at).trimEnd(), `\n\n${text.slice(quote_at)}`]
  const [person] = recipients
  const files = await filesOf(services.files, company_id, message.files)
  const isForOne = recipients.length === 1 && message.can_unsubscribe
  const { vault, baseUrl } = services
  return {
    company_id,
    messageId: id,
    conversationId: conversation_id,
    thread: await threadOf(db, message),
    resends: message.resends,
    template: message.template,
    at: message.at,
    replyTo: await answeredBy(db, message),
    from: { address: channel.address, name: message.from_name },
    recipients,
    subject,
    text: plainMarkdown(own) + quoted,
    html:
      html &&
      outgoingHtml(
        html,
        files.flatMap(({ contentId }) => contentId ?? []),
      ),
    files,
    references: await referencesOf(db, message),
    isAutomatic: message.is_automatic,
    unsubscribe:
      isForOne && vault && baseUrl ? optOutUrl(vault, baseUrl, { company_id, address: person!.address }) : null,
  }
}

const filesOf = (files: Files, company_id: string, stored: Claimed['message']['files']) =>
  Promise.all(
    stored.map(async ({ id, name, type, is_inline, content_id }) => {
      const content = await readFile(files, { company_id, id })
      if (!content) throw new MissingFile(`The file ${name} is missing. Write the message again with the file.`)
      const bytes = Buffer.concat(await Array.fromAsync(content))
      return { name, type, content: bytes, contentId: content_id ?? null, isInline: is_inline }
    }),
  )

/** The newest chat of the conversation in this channel. */
async function threadOf(db: Db, { company_id, conversation_id, channel_id }: Claimed['message']) {
  const { rows } = await sql<{ thread: string }>`
    select t.thread from conversation_threads t join conversations c on c.company_id = ${company_id} and c.id = t.conversation_id
    where t.company_id = ${company_id} and t.channel_id = ${channel_id} and coalesce(c.merged_into, c.id) = ${conversation_id}
    order by c.merged_into is null desc, c.id desc, t.thread limit 1`.execute(db)
  return rows[0]?.thread ?? null
}

async function answeredBy(db: Db, { company_id, reply_to_id }: Claimed['message']) {
  if (!reply_to_id) return null
  const { rows } = await sql<{ provider_id: string | null }>`
    select provider_id from messages where company_id = ${company_id} and id = ${reply_to_id}`.execute(db)
  return rows[0]?.provider_id ?? null
}

/** The message that it answers, then the others, newest first. */
async function referencesOf(db: Db, { company_id, id, conversation_id, reply_to_id }: Claimed['message']) {
  const { rows } = await sql<{ key: string }>`
    (select key, 1 as place, at, id from messages where company_id = ${company_id} and id = ${reply_to_id}::uuid
      and conversation_id = ${conversation_id} and kind = 'message' and key is not null and state <> 'cancelled')
    union all
    (select key, 2, at, id from messages where company_id = ${company_id} and conversation_id = ${conversation_id}
      and id <> ${id} and id is distinct from ${reply_to_id}::uuid and kind = 'message' and key is not null
      and state <> 'cancelled' order by at desc, id desc limit ${mostReferences})
    order by place, at desc, id desc limit ${mostReferences}`.execute(db)
  return rows.map(({ key }) => key)
}
