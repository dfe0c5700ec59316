// What a channel is given to send.
import { sql } from 'kysely'
import { type Files, readFile } from '../../files/queries.ts'
import type { Db } from '../../platform/db.ts'
import type { Vault } from '../../platform/vault.ts'
import type { Outgoing } from '../channels/channel.ts'
import { outgoingHtml } from '../content/outgoing-html.ts'
import { plainMarkdown } from '../content/plain-markdown.ts'
import { optOutUrl } from '../people/opt-out.ts'
import type { Claimed } from './claim.ts'

const mostReferences = 20

export class MissingFile extends Error {}

type Services = { files: Files; vault?: Vault; baseUrl?: URL }

/** Without vault and address, it has no link to unsubscribe. */
export async function outgoingOf(
  db: Db,
  services: Services,
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
