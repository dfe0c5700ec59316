import { channelAbilities } from '../../../contract/channels.ts'
import type { ChannelKind } from '../../inbox/channels/channel.ts'
import type { ProviderAccess } from '../gateway/call-provider.ts'
import { keyOf } from '../gateway/items.ts'
import { ask, botOf } from './bot.ts'
import { send } from './send.ts'

export const telegramKind = (parts: ProviderAccess): ChannelKind => ({
  can: channelAbilities.telegram,
  keyOf: (channel, { messageId }) => ({ key: keyOf(channel, messageId), providerId: messageId }),
  send: (channel, message) => send(parts, channel, message),
  async disconnect(channel) {
    const bot = botOf(parts, channel)
    if (bot) await ask(bot, 'deleteWebhook')
  },
})
