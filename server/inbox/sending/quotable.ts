// The texts that messages may quote: the newest ones of the conversations that they refer to. They are read before the
// messages are stored, because comparing texts takes time.
import { Params, run } from '../../kernel/statement.ts'
import type { Db } from '../../platform/db.ts'
import type { Envelope } from '../channels/channel.ts'
import {
  type ChannelAudience,
  conversationsByChat,
  mergedInto,
  messagesByKey,
  referencesByKey,
} from '../thread/known-threads.ts'

const mostTexts = 5
const longestText = 20_000

export async function quotableTexts(db: Db, place: ChannelAudience, mails: Envelope[]) {
  const keys = [...new Set(mails.flatMap(({ key, references }) => [key, ...references]))]
  const known = new Map((await messagesByKey(db, place, keys)).map((message) => [message.key, message.conversation_id]))
  const referring = await referencesByKey(
    db,
    place,
    keys.filter((key) => !known.has(key)),
  )
  const named = mails.flatMap(({ conversationId }) => conversationId ?? [])
  const merged = await mergedInto(db, place, named)
  const chats = await conversationsByChat(db, place, mails)
  const conversations = new Map([
    ...referring.map(({ key, conversation_id }) => [key, conversation_id] as const),
    ...known,
  ])
  const ids = [...new Set([...conversations.values(), ...merged.values(), ...chats.values()])]
  const texts = await textsOf(db, place, ids)

  /** The conversation, or what stands for one that is not stored yet. */
  function conversationOf({ key, references, thread, conversationId }: Envelope) {
    if (thread !== undefined) return chats.get(thread) ?? `chat ${thread}`
    const referred = references.map((reference) => conversations.get(reference)).find(Boolean)
    return referred ?? conversations.get(key) ?? merged.get(conversationId ?? '') ?? `new ${key}`
  }

  return {
    /** It is stored already. */
    isKnown: ({ key }: Envelope) => known.has(key),
    /** Newest first. */
    of: (mail: Envelope) => texts.get(conversationOf(mail)) ?? [],
    /** Of a message that comes with others that may quote it. */
    add(mail: Envelope, text: string) {
      const id = conversationOf(mail)
      texts.set(id, [text.slice(0, longestText), ...(texts.get(id) ?? [])].slice(0, mostTexts))
      conversations.set(mail.key, id)
      for (const key of mail.references) if (!conversations.has(key)) conversations.set(key, id)
    },
  }
}

async function textsOf(db: Db, { company_id }: ChannelAudience, ids: string[]) {
  if (!ids.length) return new Map<string, string[]>()
  const params = new Params()
  const rows = await run<{ conversation_id: string; text: string }>(
    db,
    `select c.id as conversation_id, m.text from unnest(${params.add(ids, 'uuid[]')}) c(id) cross join lateral (
      select left(m.text, ${longestText}) as text, m.at from messages m where m.company_id = ${params.add(company_id, 'uuid')}
        and m.conversation_id = c.id and m.kind = 'message' order by m.at desc limit ${mostTexts}) m order by m.at desc`,
    params,
  )
  const grouped = Map.groupBy(rows, ({ conversation_id }) => conversation_id)
  return new Map([...grouped].map(([id, some]) => [id, some.map(({ text }) => text)]))
}
