import { randomUUIDv7 } from 'node:crypto'
import { gatewayKinds } from '../../contract/gateway-kinds.ts'
import { own } from '../../contract/shared/own.ts'
import type { Files } from '../files/queries.ts'
import type { ChannelKinds, Outgoing } from '../inbox/channels/channel.ts'
import { ownChannel } from '../inbox/channels/find.ts'
import { AppError } from '../kernel/app-error.ts'
import { type Handlers, prepared } from '../kernel/run.ts'
import type { Log } from '../platform/log.ts'
import type { Offload } from '../platform/offload.ts'
import type { Outbound } from '../platform/public-fetch.ts'
import type { Vault } from '../platform/vault.ts'
import type { ProviderAddresses } from './gateway/call-provider.ts'
import { createItemStore } from './gateway/receive-post.ts'
import { telegramOperations } from './telegram/operations.ts'
import { twilioOperations } from './twilio/operations.ts'
import { whatsappOperations } from './whatsapp/operations.ts'

type Services = {
  vault: Vault
  outbound: Outbound
  baseUrl: URL
  files: Files
  offload: Offload
  channelKinds: ChannelKinds
  providers: ProviderAddresses
  log: Log
}

export function gatewayKindOperations(services: Services): Handlers<typeof gatewayKinds> {
  const { vault, outbound, providers, channelKinds } = services
  const shared = {
    ...services,
    provider: { vault, fetch: outbound.fetch, addresses: providers },
    storeItems: createItemStore(services),
  }
  return {
    ...telegramOperations(shared),
    ...twilioOperations(shared),
    ...whatsappOperations(shared),

    sendTestMessage: prepared(
      gatewayKinds.sendTestMessage,
      async (context, { id, to }) => {
        const row = await ownChannel(context, id)
        const kind = own(channelKinds, row.kind)
        if (!kind || row.kind === 'email' || row.kind === 'api' || row.kind === 'chat' || row.disconnected_at)
          throw new AppError('conflict', 'Test messages are only available for Telegram, Twilio and WhatsApp channels.')
        const message: Outgoing = {
          company_id: row.company_id,
          messageId: randomUUIDv7(),
          conversationId: randomUUIDv7(),
          thread: null,
          resends: 0,
          at: context.now,
          replyTo: null,
          template: null,
          isAutomatic: false,
          subject: '',
          html: null,
          files: [],
          references: [],
          text: 'This is a test message from Kith.',
          unsubscribe: null,
          from: { address: row.address, name: row.name },
          recipients: [{ kind: 'to', address: to, name: null }],
        }
        const result = await kind.send(row, message)
        const is_success = result.state === 'sent'
        return {
          is_success,
          provider_id: 'providerId' in result && is_success ? result.providerId : null,
          reason: result.reason ?? null,
        }
      },
      async (_context, _input, result) => result,
    ),
  }
}
