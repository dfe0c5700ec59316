import { channelAbilities } from '../../../contract/channels.ts'
import type { ChannelKind } from '../../inbox/channels/channel.ts'
import { keyOf } from '../gateway/items.ts'
import { type ApiParts, send } from './send.ts'

export const apiKind = (parts: ApiParts): ChannelKind => ({
  can: channelAbilities.api,
  canRepeat: true,
  keyOf: (channel, { messageId }) => ({ key: keyOf(channel, messageId), providerId: messageId }),
  send: (channel, message) => send(parts, channel, message),
})
