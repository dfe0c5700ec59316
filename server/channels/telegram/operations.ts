import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { gatewayKinds } from '../../../contract/gateway-kinds.ts'
import { describeChannel } from '../../inbox/channels/describe.ts'
import { findChannel } from '../../inbox/channels/find.ts'
import { refused } from '../../kernel/app-error.ts'
import { actorOf } from '../../kernel/context.ts'
import { type Handlers, prepared } from '../../kernel/run.ts'
import { textAt } from '../gateway/call-provider.ts'
import { addChannel, tried } from '../gateway/connect.ts'
import { addressOf } from '../gateway/public-id.ts'
import { readPostedObject } from '../gateway/read-json.ts'
import { type ProviderServices, receivePost } from '../gateway/receive-post.ts'
import { ask, botOf, type TelegramSecrets, type TelegramSettings } from './bot.ts'
import { itemsOf, type Update } from './read.ts'
import { verify } from './signature.ts'

export function telegramOperations({
  vault,
  baseUrl,
  offload,
  provider,
  storeItems,
}: ProviderServices): Handlers<Pick<typeof gatewayKinds, 'connectTelegramBot' | 'takeTelegramUpdate'>> {
  return {
    connectTelegramBot: prepared(
      gatewayKinds.connectTelegramBot,
      async (context, { token }) => {
        const bot = { fetch: provider.fetch, base: provider.addresses.telegram, token }
        const id = randomUUIDv7()
        const webhook_secret = randomBytes(32).toString('base64url')
        const me = await tried('token', () => ask(bot, 'getMe'))
        if (me.status !== 200)
          throw refused('token', 'Telegram does not recognize this token. Copy it from BotFather again')
        const url = addressOf(baseUrl, actorOf(context).company_id, id, 'telegram')
        const is_followed = !isReachable(baseUrl)
        const set = is_followed
          ? await ask(bot, 'deleteWebhook')
          : await ask(bot, 'setWebhook', {
              url,
              secret_token: webhook_secret,
              allowed_updates: ['message', 'edited_message'],
            })
        if (set.status !== 200) throw refused('token', `Telegram: ${textAt(set.json, 'description') ?? set.status}`)
        const username = textAt(me.json, 'result', 'username') ?? 'bot'
        const settings: TelegramSettings = {
          bot_id: Number(textAt(me.json, 'result', 'id') ?? 0),
          username,
          is_followed,
        }
        return { id, settings, secrets: { token, webhook_secret } satisfies TelegramSecrets }
      },
      async (context, { name, unknown_senders }, { settings, ...made }) => {
        const address = `@${settings.username}`
        const values = { ...made, kind: 'telegram' as const, name: name ?? address, address, settings, unknown_senders }
        return describeChannel(context, await findChannel(context, await addChannel(context, vault, values)))
      },
    ),

    takeTelegramUpdate: {
      before: (context, { id }) =>
        receivePost(context, 'telegram', id, async (channel) => {
          const bot = botOf(provider, channel)
          const { headers, body } = context.signed!
          verify(bot?.webhook_secret, headers)
          const update = (await readPostedObject(offload, channel.company_id, body)) as Update
          await storeItems(context, channel, () => itemsOf(bot!, update))
        }),
      atOnce: true,
      handle: async () => ({}),
    },
  }
}

/** Telegram posts only to https on a few ports, and never to this machine. */
const isReachable = ({ protocol, hostname, port }: URL) =>
  protocol === 'https:' && hostname.includes('.') && ['', '443', '8443', '88', '80'].includes(port)
