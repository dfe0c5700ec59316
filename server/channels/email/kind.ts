import { channelAbilities } from '../../../contract/channels.ts'
import type { ChannelKind } from '../../inbox/channels/channel.ts'
import { keyOf, type SendServices, send } from './send.ts'

export const mailboxKind = (parts: SendServices): ChannelKind => ({
  can: channelAbilities.email,
  keyOf: ({ address }, message) => {
    const key = keyOf(parts, address, message)
    return { key, providerId: key }
  },
  send: (channel, message) => send(parts, channel, message),
})
