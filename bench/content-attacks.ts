// Messages that take as long to read as possible. Each attack begins, goes on until it is ended, and then says what was
// answered.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { Attack } from './bystander-attacks.ts'

const megabytes = (text: string, count: number) => text.repeat(Math.ceil((count * 1e6) / text.length))

/** Twenty messages with as much HTML as a gateway may post, again and again. */
export const postedHtml: Attack = async ({ port, asAdmin }) => {
  const { secret, post_address } = await asAdmin(0, '/channels/api', { name: `Gateway ${randomUUID()}` })
  const { pathname } = new URL(String(post_address))
  const seen = new Map<number, number>()
  const ending = new AbortController()
  const attack = async () => {
    while (!ending.signal.aborted) {
      const items = Array.from({ length: 20 }, () => ({
        kind: 'message',
        id: randomUUID(),
        thread: randomUUID(),
        from: { address: 'ada' },
        html: '<li>'.repeat(49_000),
      }))
      const [id, at, body] = [randomUUID(), new Date(), JSON.stringify({ items })]
      const headers = {
        host: 'localhost',
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(String(secret)).sign(id, at, body),
      }
      const url = `http://localhost:${port}${pathname}`
      const answer = await fetch(url, { method: 'POST', headers, body, signal: ending.signal }).catch(() => undefined)
      seen.set(answer?.status ?? 0, (seen.get(answer?.status ?? 0) ?? 0) + 1)
      await answer?.arrayBuffer().catch(() => {})
      await sleep(5)
    }
  }
  const attackers = [attack(), attack()]
  await sleep(500)
  return async () => {
    ending.abort()
    await Promise.all(attackers)
    return [...seen].map(([status, times]) => `${status || 'left'}:${times}`).join(' ')
  }
}

const delivering =
  (body: string): Attack =>
  async ({ deliver }) => {
    let count = 0
    const send = () => {
      const id = `Message-ID: <${randomUUID()}@customer.example>\r\n`
      deliver(`From: Ada <ada@customer.example>\r\nSubject: ${++count}\r\n${id}${body}`)
    }
    send()
    const timer = setInterval(send, 1000)
    await sleep(500)
    return async () => {
      clearInterval(timer)
      return `${count} mails`
    }
  }

export const crowdedHtml = delivering(`Content-Type: text/html\r\n\r\n${megabytes('<li>', 4)}`)
export const manyHeaders = delivering(`${'X: b\r\n'.repeat(40_000)}\r\nHello`)
