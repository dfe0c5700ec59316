import * as z from 'zod'
import { channelAbilities } from './built-in/channel-kinds.ts'
import { Challenge } from './lead-forms.ts'
import { origin } from './lead-sources.ts'
import { fileAnswer, operation } from './operation.ts'
import { email, id, language, moment, nameOf, nothing } from './shared/shapes.ts'

/** Characters of one message of a visitor. */
export const mostChatText = channelAbilities.chat.mostText
/** How long a poll waits for updates. */
export const pollSeconds = 25
export const mostChatMessages = 100

const text = (most: number) => z.string().trim().max(most)

const settings = {
  name: nameOf('Enter a name'),
  allowed_origins: z.array(origin).max(50).describe('Sites that may show the chat, e.g. https://www.example.com'),
  greeting: text(500).describe('Shown before the first message'),
  accent: z.string().regex(/^#[0-9a-f]{6}$/i, 'Use a color such as #2563eb'),
  language: language.describe('Language of the texts in the chat'),
  asks_email: z.boolean().describe('Visitors must enter their email address before the first message'),
  consent: text(1000).describe('Shown above the first message, e.g. a privacy notice; empty: none'),
}
const optional = Object.fromEntries(
  Object.entries(settings).map(([name, schema]) => [name, schema.optional()]),
) as unknown as { [Name in keyof typeof settings]: z.ZodOptional<(typeof settings)[Name]> }

export const Chat = z
  .strictObject({
    id: id.describe('Channel ID'),
    chat_id: z.string().describe('Public ID, used on websites. It only allows adding messages'),
    ...settings,
    allowed_origins: z.array(z.string()),
    is_paused: z.boolean().describe('Visitors can only leave a message, which becomes a lead'),
    is_open: z.boolean().describe('Whether the team is online: a member has used Kith in the last few minutes'),
    snippet: z.string().describe('Embed code'),
    has_secret: z.boolean().describe('Whether a site can verify the identity of its users'),
  })
  .meta({ id: 'Chat' })

const secretOnce = z.string().describe('Signs the identity of users. It is not shown again')

const channel = { id: id.describe('Channel ID') }
const conversation = { id: id.describe('Conversation ID') }
const chat = { chat_id: z.string().max(100).describe('Public ID of the chat') }
const visitor = z.string().min(1).max(500).describe('Visitor token from openChat')

export const ChatMessage = z
  .strictObject({
    id,
    client_id: z.string().nullable().describe('For messages from the visitor: the client_id they were sent with'),
    from: z.enum(['visitor', 'team']),
    name: z.string().nullable(),
    text: z.string(),
    at: moment,
  })
  .meta({ id: 'ChatMessage' })

export const ChatState = z
  .strictObject({
    cursor: z.string().describe('Pass it to the next poll'),
    messages: z.array(ChatMessage).describe(`The newest ${mostChatMessages}, oldest first`),
    is_typing: z.boolean().describe('A team member is typing'),
    is_open: z.boolean().describe('false: visitors leave a message with their email address'),
    needs_email: z.boolean().describe('The next message requires an email address'),
    seen_at: moment.nullable().describe('When the visitor last saw the chat'),
    wait: z.int().describe('Seconds to wait before polling again'),
  })
  .meta({ id: 'ChatState' })

export const OpenedChat = z
  .strictObject({
    visitor: z.string().describe('Visitor token. Store it in the browser'),
    name: z.string(),
    greeting: z.string(),
    consent: z.string(),
    accent: z.string(),
    language: z.string(),
    honeypot: z.string().describe('Name of a hidden field that people leave empty'),
    texts: z.record(z.string(), z.string()),
    state: ChatState,
  })
  .meta({ id: 'OpenedChat' })

/** Channels of the kind chat: a widget on websites. */
const byVisitor = { mount: 'public', access: 'public', effect: 'change', cors: 'listed', body: 'form' } as const

export const chats = {
  createChat: operation({
    summary: 'Create a chat for websites',
    http: 'POST /channels/chats',
    access: 'channels.manage',
    webOnly: true,
    effect: 'add',
    secret: true,
    input: z.strictObject({
      name: settings.name,
      allowed_origins: settings.allowed_origins.default([]),
      greeting: settings.greeting.default(''),
      accent: settings.accent.default('#2563eb'),
      language: settings.language.optional().describe("Default: the company's"),
      asks_email: settings.asks_email.default(false),
      consent: settings.consent.default(''),
    }),
    output: z.strictObject({ chat: Chat, identity_secret: secretOnce }).meta({ id: 'CreatedChat' }),
  }),
  getChat: operation({
    summary: 'Get a chat with its embed code',
    http: 'GET /channels/:id/chat',
    access: 'channels.manage',
    effect: 'read',
    input: z.strictObject(channel),
    output: Chat,
  }),
  updateChat: operation({
    summary: 'Update a chat',
    http: 'PATCH /channels/:id/chat',
    access: 'channels.manage',
    webOnly: true,
    effect: 'change',
    input: z.strictObject({ ...channel, ...optional, is_paused: z.boolean().optional() }),
    output: Chat,
  }),
  renewChatSecret: operation({
    summary: 'Rotate the identity secret of a chat; the new one is shown once',
    http: 'POST /channels/:id/chat/secret',
    replaces: [{ name: 'rotateChatSecret' }],
    access: 'channels.manage',
    webOnly: true,
    effect: 'change',
    secret: true,
    input: z.strictObject({
      ...channel,
      overlap_hours: z
        .int()
        .min(0)
        .max(168)
        .default(24)
        .describe('Hours during which signatures with the old secret are accepted. 0: it stops working immediately'),
    }),
    output: z.strictObject({ identity_secret: secretOnce }),
  }),
  getConversationChat: operation({
    summary: 'Get a chat visitor, with typing and read status',
    http: 'GET /conversations/:id/chat',
    access: 'member',
    effect: 'read',
    input: z.strictObject(conversation),
    output: z
      .strictObject({
        visitor: z
          .strictObject({
            name: z.string().nullable(),
            email: z.string().nullable(),
            is_verified: z
              .boolean()
              .describe('true: the site verified the identity. false: the visitor typed the address'),
            page: z.string().nullable().describe('URL of the page they wrote from'),
            is_typing: z.boolean(),
            seen_at: moment.nullable(),
          })
          .nullable()
          .describe('null: this conversation is not a chat'),
      })
      .meta({ id: 'ConversationChat' }),
  }),
  reportTyping: operation({
    summary: 'Show a chat visitor that you are typing',
    http: 'POST /conversations/:id/typing',
    replaces: [{ name: 'typeInChat' }],
    access: 'member',
    webOnly: true,
    effect: 'change',
    input: z.strictObject(conversation),
    output: nothing,
  }),

  getChatScript: operation({
    summary: 'Get the script that shows a chat on a website',
    http: 'GET /chat/script',
    mount: 'public',
    access: 'public',
    effect: 'read',
    cors: 'any',
    file: 'text/javascript',
    input: nothing,
    output: fileAnswer,
  }),
  openChat: operation({
    summary: 'Open a chat on a website',
    http: 'POST /chats/:chat_id/opening',
    replaces: [{ http: 'POST /chats/:chat_id/open' }],
    ...byVisitor,
    input: z.strictObject({
      ...chat,
      visitor: visitor.optional(),
      user_id: text(200).optional().describe('ID of the user on the site'),
      // Checked by the handler, because a page can read only what a handler answers.
      email: text(254).toLowerCase().optional(),
      name: text(200).optional(),
      signature: text(500)
        .optional()
        .describe(
          'HMAC-SHA256 in hex, with the identity secret, of the lines `id:` + user_id and `email:` + email, each ending with a line break',
        ),
    }),
    output: OpenedChat,
  }),
  postChatMessage: operation({
    summary: 'Send a message as a visitor',
    http: 'POST /chats/:chat_id/messages',
    ...byVisitor,
    input: z.strictObject({
      ...chat,
      visitor,
      client_id: z
        .string()
        .regex(/^[A-Za-z0-9-]{8,64}$/)
        .describe('Chosen by the browser. Sending it again does not create a second message'),
      text: z.string().trim().min(1).max(mostChatText),
      email: email.optional(),
      name: text(200).optional(),
      page: z.string().max(2000).optional(),
      extra: z.string().max(500).optional().describe('Honeypot: people leave it empty'),
      work: z.string().max(2000).optional().describe('Solution of the challenge'),
    }),
    output: z
      .strictObject({
        state: z
          .enum(['accepted', 'challenge'])
          .describe('challenge: solve it and send the message again with the solution in work'),
        challenge: Challenge.nullable(),
        chat: ChatState.nullable(),
      })
      .meta({ id: 'ChatAnswer' }),
  }),
  pollChat: operation({
    summary: `Wait up to ${pollSeconds} seconds for updates to a chat`,
    http: 'POST /chats/:chat_id/poll',
    ...byVisitor,
    effect: 'read',
    waits: true,
    input: z.strictObject({ ...chat, visitor, cursor: z.string().max(200).default('') }),
    output: ChatState,
  }),
  reportVisitorTyping: operation({
    summary: 'Show the team that the visitor is typing',
    http: 'POST /chats/:chat_id/typing',
    replaces: [{ name: 'typingInChat' }],
    ...byVisitor,
    input: z.strictObject({ ...chat, visitor }),
    output: nothing,
  }),
  markChatRead: operation({
    summary: 'Mark a chat as read by the visitor',
    http: 'POST /chats/:chat_id/reading',
    replaces: [{ name: 'seenInChat', http: 'POST /chats/:chat_id/seen' }],
    ...byVisitor,
    input: z.strictObject({ ...chat, visitor }),
    output: nothing,
  }),
}
