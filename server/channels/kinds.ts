import type { ChannelKind, ChannelKinds } from '../inbox/channels/channel.ts'
import { apiKind } from './api/kind.ts'
import type { ProviderAccess } from './gateway/call-provider.ts'
import { failureOf, noteProblem } from './gateway/health.ts'
import { telegramKind } from './telegram/kind.ts'
import { twilioKind } from './twilio/kind.ts'
import { whatsappKind } from './whatsapp/kind.ts'

/** All kinds of channels that a gateway serves. */
export const gatewayChannelKinds = (parts: ProviderAccess): ChannelKinds => ({
  api: noting(parts, apiKind(parts)),
  telegram: noting(parts, telegramKind(parts)),
  sms: noting(parts, twilioKind(parts)),
  whatsapp: noting(parts, whatsappKind(parts)),
})

/** The page of the channel says what was refused. */
const noting = ({ db, clock }: ProviderAccess, kind: ChannelKind): ChannelKind => ({
  ...kind,
  async send(channel, message) {
    const result = await kind.send(channel, message)
    if (result.state === 'failed') await noteProblem(db, channel, 'sending', failureOf(result.reason), clock())
    return result
  },
})
