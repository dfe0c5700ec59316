import { isIPv6 } from 'node:net'

/** A household or office shares one IPv6 /64, so all its addresses count as one. */
export const network = (ip: string) => (isIPv6(ip) && !ip.startsWith('::ffff:') ? expand(ip).slice(0, 4).join(':') : ip)

function expand(ip: string) {
  const [head = '', tail] = ip.split('::')
  const left = head.split(':').filter(Boolean)
  if (tail === undefined) return left
  const right = tail.split(':').filter(Boolean)
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
}
