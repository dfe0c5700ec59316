import type { ChannelKinds } from '../../inbox/channel.ts'
import { apiKind } from '../api/send.ts'
import type { ProviderParts } from '../providers/call.ts'
import { telegramKind } from '../telegram/send.ts'
import { twilioKind } from '../twilio/messages.ts'
import { whatsappKind } from '../whatsapp/send.ts'

/** All kinds of channels that a gateway serves. */
export const gatewayChannelKinds = (parts: ProviderParts): ChannelKinds => ({
  api: apiKind(parts),
  telegram: telegramKind(parts),
  sms: twilioKind(parts),
  whatsapp: whatsappKind(parts),
})
