import { channelAbilities } from '../../../contract/channels.ts'
import type { ChannelKind } from '../../inbox/channels/channel.ts'
import { keyOf } from '../gateway/items.ts'
import { type ApiServices, send } from './send.ts'

export const apiKind = (parts: ApiServices): ChannelKind => ({
  can: channelAbilities.api,
  canRepeat: true,
  keyOf: (channel, { messageId }) => ({ key: keyOf(channel, messageId), providerId: messageId }),
  send: (channel, message) => send(parts, channel, message),
})
