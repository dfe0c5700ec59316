// A Telegram bot as a channel. https://core.telegram.org/bots/api
import type { ChannelRow } from '../../inbox/channels/channel.ts'
import type { Outgoing, PublicFetch } from '../../platform/public-fetch.ts'
import { type Called, call, jsonBody, type ProviderAccess } from '../gateway/call-provider.ts'
import { openChannel } from '../gateway/find-channel.ts'

/** `channels.settings`. `offset`: for getUpdates, if the bot has no webhook. */
export type TelegramSettings = { bot_id: number; username: string; is_followed: boolean; offset?: number }
export type TelegramSecrets = { token: string; webhook_secret: string }

export type Bot = { fetch: PublicFetch; base: string; token: string }

export function botOf(
  { vault, fetch, addresses }: Pick<ProviderAccess, 'vault' | 'fetch' | 'addresses'>,
  channel: Pick<ChannelRow, 'company_id' | 'id' | 'secrets'>,
): (Bot & { webhook_secret: string }) | undefined {
  const secrets = openChannel<TelegramSecrets>(vault, channel)
  return secrets && { fetch, base: addresses.telegram, ...secrets }
}

type Patience = Pick<Outgoing, 'timeoutMs' | 'signal'>

export const ask = (bot: Bot, method: string, input: object = {}, patience: Patience = {}): Promise<Called> =>
  call(bot.fetch, `${bot.base}/bot${bot.token}/${method}`, { ...jsonBody(input), ...patience })

export const settingsOf = ({ settings }: Pick<ChannelRow, 'settings'>) => settings as TelegramSettings

/** Message numbers count within a chat. */
export const idOf = (chat_id: number | string, message_id: number | string) => `${chat_id}:${message_id}`
