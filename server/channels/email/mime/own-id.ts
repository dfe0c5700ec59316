// The Message-IDs of what Kith sends. They carry the conversation, so that every answer finds it (R2), and a MAC, so
// that nobody can write into a conversation by inventing one.
import { createHmac, timingSafeEqual } from 'node:crypto'

const uuid = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}'
const shape = new RegExp(`^<?kith\\.(${uuid})\\.(${uuid})\\.([\\w-]{22})@`)

type OwnIdParts = { conversationId: string; messageId: string; key: Buffer; domain: string }

/** Without angle brackets. */
export const ownMessageId = ({ conversationId, messageId, key, domain }: OwnIdParts) =>
  `kith.${conversationId}.${messageId}.${macOf(conversationId, messageId, key)}@${domain}`

/** The conversation of a Message-ID that is ours. */
export function readOwnId(id: string, key: Buffer): string | null {
  const [, conversationId, messageId, mac] = shape.exec(id.slice(0, 200)) ?? []
  if (!conversationId || !messageId || !mac) return null
  const expected = macOf(conversationId, messageId, key)
  return timingSafeEqual(Buffer.from(expected), Buffer.from(mac)) ? conversationId : null
}

const macOf = (conversationId: string, messageId: string, key: Buffer) =>
  createHmac('sha256', key).update(`message-id\n${conversationId}\n${messageId}`).digest('base64url').slice(0, 22)
