import { randomBytes, randomUUIDv7, timingSafeEqual } from 'node:crypto'
import { gatewayKinds } from '../../contract/gateway-kinds.ts'
import { own } from '../../contract/shared/own.ts'
import type { Files } from '../files/queries.ts'
import type { ChannelKinds, Outgoing } from '../inbox/channels/channel.ts'
import { AppError, refused } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { type Handlers, prepared } from '../kernel/run.ts'
import type { Log } from '../platform/log.ts'
import type { Offload } from '../platform/offload.ts'
import { type Outbound, OutboundError } from '../platform/public-fetch.ts'
import type { Vault } from '../platform/vault.ts'
import { findChannel, ownChannel, shown } from './email/channel.ts'
import { addChannel, tried } from './gateway/add-provider.ts'
import { call, type ProviderAddresses, textAt } from './gateway/call-provider.ts'
import { channelAt, type GatewayChannel, whatsAppChannels } from './gateway/channel.ts'
import { noting } from './gateway/contact.ts'
import type { Item } from './gateway/items.ts'
import { readPostedObject } from './gateway/json.ts'
import { addressOf } from './gateway/public-id.ts'
import { createTaking } from './gateway/take.ts'
import { ask, type TelegramSecrets, type TelegramSettings, verify as verifyTelegram } from './telegram/bot.ts'
import { itemsOf as telegramItems, type Update } from './telegram/read.ts'
import { botOf } from './telegram/send.ts'
import { accountOf, authorization, itemsOf as twilioItems, verify as verifyTwilio } from './twilio/messages.ts'
import {
  isSignedBy,
  numbersIn,
  verify as verifyWhatsApp,
  type WhatsAppSettings,
  itemsOf as whatsappItems,
} from './whatsapp/read.ts'
import { numberOf } from './whatsapp/send.ts'

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

const nothing = Buffer.alloc(0)

export function gatewayKindOperations(services: Services): Handlers<typeof gatewayKinds> {
  const { vault, baseUrl, outbound, offload, providers: addresses, channelKinds } = services
  const { fetch } = outbound
  const parts = { vault, fetch, addresses }
  const take = createTaking(services)
  const takeItems = (context: Context, channel: GatewayChannel, read: () => Promise<Item[]>) =>
    fetched(read).then((items) =>
      items.length
        ? take({ db: context.db, channel, post: { id: null, digest: nothing, items }, now: context.now })
        : undefined,
    )
  return {
    connectTelegramBot: prepared(
      gatewayKinds.connectTelegramBot,
      async (context, { token }) => {
        const bot = { fetch, base: addresses.telegram, token }
        const id = randomUUIDv7()
        const webhook_secret = randomBytes(32).toString('base64url')
        const me = await tried('token', () => ask(bot, 'getMe'))
        if (me.status !== 200) throw refused('token', 'Telegram does not know this token. Copy it from BotFather again')
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
        return shown(context, await findChannel(context, await addChannel(context, vault, values)))
      },
    ),

    connectTwilioNumber: prepared(
      gatewayKinds.connectTwilioNumber,
      async (_context, { account_sid, auth_token }) => {
        const headers = authorization({ account_sid, auth_token })
        const url = `${addresses.twilio}/2010-04-01/Accounts/${account_sid}.json`
        const { status } = await tried('account_sid', () => call(fetch, url, { headers }))
        if (status !== 200) throw refused('auth_token', 'Twilio does not accept this account SID and auth token')
      },
      async (context, { name, unknown_senders, account_sid, auth_token, number }) => {
        const values = { kind: 'sms' as const, name: name ?? number, address: number, unknown_senders }
        const id = await addChannel(context, vault, { ...values, settings: { account_sid }, secrets: { auth_token } })
        return shown(context, await findChannel(context, id))
      },
    ),

    connectWhatsAppNumber: prepared(
      gatewayKinds.connectWhatsAppNumber,
      async (_context, { phone_number_id, access_token }) => {
        const headers = { authorization: `Bearer ${access_token}` }
        const url = `${addresses.whatsapp}/${phone_number_id}?fields=display_phone_number,verified_name`
        const { status, json } = await tried('access_token', () => call(fetch, url, { headers }))
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
        return shown(
          context,
          await findChannel(context, await addChannel(context, vault, { ...values, settings, secrets })),
        )
      },
    ),

    sendTestMessage: prepared(
      gatewayKinds.sendTestMessage,
      async (context, { id, to }) => {
        const row = await ownChannel(context, id)
        const kind = own(channelKinds, row.kind)
        if (!kind || row.kind === 'email' || row.kind === 'api' || row.kind === 'chat' || row.disconnected_at)
          throw new AppError('conflict', 'Test messages are for channels of Telegram, Twilio and WhatsApp.')
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

    async listProviderTemplates(context, { id }) {
      const row = await findChannel(context, id)
      const number = row.kind === 'whatsapp' ? numberOf(parts, row) : undefined
      if (!number) throw new AppError('conflict', 'Only WhatsApp channels have templates of their provider.')
      const url = `${number.base}/${number.business_account_id}/message_templates?limit=200&fields=name,language,status,components`
      const { status, json } = await fetched(() =>
        call(fetch, url, { headers: { authorization: `Bearer ${number.access_token}` } }),
      )
      if (status !== 200)
        throw new AppError('unavailable', `WhatsApp: ${textAt(json, 'error', 'message') ?? `answered ${status}`}`, {
          retryAfter: 10,
        })
      return { items: ((json.data as unknown[] | undefined) ?? []).map(templateOf) }
    },

    takeTelegramUpdate: {
      before: (context, { id }) =>
        postedTo(context, 'telegram', id, async (channel) => {
          const bot = botOf(parts, channel)
          const { headers, body } = context.signed!
          verifyTelegram(bot?.webhook_secret, headers)
          const update = (await readPostedObject(offload, channel.company_id, body)) as Update
          await takeItems(context, channel, () => telegramItems(bot!, update))
        }),
      atOnce: true,
      handle: async () => ({}),
    },

    takeTwilioMessage: {
      before: (context, { id, message_id = null }) =>
        postedTo(context, 'sms', id, async (channel) => {
          const account = accountOf(parts, channel)
          const { query } = context.signed!
          const address = `${addressOf(baseUrl, channel.company_id, channel.id, 'twilio')}${query && `?${query}`}`
          if (!account) throw unsigned('The token of this channel was lost. Connect the number again.')
          const fields = verifyTwilio(account.auth_token, address, context.signed!)
          await takeItems(context, channel, () => twilioItems(account, fields, message_id, context.now))
        }),
      atOnce: true,
      handle: async () => ({
        name: 'answer.xml',
        type: 'text/xml',
        content: Buffer.from('<Response/>'),
        isShown: true,
      }),
    },

    takeWhatsAppMessage: {
      before: (context, { id }) =>
        postedTo(context, 'whatsapp', id, async (channel) => {
          const number = numberOf(parts, channel)
          if (!number) throw unsigned('The secret of this channel was lost. Connect the number again.')
          verifyWhatsApp(number.app_secret, context.signed!)
          const body = await readPostedObject(offload, channel.company_id, context.signed!.body)
          await takeItems(context, channel, () => whatsappItems(number, body))
          const others = numbersIn(body).filter((id) => id !== number.phone_number_id)
          for (const other of await whatsAppChannels(context.db, channel.company_id, others)) {
            const theirs = numberOf(parts, other)
            if (theirs && isSignedBy(theirs.app_secret, context.signed!))
              await takeItems(context, other, () => whatsappItems(theirs, body))
            else
              services.log.warn({ channel_id: other.id }, 'a post about this number has the signature of another app')
          }
        }),
      atOnce: true,
      handle: async () => ({}),
    },

    async proveWhatsAppAddress(context, { id, hub_mode, hub_verify_token = '', hub_challenge = '' }) {
      const channel = await channelAt(context, 'whatsapp', id)
      const { verify_token } = channel.settings as WhatsAppSettings
      if (hub_mode !== 'subscribe' || !isSame(hub_verify_token, verify_token))
        throw new AppError('forbidden', 'The verify token is wrong. Copy it from the page of the channel.')
      return { name: 'challenge.txt', type: 'text/plain', content: Buffer.from(hub_challenge), isShown: true }
    },
  }
}

async function postedTo(
  context: Context,
  kind: string,
  id: string,
  work: (channel: GatewayChannel) => Promise<unknown>,
) {
  const channel = await channelAt(context, kind, id)
  await noting(context, channel, () => work(channel))
  return {}
}

const unsigned = (message: string) => new AppError('invalid_signature', message)

/** Telegram posts only to https on a few ports, and never to this machine. */
const isReachable = ({ protocol, hostname, port }: URL) =>
  protocol === 'https:' && hostname.includes('.') && ['', '443', '8443', '88', '80'].includes(port)

const isSame = (given: string, wanted: string) => {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Providers post again what was not taken. */
async function fetched<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw new AppError('unavailable', error.message, { retryAfter: 10 })
  }
}

function templateOf(value: unknown) {
  const components = (value as { components?: { type?: string; text?: string }[] }).components ?? []
  const text = components.find(({ type }) => type === 'BODY')?.text ?? ''
  const numbers = [...text.matchAll(/\{\{\s*(\d+)\s*\}\}/g)].map(([, number]) => Number(number))
  return {
    name: textAt(value, 'name') ?? '',
    language: textAt(value, 'language') ?? '',
    state: textAt(value, 'status') ?? '',
    text,
    variables: Math.max(0, ...numbers),
  }
}
