// Where replies go: the address of a mailbox with a tag (name+tag@domain) that names the conversation, so that a reply
// finds it whatever became of its headers (R2), and a MAC, so that nobody can invent one.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Base 32, because mail servers may change upper and lower case. */
const tag = /\+k([\da-v]{26})([\da-v]{16})(?=@)/
/** RFC 5321: what is before the @. */
const longestName = 64
export const longestTagged = longestName - '+k'.length - 26 - 16

/** Named by a message that Kith sends to itself to try such an address. */
export const noConversation = '00000000-0000-0000-0000-000000000000'

/** Null: the address is too long for a tag. */
export function replyAddress(address: string, conversationId: string, key: Buffer) {
  const at = address.lastIndexOf('@')
  if (at > longestTagged) return null
  return `${address.slice(0, at)}+k${codeOf(conversationId)}${macOf(conversationId, key)}${address.slice(at)}`
}

/** The conversation that an address names, if the proof is right. */
export function readReplyAddress(address: string, key: Buffer): string | null {
  const [, code, mac] = tag.exec(address) ?? []
  const conversationId = code && idOf(code)
  if (!conversationId || !mac) return null
  return timingSafeEqual(Buffer.from(macOf(conversationId, key)), Buffer.from(mac)) ? conversationId : null
}

/** The address of the mailbox itself, whether the proof is right or not. */
export const withoutTag = (address: string) => address.replace(tag, '')

const base32 = (hex: string, length: number) => BigInt(`0x${hex}`).toString(32).padStart(length, '0')

const codeOf = (id: string) => base32(id.replaceAll('-', ''), 26)

function idOf(code: string) {
  const number = [...code].reduce((sum, digit) => sum * 32n + BigInt(Number.parseInt(digit, 32)), 0n)
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(number.toString(16).padStart(32, '0'))
  return parts?.slice(1).join('-')
}

/** 80 bits. */
const macOf = (conversationId: string, key: Buffer) =>
  base32(createHmac('sha256', key).update(`reply-address\n${conversationId}`).digest('hex').slice(0, 20), 16)
