// How the inbox sends by a Telegram bot.
import type { ChannelRow, Outgoing, SendResult } from '../../inbox/channels/channel.ts'
import { type Called, call, formBody, type ProviderAccess, resultOfError, textAt } from '../gateway/call-provider.ts'
import { noteDelivered, noteFailure } from '../gateway/health.ts'
import { keyOf } from '../gateway/items.ts'
import { ask, botOf, idOf } from './bot.ts'

export async function send(parts: ProviderAccess, channel: ChannelRow, message: Outgoing): Promise<SendResult> {
  const { db, clock } = parts
  const own = { key: keyOf(channel, message.messageId), providerId: message.messageId }
  const bot = botOf(parts, channel)
  if (!bot) return { state: 'failed', reason: 'The bot token was lost. Connect the bot again.' }
  const chat_id = message.thread ?? message.recipients[0]!.address
  const reply = message.replyTo?.split(':').at(-1)
  const where = {
    chat_id,
    ...(reply && { reply_parameters: { message_id: Number(reply), allow_sending_without_reply: true } }),
  }
  let sent: SendResult | undefined
  try {
    if (message.text.trim())
      sent = await resultOf(parts, channel, chat_id, await ask(bot, 'sendMessage', { ...where, text: message.text }))
    for (const file of message.files) {
      if (sent && sent.state !== 'sent') break
      const form = new FormData()
      form.set('chat_id', chat_id)
      form.set('document', new Blob([Buffer.from(file.content)], { type: file.type }), file.name)
      const answer = await call(bot.fetch, `${bot.base}/bot${bot.token}/sendDocument`, await formBody(form))
      const one = await resultOf(parts, channel, chat_id, answer)
      // What was sent before it must not be sent again.
      if (sent && one.state !== 'sent')
        return { state: 'unknown', reason: `A file was not sent. ${one.reason}`, ...own }
      sent ??= one
    }
  } catch (error) {
    const result = resultOfError(error, own)
    await noteFailure(db, channel, result.reason, clock())
    return sent?.state === 'sent' ? { state: 'unknown', reason: 'A file may not have been sent.', ...own } : result
  }
  return sent ?? { state: 'failed', reason: 'There is nothing to send.' }
}

async function resultOf(
  { db, clock }: ProviderAccess,
  channel: ChannelRow,
  chat_id: string,
  { status, json }: Called,
): Promise<SendResult> {
  const reason = `Telegram: ${textAt(json, 'description') ?? `responded with ${status}`}`
  if (status === 200 && json.ok === true) {
    await noteDelivered(db, channel, clock())
    const id = idOf(chat_id, textAt(json, 'result', 'message_id') ?? '')
    return { state: 'sent', key: keyOf(channel, id), providerId: id, thread: chat_id }
  }
  if (status === 429)
    return { state: 'later', afterSeconds: Number(textAt(json, 'parameters', 'retry_after') ?? 5), reason }
  if (status === 401 || status === 404 || status >= 500) {
    await noteFailure(db, channel, reason, clock(), { needsHelp: status < 500 })
    return { state: 'again', afterSeconds: 60, reason }
  }
  return { state: 'failed', reason }
}
