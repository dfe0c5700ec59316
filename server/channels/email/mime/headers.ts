// The headers of a message as we need them. Every function takes whatever strangers send.
import { addressParser, type Address as Parsed } from 'postal-mime'
import { deceptive } from '../../../../contract/shared/shapes.ts'
import type { Address } from './mail.ts'

export type Headers = Map<string, string[]>

const mostHeaders = 1000
const longestHeader = 100_000

/** The first ones: no honest message has more. */
export function headersOf(lines: { key: string; value: string }[]): Headers {
  const headers: Headers = new Map()
  for (const { key, value } of lines.slice(0, mostHeaders)) {
    const values = headers.get(key)
    if (values) values.push(value.slice(0, longestHeader))
    else headers.set(key, [value.slice(0, longestHeader)])
  }
  return headers
}

export const header = (headers: Headers, name: string) => headers.get(name)?.[0] ?? ''

const longestId = 500

/** `<a@b> <c@d>` as a list. Some programs leave the brackets away. */
export function idsOf(text: string): string[] {
  const bounded = text.slice(0, 100_000)
  const inBrackets = [...bounded.matchAll(/<([^<>\s]{1,500})>/g)].map(([, id]) => id!)
  if (inBrackets.length) return inBrackets
  return bounded.split(/[\s,<>]+/).filter((id) => id.includes('@') && id.length <= longestId)
}

const mostAddresses = 1000

/** Groups are written out; what has no address is left out. */
export const addressesOf = (parsed: Parsed[]): Address[] => parsed.flatMap(flat).slice(0, mostAddresses)

export const addressesIn = (text: string) => addressesOf(addressParser(text))

function flat(parsed: Parsed): Address[] {
  if (parsed.group) return parsed.group.flatMap(flat)
  const address = oneLine(parsed.address ?? '').toLowerCase()
  if (!isAddress(address)) return []
  return [{ address, name: oneLine(parsed.name).slice(0, 200) }]
}

const isAddress = (text: string) => text.length <= 320 && /^[^\s@<>,]+@[^\s@<>,]+$/.test(text)

/** Without line breaks and characters that only deceive. */
export const oneLine = (text: string) =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(invisible, '')
    .trim()

const invisible = new RegExp(deceptive, 'gu')

const day = 24 * 60 * 60 * 1000

/** Clocks of senders are often wrong: a message from the future would stay on top forever. */
export function timeOf(text: string, now: Date): Date | null {
  const time = new Date(text.slice(0, 100).replace(/\([^()]*\)/g, ' '))
  if (Number.isNaN(time.getTime()) || time.getTime() > now.getTime() + day || time.getFullYear() < 1970) return null
  return time
}

/** Where to unsubscribe: the page if there is one, otherwise the address. */
export function unsubscribeOf(headers: Headers) {
  const links = [
    ...header(headers, 'list-unsubscribe')
      .slice(0, 4000)
      .matchAll(/<\s*((?:https?|mailto):[^<>\s]+)\s*>/gi),
  ]
  const urls = links.map(([, url]) => url!)
  return urls.find((url) => /^https:/i.test(url)) ?? urls.find((url) => /^http:/i.test(url)) ?? urls[0] ?? null
}
