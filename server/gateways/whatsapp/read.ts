// What Meta posts about a WhatsApp number, and its signature. https://developers.facebook.com/docs/whatsapp/cloud-api
import { createHmac, timingSafeEqual } from 'node:crypto'
import { isId } from '../../../contract/ids.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Signed } from '../../kernel/context.ts'
import type { PublicFetch } from '../../platform/public-fetch.ts'
import { attempted, type Files, put } from '../core/files.ts'
import type { Item } from '../core/items.ts'
import { call, textAt } from '../providers/call.ts'

export type WhatsAppSettings = { phone_number_id: string; business_account_id: string; verify_token: string }
export type WhatsAppSecrets = { access_token: string; app_secret: string }
export type Number = { fetch: PublicFetch; base: string } & WhatsAppSettings & WhatsAppSecrets

type Media = { id: string; mime_type?: string; filename?: string; caption?: string }
type Message = {
  id: string
  from: string
  timestamp: string
  type: string
  text?: { body: string }
  button?: { text: string }
  interactive?: { button_reply?: { title: string }; list_reply?: { title: string } }
  reaction?: { emoji?: string }
  location?: { latitude: number; longitude: number; name?: string }
  context?: { id?: string }
} & Partial<Record<'image' | 'document' | 'audio' | 'video' | 'sticker', Media>>
type Status = {
  id: string
  status: string
  timestamp: string
  errors?: { title?: string; message?: string }[]
  biz_opaque_callback_data?: string
}
type Value = {
  metadata?: { phone_number_id?: string }
  contacts?: { wa_id: string; profile?: { name?: string } }[]
  messages?: Message[]
  statuses?: Status[]
}
type Body = { entry?: { changes?: { field?: string; value?: Value }[] }[] }

export function verify(app_secret: string, { body, headers }: Signed) {
  const wanted = Buffer.from(`sha256=${createHmac('sha256', app_secret).update(body).digest('hex')}`)
  const given = Buffer.from(String(headers['x-hub-signature-256'] ?? ''))
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new AppError('invalid_signature', 'The signature is wrong. Check the app secret of the channel.')
}

export async function itemsOf(number: Number, body: Body): Promise<Item[]> {
  const values = (body.entry ?? []).flatMap(({ changes = [] }) => changes.flatMap(({ value }) => value ?? []))
  const items: Item[] = []
  for (const value of values) {
    // An app has one address for all of its numbers.
    if (value.metadata?.phone_number_id !== number.phone_number_id) continue
    const names = new Map((value.contacts ?? []).map(({ wa_id, profile }) => [wa_id, profile?.name ?? null]))
    for (const message of value.messages ?? [])
      items.push(await messageOf(number, message, names.get(message.from) ?? null))
    for (const status of value.statuses ?? []) items.push(...stateOf(status))
  }
  return items
}

async function messageOf(number: Number, message: Message, name: string | null): Promise<Item> {
  const media = (['image', 'document', 'audio', 'video', 'sticker'] as const).flatMap((kind) => message[kind] ?? [])
  const text = [textOf(message), ...media.map(({ caption }) => caption ?? '')].filter(Boolean).join('\n')
  const files: Files = { files: [], missing: [] }
  for (const { id, mime_type, filename } of media) {
    const type = mime_type?.split(';')[0] ?? 'application/octet-stream'
    const name = filename ?? `${message.type}.${type.split('/')[1]}`
    put(files, { name, type }, await attempted(() => load(number, id)))
  }
  const phone = `+${message.from}`
  return {
    ...{ kind: 'message', id: message.id, thread: phone, direction: 'in', html: null, isAutomatic: false, ...files },
    from: { address: phone, name },
    to: [],
    at: new Date(Number.parseInt(message.timestamp, 10) * 1000),
    text: text || (media.length ? '' : `[A message of the type ${message.type}, which Kith cannot show]`),
    replyTo: message.context?.id ?? null,
  }
}

function textOf({ text, button, interactive, reaction, location }: Message) {
  if (location) return [location.name, `${location.latitude}, ${location.longitude}`].filter(Boolean).join(' ')
  const chosen = interactive?.button_reply?.title ?? interactive?.list_reply?.title
  return text?.body ?? button?.text ?? chosen ?? reaction?.emoji ?? ''
}

function stateOf({ id, status, timestamp, errors, biz_opaque_callback_data: ours }: Status): Item[] {
  if (status !== 'sent' && status !== 'delivered' && status !== 'read' && status !== 'failed') return []
  const reason =
    status === 'failed' ? `WhatsApp: ${errors?.[0]?.message ?? errors?.[0]?.title ?? 'not delivered'}` : null
  const messageId = ours && isId(ours) ? ours : null
  return [
    {
      kind: 'state',
      messageId,
      id,
      state: status,
      reason,
      thread: null,
      at: new Date(Number.parseInt(timestamp, 10) * 1000),
    },
  ]
}

async function load({ fetch, base, access_token }: Number, id: string) {
  const headers = { authorization: `Bearer ${access_token}` }
  const found = await call(fetch, `${base}/${encodeURIComponent(id)}`, { headers })
  const url = textAt(found.json, 'url')
  if (!url) return { ...found, status: found.status === 200 ? 404 : found.status }
  return call(fetch, url, { headers })
}
