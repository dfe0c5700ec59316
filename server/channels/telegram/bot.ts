// A Telegram bot as a channel. https://core.telegram.org/bots/api
import { timingSafeEqual } from 'node:crypto'
import type { ChannelRow } from '../../inbox/channels/channel.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Signed } from '../../kernel/context.ts'
import type { PublicFetch } from '../../platform/public-fetch.ts'
import { type Called, call, jsonBody } from '../gateway/call-provider.ts'

/** `channels.settings`. `offset`: for getUpdates, if the bot has no webhook. */
export type TelegramSettings = { bot_id: number; username: string; is_followed: boolean; offset?: number }
export type TelegramSecrets = { token: string; webhook_secret: string }

export type Bot = { fetch: PublicFetch; base: string; token: string }

export const ask = (bot: Bot, method: string, input: object = {}, timeoutMs?: number): Promise<Called> =>
  call(bot.fetch, `${bot.base}/bot${bot.token}/${method}`, { ...jsonBody(input), ...(timeoutMs && { timeoutMs }) })

export const settingsOf = ({ settings }: Pick<ChannelRow, 'settings'>) => settings as TelegramSettings

/** Message numbers count within a chat. */
export const idOf = (chat_id: number | string, message_id: number | string) => `${chat_id}:${message_id}`

/** Telegram sends the secret with each update. It does not sign the body. */
export function verify(secret: string | undefined, headers: Signed['headers']) {
  const [given, expected] = [headers['x-telegram-bot-api-secret-token'], secret].map((text) =>
    Buffer.from(String(text)),
  )
  if (!secret || given!.length !== expected!.length || !timingSafeEqual(given!, expected!))
    throw new AppError('invalid_signature', 'The secret token is wrong. Connect the bot again.')
}
