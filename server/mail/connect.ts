// The way to a mail server: its addresses are looked up once, checked, and only those are called.
import { connect, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { MailError } from './mail-error.ts'
import type { MailServer } from './queries.ts'

export type Address = { address: string; family: number }
export type Lookup = (host: string) => Promise<Address[]>

const connectMs = 10_000
const publicPorts = [25, 465, 587, 2525]

export async function openSocket(server: MailServer, lookup: Lookup, publicOnly: boolean): Promise<Socket> {
  const deadline = AbortSignal.timeout(connectMs)
  const addresses = await Promise.race([addressesOf(server, lookup, publicOnly), rejectAt(deadline)])
  return dial(server, addresses, deadline)
}

/** Where the server may be called. */
export async function addressesOf(server: MailServer, lookup: Lookup, publicOnly: boolean) {
  if (publicOnly) refusePort(server)
  const addresses = await lookup(server.host)
  if (publicOnly) refusePrivate(server, addresses)
  return addresses
}

// Where strangers set up companies, a mail server must not be a way into the network that Kith runs in.
function refusePort({ port }: MailServer) {
  if (publicPorts.includes(port)) return
  throw new MailError(`Kith does not send mail over port ${port} here. Use one of: ${publicPorts.join(', ')}.`)
}

function refusePrivate({ host }: MailServer, addresses: Address[]) {
  if (addresses.length && addresses.every(({ address }) => isPublic(address))) return
  throw new MailError(`The mail server ${host} is not on the public internet. Use one that is.`)
}

const isPublic = (address: string) => ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'

function dial({ host, port }: MailServer, addresses: Address[], deadline: AbortSignal) {
  return new Promise<Socket>((resolve, reject) => {
    const socket = connect({
      host,
      port,
      autoSelectFamily: true,
      lookup: (_host, { all }, answer) =>
        all ? answer(null, addresses) : answer(null, addresses[0]!.address, addresses[0]!.family),
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

const rejectAt = (deadline: AbortSignal) =>
  new Promise<never>((_, reject) => deadline.addEventListener('abort', () => reject(timedOut()), { once: true }))

const timedOut = () => Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })
