import { randomBytes, timingSafeEqual } from 'node:crypto'
import { gatewayKinds } from '../../../contract/gateway-kinds.ts'
import { describeChannel } from '../../inbox/channels/describe.ts'
import { findChannel } from '../../inbox/channels/find.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import { type Handlers, prepared } from '../../kernel/run.ts'
import { call, textAt } from '../gateway/call-provider.ts'
import { addChannel, tried } from '../gateway/connect.ts'
import { channelAt } from '../gateway/find-channel.ts'
import { readPostedObject } from '../gateway/read-json.ts'
import { type ProviderServices, receivePost } from '../gateway/receive-post.ts'
import { channelsOfNumbers, numberOf, type WhatsAppSettings } from './number.ts'
import { itemsOf, numbersIn } from './read.ts'
import { isSignedBy, verify } from './signature.ts'
import { readTemplates } from './templates.ts'

type Operations = 'connectWhatsAppNumber' | 'listProviderTemplates' | 'takeWhatsAppMessage' | 'proveWhatsAppAddress'

export function whatsappOperations({
  vault,
  offload,
  provider,
  storeItems,
  log,
}: ProviderServices): Handlers<Pick<typeof gatewayKinds, Operations>> {
  return {
    connectWhatsAppNumber: prepared(
      gatewayKinds.connectWhatsAppNumber,
      async (_context, { phone_number_id, access_token }) => {
        const headers = { authorization: `Bearer ${access_token}` }
        const url = `${provider.addresses.whatsapp}/${phone_number_id}?fields=display_phone_number,verified_name`
        const { status, json } = await tried('access_token', () => call(provider.fetch, url, { headers }))
        const number = textAt(json, 'display_phone_number')
        if (status !== 200 || !number)
          throw refused(
            'access_token',
            `WhatsApp: ${textAt(json, 'error', 'message') ?? 'it does not accept this token and number'}`,
          )
        return { number: `+${number.replace(/\D/g, '')}`, verified: textAt(json, 'verified_name') }
      },
      async (context, { name, unknown_senders, access_token, app_secret, ...ids }, { number, verified }) => {
        const settings: WhatsAppSettings = { ...ids, verify_token: randomBytes(24).toString('base64url') }
        const values = { kind: 'whatsapp' as const, name: name ?? verified ?? number, address: number, unknown_senders }
        const secrets = { access_token, app_secret }
        return describeChannel(
          context,
          await findChannel(context, await addChannel(context, vault, { ...values, settings, secrets })),
        )
      },
    ),

    async listProviderTemplates(context, { id }) {
      const row = await findChannel(context, id)
      const number = row.kind === 'whatsapp' ? numberOf(provider, row) : undefined
      if (!number) throw new AppError('conflict', 'Only WhatsApp channels have provider templates.')
      return { items: await readTemplates(provider.fetch, number) }
    },

    takeWhatsAppMessage: {
      before: (context, { id }) =>
        receivePost(context, 'whatsapp', id, async (channel) => {
          const number = numberOf(provider, channel)
          if (!number)
            throw new AppError('invalid_signature', 'The secret of this channel was lost. Connect the number again.')
          verify(number.app_secret, context.signed!)
          const body = await readPostedObject(offload, channel.company_id, context.signed!.body)
          await storeItems(context, channel, () => itemsOf(number, body))
          const others = numbersIn(body).filter((id) => id !== number.phone_number_id)
          for (const other of await channelsOfNumbers(context.db, channel.company_id, others)) {
            const theirs = numberOf(provider, other)
            if (theirs && isSignedBy(theirs.app_secret, context.signed!))
              await storeItems(context, other, () => itemsOf(theirs, body))
            else log.warn({ channel_id: other.id }, 'a post about this number has the signature of another app')
          }
        }),
      atOnce: true,
      handle: async () => ({}),
    },

    async proveWhatsAppAddress(context, { id, hub_mode, hub_verify_token = '', hub_challenge = '' }) {
      const channel = await channelAt(context, 'whatsapp', id)
      const { verify_token } = channel.settings as WhatsAppSettings
      if (hub_mode !== 'subscribe' || !isSame(hub_verify_token, verify_token))
        throw new AppError('forbidden', 'The verify token is wrong. Copy it from the channel page.')
      return { name: 'challenge.txt', type: 'text/plain', content: Buffer.from(hub_challenge), isShown: true }
    },
  }
}

const isSame = (given: string, wanted: string) => {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}
