// Decides where a company may make Kith connect to: the public internet, and what the operator allows.
import ipaddr from 'ipaddr.js'

/**
 * Whether the operator allows this address of a host that a company entered. `mayAllow`: whether it could be, before the
 * address of the host is known.
 */
export type OutboundAllow = ((host: string, address: string) => boolean) & { mayAllow?: (host: string) => boolean }

type Entry = { host: string } | { range: [ipaddr.IPv4 | ipaddr.IPv6, number] }

/** OUTBOUND_ALLOW: names, addresses and ranges such as `mail.internal, 10.1.2.3, 192.168.0.0/16`. */
export function readOutboundAllow(text = ''): OutboundAllow {
  const entries = entriesIn(text)
  const isNamed = (entry: Entry, host: string) => 'host' in entry && entry.host === host.toLowerCase()
  const allow = (host: string, address: string) =>
    entries.some((entry) => isNamed(entry, host) || ('range' in entry && isWithin(address, entry.range)))
  const mayAllow = (host: string) => entries.some((entry) => isNamed(entry, host) || 'range' in entry)
  return Object.assign(allow, { mayAllow })
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

const globalUnicast = ipaddr.parseCIDR('2000::/3')
/** The host of an Azure virtual machine, at a public address. */
const azureHost = '168.63.129.16'

/** For IPv6, only 2000::/3 counts as public, because others, such as `::7f00:1`, can contain an IPv4 address. */
export function isPublic(address: string) {
  if (!ipaddr.isValid(address)) return false
  const own = ipaddr.process(address)
  if (own.range() !== 'unicast' || own.toString() === azureHost) return false
  return own.kind() === 'ipv4' || own.match(globalUnicast as never)
}

export type Address = { address: string; family: number }
export type Lookup = (host: string) => Promise<Address[]>
export type Found = {
  addresses: Address[]
  /** The operator allows all of them. */
  isAllowed: boolean
  /** All of them are public or allowed by the operator. */
  isReachable: boolean
}

/**
 * The only check of where a company may make us connect. Connect only to the returned addresses: the owner of a name
 * could answer the next lookup differently.
 */
export async function findTarget(host: string, lookup: Lookup, allow: OutboundAllow): Promise<Found> {
  const literal = literalOf(host)
  // From here on, a name that does not exist and one inside the network look the same.
  const addresses = literal ? [literal] : await lookup(host).catch(() => [])
  const every = (check: (address: string) => boolean) =>
    addresses.length > 0 && addresses.every(({ address }) => check(address))
  return {
    addresses,
    isAllowed: every((address) => allow(host, address)),
    isReachable: every((address) => isPublic(address) || allow(host, address)),
  }
}

/** An IP address, which needs no lookup, even in an unusual notation: 2130706433, 0x7f.1, 127.1. */
export function literalOf(host: string): Address | undefined {
  const text = host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  if (ipaddr.IPv4.isValid(text)) return { address: ipaddr.IPv4.parse(text).toString(), family: 4 }
  if (ipaddr.IPv6.isValid(text)) return { address: text.replace(/%.*$/, ''), family: 6 }
  return undefined
}
