// What an update of Telegram says, in the form that all gateways share.

import { call, textAt } from '../gateway/call-provider.ts'
import type { Item } from '../gateway/items.ts'
import { attempted, type Files, put } from '../gateway/load-files.ts'
import { ask, type Bot, idOf } from './bot.ts'

type Chat = { id: number; type: string; title?: string }
type User = { id: number; is_bot?: boolean; first_name?: string; last_name?: string; username?: string }
type FileRef = { file_id: string; file_name?: string; mime_type?: string; file_size?: number }
type Message = {
  message_id: number
  date: number
  edit_date?: number
  chat: Chat
  from?: User
  text?: string
  caption?: string
  reply_to_message?: { message_id: number }
  photo?: FileRef[]
  contact?: { phone_number?: string; first_name?: string }
  location?: { latitude: number; longitude: number }
} & Partial<Record<'document' | 'audio' | 'voice' | 'video' | 'video_note' | 'animation' | 'sticker', FileRef>>
export type Update = { update_id: number; message?: Message; edited_message?: Message }

/** Bots can download files up to this size. */
const mostBytes = 20 * 1024 * 1024

export async function itemsOf(bot: Bot, update: Update): Promise<Item[]> {
  if (update.edited_message) return [editOf(update.edited_message)]
  const { message } = update
  if (!message?.chat || message.from?.is_bot) return []
  const files = await filesOf(bot, message)
  const text = textOf(message)
  if (!text && !files.files.length && !files.missing.length) return []
  return [
    {
      kind: 'message',
      id: idOf(message.chat.id, message.message_id),
      thread: String(message.chat.id),
      direction: 'in',
      from: { address: String(message.from?.id ?? message.chat.id), name: nameOf(message) },
      to: [],
      at: new Date(message.date * 1000),
      text,
      html: null,
      replyTo: message.reply_to_message ? idOf(message.chat.id, message.reply_to_message.message_id) : null,
      ...files,
      isAutomatic: false,
    },
  ]
}

const editOf = (message: Message): Item => ({
  kind: 'edited',
  id: idOf(message.chat.id, message.message_id),
  text: textOf(message),
  at: new Date((message.edit_date ?? message.date) * 1000),
})

function textOf({ text, caption, contact, location }: Message) {
  if (contact) return [contact.first_name, contact.phone_number].filter(Boolean).join(' ')
  if (location) return `${location.latitude}, ${location.longitude}`
  return text ?? caption ?? ''
}

const nameOf = ({ from, chat }: Message) =>
  [from?.first_name, from?.last_name].filter(Boolean).join(' ') || from?.username || chat.title || null

function refsOf(message: Message): [name: string, ref: FileRef][] {
  const named = (['document', 'audio', 'voice', 'video', 'video_note', 'animation', 'sticker'] as const).flatMap(
    (kind): [string, FileRef][] => (message[kind] ? [[message[kind].file_name ?? kind, message[kind]]] : []),
  )
  const largest = message.photo?.at(-1)
  // An animation comes as a document, too.
  const distinct = new Map(named.map(([name, ref]) => [ref.file_id, [name, ref] as [string, FileRef]]))
  return [...distinct.values(), ...(largest ? [['photo.jpg', largest] as [string, FileRef]] : [])]
}

async function filesOf(bot: Bot, message: Message) {
  const files: Files = { files: [], missing: [] }
  for (const [name, { file_id, mime_type: type = 'application/octet-stream', file_size = 0 }] of refsOf(message))
    put(
      files,
      { name, type },
      file_size > mostBytes
        ? { reason: 'Telegram limits downloads by bots to 20 MB.', isTemporary: false }
        : await attempted(() => load(bot, file_id)),
    )
  return files
}

async function load(bot: Bot, file_id: string) {
  const found = await ask(bot, 'getFile', { file_id })
  const path = textAt(found.json, 'result', 'file_path')
  if (!path) return { ...found, status: found.status === 200 ? 404 : found.status }
  return call(bot.fetch, `${bot.base}/file/bot${bot.token}/${path}`, { mostBytes })
}
