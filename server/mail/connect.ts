// Connects to a mail server: looks its addresses up once, checks them and connects only to those.
import { connect, type LookupFunction, type Socket } from 'node:net'
import { type Address, findTarget, isPublic, type Lookup, type OutboundAllow } from '../platform/outbound.ts'
import { MailError } from './mail-error.ts'
import type { MailServer, Reach } from './mail-server.ts'

/** `ports`: those on the public internet, unless they are of SMTP. */
export type Way = { lookup: Lookup; reach: Reach; allow?: OutboundAllow; ports?: number[] }
export type Target = Pick<MailServer, 'host' | 'port'>

const connectMs = 10_000
const publicPorts = [25, 465, 587, 2525]

export async function openSocket(server: Target, way: Way): Promise<Socket> {
  const deadline = AbortSignal.timeout(connectMs)
  const addresses = await Promise.race([addressesOf(server, way), rejectAt(deadline)])
  return dial(server, addresses, deadline).catch((error) => {
    throw Object.assign(error, { isInside: addresses.some(({ address }) => !isPublic(address)) })
  })
}

/** The addresses at which the server may be contacted. */
export async function addressesOf(server: Target, { lookup, reach, allow = () => false, ports = publicPorts }: Way) {
  if (reach !== 'public') return lookup(server.host)
  const { host, port } = server
  const { addresses, isAllowed, isReachable } = await findTarget(host, lookup, allow)
  if (isAllowed) return addresses
  if (!ports.includes(port))
    throw new MailError(`This server does not allow mail on port ${port}. Use one of: ${ports.join(', ')}.`)
  if (isReachable) return addresses
  throw new MailError(`The mail server ${host} was not found on the public internet. Check its name.`)
}

function dial({ host, port }: Target, addresses: Address[], deadline: AbortSignal) {
  return new Promise<Socket>((resolve, reject) => {
    const socket = connect({
      host,
      port,
      autoSelectFamily: true,
      lookup: answering(addresses),
    })
    const giveUp = () => socket.destroy(timedOut())
    deadline.addEventListener('abort', giveUp)
    socket.once('error', reject)
    socket.once('connect', () => {
      deadline.removeEventListener('abort', giveUp)
      socket.removeListener('error', reject)
      resolve(socket)
    })
  })
}

/** In the place of a second lookup, which could answer differently. */
export const answering =
  (addresses: Address[]): LookupFunction =>
  (_host, { all }, answer) =>
    all ? answer(null, addresses) : answer(null, addresses[0]!.address, addresses[0]!.family)

const rejectAt = (deadline: AbortSignal) =>
  new Promise<never>((_, reject) => deadline.addEventListener('abort', () => reject(timedOut()), { once: true }))

const timedOut = () => Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })
