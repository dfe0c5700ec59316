// What Meta posts about a WhatsApp number. https://developers.facebook.com/docs/whatsapp/cloud-api
// https://developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids
import { isId } from '../../../contract/shared/ids.ts'
import { call, textAt } from '../gateway/call-provider.ts'
import type { Item } from '../gateway/items.ts'
import { attempted, type Files, put } from '../gateway/load-files.ts'
import type { WhatsAppNumber } from './number.ts'

type Media = { id: string; mime_type?: string; filename?: string; caption?: string }
type Message = {
  id: string
  /** Missing for users who hide their number behind a user name. */
  from?: string
  from_user_id?: string
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
type Contact = { wa_id?: string; user_id?: string; profile?: { name?: string; username?: string } }
type Value = {
  metadata?: { phone_number_id?: string }
  contacts?: Contact[]
  messages?: Message[]
  statuses?: Status[]
}
export type Posted = { entry?: { changes?: { field?: string; value?: Value }[] }[] }

export async function itemsOf(number: WhatsAppNumber, body: Posted): Promise<Item[]> {
  const values = (body.entry ?? []).flatMap(({ changes = [] }) => changes.flatMap(({ value }) => value ?? []))
  const items: Item[] = []
  for (const value of values) {
    // An app has one address for all of its numbers; those of others are read with theirs.
    if (value.metadata?.phone_number_id !== number.phone_number_id) continue
    for (const message of value.messages ?? [])
      items.push(await messageOf(number, message, senderOf(message, value.contacts ?? [])))
    for (const status of value.statuses ?? []) items.push(...stateOf(status))
  }
  return items
}

/** The numbers that a post is about. */
export const numbersIn = (body: Posted) => [
  ...new Set(
    (body.entry ?? []).flatMap(({ changes = [] }) =>
      changes.flatMap(({ value }) => value?.metadata?.phone_number_id ?? []),
    ),
  ),
]

type Sender = { address: string | null; other: string | null; name: string | null }

/** By their phone number or, if they hide it, by the ID that Meta gives them for this business. */
function senderOf({ from, from_user_id }: Message, contacts: Contact[]): Sender {
  const mine = ({ wa_id, user_id }: Contact) =>
    (from !== undefined && wa_id === from) || (from_user_id !== undefined && user_id === from_user_id)
  const contact = contacts.find(mine) ?? (contacts.length === 1 ? contacts[0] : undefined)
  const phone = from ?? contact?.wa_id
  const user = from_user_id ?? contact?.user_id ?? null
  const name = contact?.profile?.name ?? contact?.profile?.username ?? null
  if (phone === undefined || !/^\d+$/.test(phone)) return { address: user ?? phone ?? null, other: null, name }
  return { address: `+${phone}`, other: user, name }
}

async function messageOf(number: WhatsAppNumber, message: Message, { address, other, name }: Sender): Promise<Item> {
  const media = (['image', 'document', 'audio', 'video', 'sticker'] as const).flatMap((kind) => message[kind] ?? [])
  const text = [textOf(message), ...media.map(({ caption }) => caption ?? '')].filter(Boolean).join('\n')
  const files: Files = { files: [], missing: [] }
  for (const { id, mime_type, filename } of media) {
    const type = mime_type?.split(';')[0] ?? 'application/octet-stream'
    const name = filename ?? `${message.type}.${type.split('/')[1]}`
    put(files, { name, type }, await attempted(() => load(number, id)))
  }
  return {
    kind: 'message',
    id: message.id,
    direction: 'in',
    html: null,
    isAutomatic: false,
    ...files,
    // Without any sender, it is a conversation of its own.
    thread: address ?? message.id,
    ...(other && { otherThread: other }),
    from: address === null ? null : { address, name },
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

async function load({ fetch, base, access_token }: WhatsAppNumber, id: string) {
  const headers = { authorization: `Bearer ${access_token}` }
  const found = await call(fetch, `${base}/${encodeURIComponent(id)}`, { headers })
  const url = textAt(found.json, 'url')
  if (!url) return { ...found, status: found.status === 200 ? 404 : found.status }
  return call(fetch, url, { headers })
}
