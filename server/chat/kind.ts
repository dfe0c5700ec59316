// How the inbox sends by chat: the widget asks for news, so there is nothing to carry.
import { mostChatText } from '../../contract/chat.ts'
import type { ChannelKind } from '../inbox/channel.ts'

const keyOf = (messageId: string) => ({ key: `chat ${messageId}`, providerId: messageId })

export const chatKind: ChannelKind = {
  can: { html: false, subject: false, cc: false, mostText: mostChatText, mostFilesMb: 0 },
  isInstant: true,
  keyOf: (_channel, { messageId }) => keyOf(messageId),
  send: async (_channel, { messageId }) => ({ state: 'sent', ...keyOf(messageId) }),
}
