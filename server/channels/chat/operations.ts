import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { type chats, pollSeconds } from '../../../contract/chat.ts'
import { email as isEmail } from '../../../contract/shared/shapes.ts'
import { schemaOf } from '../../engine/schema/schema.ts'
import { renewSubscriptions } from '../../engine/subscriptions/save.ts'
import { announceChanged } from '../../inbox/access/announce.ts'
import { lockChannels } from '../../inbox/channels/add.ts'
import { seenByVisitor } from '../../inbox/sending/message-state.ts'
import { conversationFor } from '../../inbox/thread/find-readable.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import type { Handlers } from '../../kernel/run.ts'
import { honeypotOf } from '../../leads/forms/form.ts'
import type { Rates } from '../../leads/forms/spam.ts'
import { defined } from '../../platform/defined.ts'
import type { Log } from '../../platform/log.ts'
import { network } from '../../platform/network.ts'
import { hourMs } from '../../platform/times.ts'
import type { Vault } from '../../platform/vault.ts'
import { challengeFor, isSolved } from '../../website/puzzle.ts'
import { type FormToken, newFormToken, readFormToken } from '../../website/visitor-token.ts'
import { websiteScript } from '../../website/website-script.ts'
import {
  type ChatRow,
  type ChatSettings,
  chatFor,
  isOpen,
  isSigned,
  newSecret,
  oldSecret,
  publicChat,
  sealSecret,
  shown,
} from './chat.ts'
import { post } from './receive.ts'
import { findVisitor, saveVisitor, stateFor, typingMs, visitorByExternal, visitorsOf } from './visitor.ts'
import { type ChatWaiting, createChatWaiting } from './waiting-visitors.ts'
import { textsIn } from './widget-texts.ts'

const script = websiteScript('chat-element.js')
const scriptSeconds = 3600
/** How soon a page may ask again if too many wait. */
const busySeconds = 10

type Services = { baseUrl: URL; vault: Vault; formRates: Rates; chatWaiting?: ChatWaiting; log: Log }

export const chatOperations = (services: Services): Handlers<typeof chats> => ({
  ...manageOperations(services),
  ...memberOperations,
  ...visitorOperations(services),
})

type Manage = Pick<typeof chats, 'createChat' | 'getChat' | 'updateChat' | 'renewChatSecret'>

const manageOperations = ({ baseUrl, vault }: Services): Handlers<Manage> => ({
  async createChat(context, { name, language, ...given }) {
    const actor = actorOf(context)
    const { company_id } = actor
    await lockChannels(context)
    const schema = await schemaOf(context.db, actor)
    const settings: ChatSettings = { ...given, language: (language ?? schema.language) as ChatSettings['language'] }
    const [id, secret] = [randomUUIDv7(), newSecret()]
    await sql`insert into channels (company_id, id, kind, name, address, settings, secrets, agents, hourly_limit, state,
        created_at, created_by)
      values (${company_id}, ${id}, 'chat', ${name}, ${`chat-${id}`}, ${JSON.stringify(settings)}::jsonb,
        ${sealSecret(vault, { company_id, id }, secret)}, 'draft', 10000, 'synced', ${context.now}, ${actor.user_id})`.execute(
      context.db,
    )
    await renewSubscriptions(context.db, company_id)
    context.emit('channel.changed', { channel_id: id, user_id: null })
    context.audit('channel.connected', { target_id: id, data: { kind: 'chat', name } })
    return { chat: await shown(context, baseUrl, await chatFor(context, id)), identity_secret: secret }
  },

  getChat: async (context, { id }) => shown(context, baseUrl, await chatFor(context, id)),

  async updateChat(context, { id, name, is_paused, ...given }) {
    const row = await chatFor(context, id)
    const settings = { ...row.settings, ...given }
    const state = is_paused === undefined ? row.state : is_paused ? 'paused' : 'synced'
    await sql`update channels set name = ${name ?? row.name}, settings = ${JSON.stringify(settings)}::jsonb, state = ${state},
        state_at = ${context.now} where company_id = ${row.company_id} and id = ${id}`.execute(context.db)
    context.emit('channel.changed', { channel_id: id, user_id: null })
    context.audit('channel.updated', { target_id: id, data: { name, is_paused, ...given } })
    return shown(context, baseUrl, await chatFor(context, id))
  },

  async renewChatSecret(context, { id, overlap_hours }) {
    const row = await chatFor(context, id)
    const secret = newSecret()
    const until = new Date(context.now.getTime() + overlap_hours * hourMs)
    await sql`update channels set secrets = ${sealSecret(vault, row, secret, oldSecret(vault, row, until))}
      where company_id = ${row.company_id} and id = ${id}`.execute(context.db)
    context.audit('channel.updated', { target_id: id, data: { identity_secret: 'changed' } })
    return { identity_secret: secret }
  },
})

const memberOperations: Handlers<Pick<typeof chats, 'getConversationChat' | 'reportTyping'>> = {
  async getConversationChat(context, { id }) {
    const conversation = await conversationFor(context, id)
    const [visitor] = await visitorsOf(context.db, actorOf(context).company_id, conversation.id)
    if (!visitor) return { visitor: null }
    const { name, email, is_verified, page, seen_at, typing_until } = visitor
    const is_typing = (typing_until ?? context.now) > context.now
    return { visitor: { name, email, is_verified, page, is_typing, seen_at: seen_at?.toISOString() ?? null } }
  },

  async reportTyping(context, { id }) {
    const { company_id } = actorOf(context)
    const conversation = await conversationFor(context, id)
    for (const visitor of await visitorsOf(context.db, company_id, conversation.id))
      await sql`update chat_visitors set member_typing_until = ${new Date(context.now.getTime() + typingMs)},
          version = version + 1 where company_id = ${company_id} and id = ${visitor.id}`.execute(context.db)
    return {}
  },
}

type OfVisitors = Omit<typeof chats, keyof Manage | 'getConversationChat' | 'reportTyping'>

function visitorOperations(services: Services): Handlers<OfVisitors> {
  const { baseUrl, vault, formRates: rates, log, chatWaiting = createChatWaiting(log) } = services

  async function begin(context: Context, chat_id: string, token: string) {
    const chat = await publicChat(context, chat_id, baseUrl)
    const known = readFormToken(vault, token, chat.id)
    if (!known) throw new AppError('not_found', 'This chat has ended. Open it again.')
    return { chat, token: known }
  }

  return {
    async getChatScript() {
      const type = 'text/javascript; charset=utf-8'
      return {
        name: 'kith-chat.js',
        type,
        content: script,
        size: script.length,
        isShown: true,
        cacheSeconds: scriptSeconds,
      }
    },

    async openChat(context, input) {
      const chat = await publicChat(context, input.chat_id, baseUrl)
      const token = await identified(context, vault, chat, input)
      const visitor = await findVisitor(context.db, chat.company_id, token.id)
      const { greeting, consent, accent, language } = chat.settings
      return {
        visitor: token.text,
        name: chat.name,
        greeting,
        consent,
        accent,
        language,
        honeypot: honeypotOf(chat.id),
        texts: textsIn(language),
        state: await stateFor(context.db, chat, visitor, context.now),
      }
    },

    async postChatMessage(context, { chat_id, visitor: text, work, extra, ...posted }) {
      const { chat, token } = await begin(context, chat_id, text)
      const wait = rates.wait(chat.id, context.ip)
      if (wait) throw new AppError('too_many_requests', `Too many messages. Retry in ${wait} s.`, { retryAfter: wait })
      const before = await findVisitor(context.db, chat.company_id, token.id)
      const isKnown = before?.is_verified || (before?.conversation_id ?? null) !== null
      const isSuspicious = Boolean(extra) || (rates.isFrequent(chat.id, context.ip) && !isKnown)
      if (isSuspicious && !(work && (await isSolved(token, work, context.now))))
        return { state: 'challenge', challenge: await challengeFor(token, context.now), chat: null }
      const open = await isOpen(context.db, chat, context.now)
      if ((chat.settings.asks_email || !open) && !before?.email && !posted.email) throw emailNeeded(chat)
      await post(context, chat, token.id, defined(posted), open, log)
      const visitor = await findVisitor(context.db, chat.company_id, token.id)
      return { state: 'accepted', challenge: null, chat: await stateFor(context.db, chat, visitor, context.now) }
    },

    async pollChat(context, { chat_id, visitor: text, cursor }) {
      const { chat, token } = await begin(context, chat_id, text)
      const { company_id } = chat
      const now = await stateFor(context.db, chat, await findVisitor(context.db, company_id, token.id), context.now)
      if (now.cursor !== cursor) return now
      const about = { company_id, network: network(context.ip), visitor_id: token.id, cursor }
      const asked = Date.now()
      const hasWaited = await chatWaiting.wait(context.db, about, pollSeconds * 1000, context.onDisconnect)
      const visitor = await findVisitor(context.db, company_id, token.id)
      const later = new Date(context.now.getTime() + Date.now() - asked)
      return stateFor(context.db, chat, visitor, later, hasWaited ? 0 : busySeconds)
    },

    async reportVisitorTyping(context, { chat_id, visitor: text }) {
      const { chat, token } = await begin(context, chat_id, text)
      const visitor = await findVisitor(context.db, chat.company_id, token.id)
      if (!visitor?.conversation_id) return {}
      await sql`update chat_visitors set typing_until = ${new Date(context.now.getTime() + typingMs)}
        where company_id = ${chat.company_id} and id = ${token.id}`.execute(context.db)
      await announceToTeam(context, chat, visitor.conversation_id)
      return {}
    },

    async markChatRead(context, { chat_id, visitor: text }) {
      const { chat, token } = await begin(context, chat_id, text)
      const visitor = await findVisitor(context.db, chat.company_id, token.id)
      if (!visitor?.conversation_id) return {}
      await sql`update chat_visitors set seen_at = ${context.now} where company_id = ${chat.company_id} and id = ${token.id}`.execute(
        context.db,
      )
      const { company_id, id: channel_id } = chat
      const { conversation_id } = visitor
      await seenByVisitor(context, { company_id, conversation_id, channel_id, audience: company_id })
      return {}
    },
  }
}

const announceToTeam = (context: Context, { company_id }: ChatRow, id: string) =>
  announceChanged(context, company_id, [{ id, audience: company_id }])

function emailNeeded({ settings }: ChatRow) {
  const message = textsIn(settings.language).invalid_email
  return new AppError('invalid_input', message, { errors: [{ path: 'email', message }] })
}

type Identity = { visitor?: string | undefined; user_id?: string | undefined; email?: string | undefined }
type Claimed = Identity & { name?: string | undefined; signature?: string | undefined }

/** Who is proved to be someone gets the conversation they had before, on any device. */
async function identified(context: Context, vault: Vault, chat: ChatRow, claimed: Claimed): Promise<FormToken> {
  const { visitor, user_id, email, name, signature } = claimed
  const known = visitor ? readFormToken(vault, visitor, chat.id) : undefined
  if (!signature || !(user_id || email)) return known ?? newFormToken(vault, chat.id, context.now)
  if (user_id && /\p{Cc}/u.test(user_id)) {
    const message = 'data-user-id must not contain line breaks or other control characters.'
    throw new AppError('invalid_input', message, { errors: [{ path: 'user_id', message }] })
  }
  if (!isSigned(vault, chat, { user_id, email }, signature, context.now))
    throw new AppError(
      'invalid_input',
      'data-signature does not match data-user-id and data-email, signed with the identity secret of this chat.',
      { errors: [{ path: 'signature', message: 'Does not match the user ID and the email address' }] },
    )
  if (email && !isEmail.safeParse(email).success) {
    const message = 'data-email is not an email address.'
    throw new AppError('invalid_input', message, { errors: [{ path: 'email', message }] })
  }
  const external = user_id ? `id:${user_id}` : `email:${email}`
  const id = (await visitorByExternal(context.db, chat, external)) ?? randomUUIDv7()
  await saveVisitor(
    context.db,
    chat,
    id,
    { email: email ?? null, name: name ?? null, is_verified: true, external },
    context.now,
  )
  return known?.id === id ? known : newFormToken(vault, chat.id, context.now, { id })
}
