// What Twilio posts, in the form that all gateways share. https://www.twilio.com/docs/messaging
import { call } from '../gateway/call-provider.ts'
import type { Item } from '../gateway/items.ts'
import { attempted, type Files, put } from '../gateway/load-files.ts'
import { authorization, type TwilioAccount } from './account.ts'

const states: Record<string, 'sent' | 'delivered' | 'read' | 'failed'> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  undelivered: 'failed',
  failed: 'failed',
}

/** `messageId`: ours, which the address of a state names. */
export async function itemsOf(
  account: TwilioAccount,
  fields: URLSearchParams,
  messageId: string | null,
  now: Date,
): Promise<Item[]> {
  const field = (name: string) => fields.get(name) ?? ''
  const id = field('MessageSid') || field('SmsSid')
  const state = states[field('MessageStatus')]
  if (fields.has('MessageStatus')) {
    const code = field('ErrorCode')
    const reason = state === 'failed' ? `Twilio could not deliver the message${code && ` (error ${code})`}.` : null
    return state ? [{ kind: 'state', messageId, id, state, reason, thread: null, at: now }] : []
  }
  const from = field('From')
  if (!id || !from) return []
  return [
    {
      kind: 'message',
      id,
      thread: from,
      direction: 'in',
      at: now,
      text: field('Body'),
      html: null,
      replyTo: null,
      isAutomatic: false,
      from: { address: from, name: null },
      to: [],
      ...(await filesOf(account, fields)),
    },
  ]
}

async function filesOf(account: TwilioAccount, fields: URLSearchParams) {
  const files: Files = { files: [], missing: [] }
  for (let i = 0; i < Math.min(Number(fields.get('NumMedia') ?? 0) || 0, 10); i++) {
    const type = fields.get(`MediaContentType${i}`) ?? 'application/octet-stream'
    const name = `media-${i + 1}.${type.split('/')[1]?.replace(/[^a-z0-9]/gi, '') || 'bin'}`
    put(files, { name, type }, await attempted(() => load(account, fields.get(`MediaUrl${i}`) ?? '')))
  }
  return files
}

/** The file is where Twilio redirects to; the credentials are not for there. */
async function load(account: TwilioAccount, url: string) {
  const first = await call(account.fetch, url, { headers: authorization(account) })
  const location = first.status >= 300 && first.status < 400 ? first.headers.location : undefined
  const there = location && URL.parse(location, url)
  return there ? call(account.fetch, there.href) : first
}
