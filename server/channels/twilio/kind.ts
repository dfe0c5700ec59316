import { channelAbilities } from '../../../contract/channels.ts'
import type { ChannelKind } from '../../inbox/channels/channel.ts'
import type { ProviderAccess } from '../gateway/call-provider.ts'
import { keyOf } from '../gateway/items.ts'
import { send } from './send.ts'

export const twilioKind = (parts: ProviderAccess): ChannelKind => ({
  can: channelAbilities.sms,
  keyOf: (channel, { messageId }) => ({ key: keyOf(channel, messageId), providerId: messageId }),
  send: (channel, message) => send(parts, channel, message),
})
