// Clients of older protocol versions say their name once, in `initialize`. The session ID that they get carries it, signed,
// so that any process knows it and none keeps anything. An ID that is not ours, or of another key, is ignored.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Caller } from '../../kernel/context.ts'

export const sessionHeader = 'mcp-session-id'
export type Session = { id: string; client: string }

const longest = 1000

export function createSessions(secret: Buffer) {
  const sign = (content: string, { actor }: Caller) =>
    createHmac('sha256', secret).update(`${actor?.api_key_id} ${content}`).digest('base64url')
  return {
    begin(client: string, caller: Caller) {
      const content = Buffer.from(JSON.stringify([client, randomBytes(9).toString('base64url')])).toString('base64url')
      return `${content}.${sign(content, caller)}`
    },
    read(id: string | string[] | undefined, caller: Caller): Session | undefined {
      if (typeof id !== 'string' || id.length > longest) return undefined
      const [content = '', signature = ''] = id.split('.')
      const [given, own] = [signature, sign(content, caller)].map((text) => Buffer.from(text)) as [Buffer, Buffer]
      if (given.length !== own.length || !timingSafeEqual(given, own)) return undefined
      const [client] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [string]
      return { id, client }
    },
  }
}

/** The calls of sessions in this process, which their clients can cancel by ID. */
export function createCancellations() {
  const running = new Map<string, { isCancelled: boolean }>()
  const keyOf = ({ id: session }: Session, id: unknown) => JSON.stringify([session, id])
  return {
    /** Whether the call was cancelled, and a function for its end. */
    start(session: Session, id: unknown) {
      const key = keyOf(session, id)
      const call = { isCancelled: false }
      running.set(key, call)
      return { isCancelled: () => call.isCancelled, end: () => void (running.get(key) === call && running.delete(key)) }
    },
    cancel(session: Session, id: unknown) {
      const call = running.get(keyOf(session, id))
      if (call) call.isCancelled = true
    },
  }
}
