// How the inbox sends by chat: the widget asks for news, so there is nothing to carry.
import { channelAbilities } from '../../../contract/built-in/channel-kinds.ts'
import type { ChannelKind } from '../../inbox/channels/channel.ts'

const keyOf = (messageId: string) => ({ key: `chat ${messageId}`, providerId: messageId })

export const chatKind: ChannelKind = {
  can: channelAbilities.chat,
  keyOf: (_channel, { messageId }) => keyOf(messageId),
  send: async (_channel, { messageId }) => ({ state: 'sent', ...keyOf(messageId) }),
}
