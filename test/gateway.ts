// A gateway for tests: it posts to an API channel and gets messages from it, signed by the reference library.
import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { TestApp } from './app.ts'
import type { GivenUser } from './given.ts'

export type Posting = { id?: string; at?: Date; secret?: string; body?: string }

export async function givenGateway(kith: TestApp, admin: GivenUser, settings: { webhook_url?: string } = {}) {
  const api = kith.withSession(await kith.given.session(admin))
  const { channel, secret, post_address, fetch_address } = await api.connectApiChannel({
    name: 'Chat',
    webhook_url: settings.webhook_url ?? null,
  })
  const send = async (address: string, content: object, posting: Posting = {}) => {
    const { id = randomUUID(), at = kith.time.now } = posting
    const body = JSON.stringify(content)
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(posting.secret ?? secret).sign(id, at, body),
    }
    const { pathname } = new URL(address)
    const response = await kith.send(pathname, { method: 'POST', headers, body: posting.body ?? body })
    return { status: response.status, ...((await response.json()) as { items: never[]; detail?: string }) }
  }
  return {
    api,
    channel,
    secret,
    postPath: new URL(post_address).pathname,
    /** Posts items. */
    post: (items: object[], posting?: Posting) =>
      send(post_address, { items }, posting) as Promise<{
        status: number
        detail?: string
        items: { result: string; message_id: string; conversation_id: string }[]
      }>,
    fetch: (wanted: object = {}, posting?: Posting) =>
      send(fetch_address, wanted, posting) as Promise<{
        status: number
        detail?: string
        items: { id: string; thread: string | null; text: string; to: { address: string }[] }[]
      }>,
    /** The reference library compares times with its own clock, so only the signature is compared. */
    isSigned: (body: string, headers: Record<string, unknown>) => {
      const at = new Date(Number(headers['webhook-timestamp']) * 1000)
      return headers['webhook-signature'] === new Webhook(secret).sign(String(headers['webhook-id']), at, body)
    },
  }
}

/** A message of Ada in a chat. */
export const written = (values: object = {}) => ({
  kind: 'message',
  id: randomUUID(),
  thread: 'chat-1',
  from: { address: 'ada', name: 'Ada Stone' },
  text: 'Hello',
  ...values,
})
