// Where Kith may connect on behalf of a company: the public internet, and what the operator allows in addition.
import ipaddr from 'ipaddr.js'

/** Whether the operator allows this address of a host that a company entered. */
export type OutboundAllow = (host: string, address: string) => boolean

type Entry = { host: string } | { range: [ipaddr.IPv4 | ipaddr.IPv6, number] }

/** OUTBOUND_ALLOW: names, addresses and ranges such as `mail.internal, 10.1.2.3, 192.168.0.0/16`. */
export function readOutboundAllow(text = ''): OutboundAllow {
  const entries = entriesIn(text)
  return (host, address) =>
    entries.some((entry) => ('host' in entry ? entry.host === host.toLowerCase() : isWithin(address, entry.range)))
}

export const entriesIn = (text: string): Entry[] =>
  text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(readEntry)

function readEntry(text: string): Entry {
  if (ipaddr.isValidCIDR(text)) return { range: ipaddr.parseCIDR(text) }
  if (ipaddr.isValid(text)) {
    const address = ipaddr.process(text)
    return { range: [address, address.kind() === 'ipv4' ? 32 : 128] }
  }
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)) throw new Error(`${text} is not a name, address or range`)
  return { host: text.toLowerCase() }
}

function isWithin(address: string, [range, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]) {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return parsed.kind() === range.kind() && parsed.match(range as never, bits)
}

export const isPublic = (address: string) => ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'
