import { gatewayKinds } from '../../../contract/gateway-kinds.ts'
import { describeChannel } from '../../inbox/channels/describe.ts'
import { findChannel } from '../../inbox/channels/find.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import { type Handlers, prepared } from '../../kernel/run.ts'
import { call } from '../gateway/call-provider.ts'
import { addChannel, tried } from '../gateway/connect.ts'
import { addressOf } from '../gateway/public-id.ts'
import { type ProviderServices, receivePost } from '../gateway/receive-post.ts'
import { accountOf, authorization } from './account.ts'
import { itemsOf } from './read.ts'
import { verify } from './signature.ts'

export function twilioOperations({
  vault,
  baseUrl,
  provider,
  storeItems,
}: ProviderServices): Handlers<Pick<typeof gatewayKinds, 'connectTwilioNumber' | 'takeTwilioMessage'>> {
  return {
    connectTwilioNumber: prepared(
      gatewayKinds.connectTwilioNumber,
      async (_context, { account_sid, auth_token }) => {
        const headers = authorization({ account_sid, auth_token })
        const url = `${provider.addresses.twilio}/2010-04-01/Accounts/${account_sid}.json`
        const { status } = await tried('account_sid', () => call(provider.fetch, url, { headers }))
        if (status !== 200) throw refused('auth_token', 'Twilio does not accept this account SID and auth token')
      },
      async (context, { name, unknown_senders, account_sid, auth_token, number }) => {
        const values = { kind: 'sms' as const, name: name ?? number, address: number, unknown_senders }
        const id = await addChannel(context, vault, { ...values, settings: { account_sid }, secrets: { auth_token } })
        return describeChannel(context, await findChannel(context, id))
      },
    ),

    takeTwilioMessage: {
      before: (context, { id, message_id = null }) =>
        receivePost(context, 'sms', id, async (channel) => {
          const account = accountOf(provider, channel)
          const { query } = context.signed!
          const address = `${addressOf(baseUrl, channel.company_id, channel.id, 'twilio')}${query && `?${query}`}`
          if (!account)
            throw new AppError('invalid_signature', 'The token of this channel was lost. Connect the number again.')
          const fields = verify(account.auth_token, address, context.signed!)
          await storeItems(context, channel, () => itemsOf(account, fields, message_id, context.now))
        }),
      atOnce: true,
      handle: async () => ({
        name: 'answer.xml',
        type: 'text/xml',
        content: Buffer.from('<Response/>'),
        isShown: true,
      }),
    },
  }
}
