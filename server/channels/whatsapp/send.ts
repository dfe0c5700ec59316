// How the inbox sends by a WhatsApp number.
import { whatsAppUser } from '../../../contract/channels.ts'
import type { ChannelRow, Outgoing, SendResult } from '../../inbox/channels/channel.ts'
import {
  type Called,
  call,
  formBody,
  jsonBody,
  type ProviderAccess,
  resultOfError,
  textAt,
} from '../gateway/call-provider.ts'
import { noteDelivered, noteFailure } from '../gateway/health.ts'
import { keyOf } from '../gateway/items.ts'
import { numberOf, type WhatsAppNumber } from './number.ts'

/** Too many messages: for the number, or to one person. */
const tooMany = new Set(['4', '80007', '130429', '131048', '131056'])
const signIn = new Set(['190', '0', '10', '200'])

export async function send(parts: ProviderAccess, channel: ChannelRow, message: Outgoing): Promise<SendResult> {
  const { db, clock } = parts
  const own = { key: keyOf(channel, message.messageId), providerId: message.messageId }
  const number = numberOf(parts, channel)
  if (!number) return { state: 'failed', reason: 'The access token was lost. Connect the number again.' }
  if (message.files.length > 1) return { state: 'failed', reason: 'WhatsApp allows one file per message.' }
  const address = message.thread ?? message.recipients[0]!.address
  const isUser = whatsAppUser.test(address)
  const thread = isUser ? address : `+${address.replace(/\D/g, '')}`
  const headers = { authorization: `Bearer ${number.access_token}` }
  try {
    const [file] = message.files
    const media = file && (await upload(number, file, headers))
    if (file && !media) return { state: 'again', afterSeconds: 60, reason: 'WhatsApp rejected the file.' }
    const content = {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      ...(isUser ? { recipient: address } : { to: thread.slice(1) }),
      biz_opaque_callback_data: message.messageId,
      ...(message.replyTo && { context: { message_id: message.replyTo } }),
      ...contentOf(message, media ? { id: media, filename: file!.name } : undefined),
    }
    const answer = await call(
      parts.fetch,
      `${number.base}/${number.phone_number_id}/messages`,
      jsonBody(content, headers),
    )
    return await resultOf(parts, channel, answer, thread, own)
  } catch (error) {
    const result = resultOfError(error, own)
    await noteFailure(db, channel, result.reason, clock())
    return result
  }
}

function contentOf({ template, text }: Outgoing, media: { id: string; filename: string } | undefined) {
  if (template) {
    const parameters = template.values.map((value) => ({ type: 'text', text: value }))
    const components = parameters.length ? [{ type: 'body', parameters }] : []
    return { type: 'template', template: { name: template.name, language: { code: template.language }, components } }
  }
  if (media) return { type: 'document', document: { ...media, ...(text.trim() && { caption: text }) } }
  return { type: 'text', text: { body: text, preview_url: true } }
}

async function upload(number: WhatsAppNumber, file: Outgoing['files'][number], headers: Record<string, string>) {
  const form = new FormData()
  form.set('messaging_product', 'whatsapp')
  form.set('type', file.type)
  form.set('file', new Blob([Buffer.from(file.content)], { type: file.type }), file.name)
  const { json } = await call(
    number.fetch,
    `${number.base}/${number.phone_number_id}/media`,
    await formBody(form, headers),
  )
  return textAt(json, 'id')
}

async function resultOf(
  { db, clock }: ProviderAccess,
  channel: ChannelRow,
  { status, json }: Called,
  thread: string,
  own: { key: string; providerId: string },
): Promise<SendResult> {
  const id = textAt((json.messages as unknown[] | undefined)?.[0], 'id')
  if (status === 200 && id) {
    await noteDelivered(db, channel, clock())
    return { state: 'sent', key: keyOf(channel, id), providerId: id, thread }
  }
  const code = textAt(json, 'error', 'code') ?? ''
  const reason = `WhatsApp: ${textAt(json, 'error', 'message') ?? `responded with ${status}`}`
  if (status === 429 || tooMany.has(code)) return { state: 'later', afterSeconds: 60, reason }
  if (status === 401 || signIn.has(code)) {
    await noteFailure(db, channel, reason, clock(), { needsHelp: true })
    return { state: 'again', afterSeconds: 60, reason }
  }
  return status >= 500 ? { state: 'unknown', reason, ...own } : { state: 'failed', reason }
}
