// Attacks that are more than requests in turn. Each begins, goes on until it is ended, and then says what was answered.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Target = {
  port: number
  /** The Admin of another company, as the web app calls. */
  asAdmin(company: number, path: string, body?: unknown, type?: string): Promise<Record<string, unknown>>
  /** The user who is measured. */
  asBystander(path: string, body?: unknown): Promise<Record<string, unknown>>
  /** A mail arrives in a mailbox of the first of the other companies. */
  deliver(source: string): void
}
/** Ends the attack. */
type End = () => Promise<string>
export type Attack = (target: Target) => Promise<End>

const times = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i))
const madeUp = `/public/channels/${'A'.repeat(43)}/messages`

/** Counts the first answer on each connection. */
function counting() {
  const seen = new Map<string, number>()
  return {
    note: (status: string) => void seen.set(status, (seen.get(status) ?? 0) + 1),
    toString: () =>
      [...seen]
        .toSorted()
        .map(([status, count]) => `${status}:${count}`)
        .join(' '),
  }
}

/** The head of a POST, from an address of the loopback that counts as a network of its own. */
function post(port: number, path: string, length: number, from: string, note: (status: string) => void) {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  socket.on('error', () => {})
  socket.once('data', (piece) => note(String(piece).slice(9, 12)))
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`,
  )
  return socket
}

/** 1,000 connections at any time, each with a request whose body does not come. */
export const idleRequests =
  (path: string): Attack =>
  async ({ port }) => {
    const answers = counting()
    const open = new Set<Socket>()
    const refill = () => {
      for (let i = 0; i < 200 && open.size < 1000; i++) {
        const socket = post(port, path, 5000, '127.0.0.1', answers.note)
        open.add(socket)
        socket.once('close', () => open.delete(socket))
      }
    }
    refill()
    const timer = setInterval(refill, 200)
    await sleep(1500)
    return async () => {
      clearInterval(timer)
      for (const socket of open) socket.destroy()
      return `${answers}, open ${open.size}`
    }
  }

/** 15 MB less a byte from each of 130 networks: half to a channel that does not exist, half to one of the attacker. */
export const largeBodies: Attack = async ({ port, asAdmin }) => {
  const { post_address } = await asAdmin(0, '/channels/api', { name: 'Chat', webhook_url: null })
  const own = new URL(String(post_address)).pathname
  const answers = counting()
  const size = 15 * 1024 * 1024
  const piece = Buffer.alloc(64 * 1024, ' ')
  const sockets = times(130, (i) => {
    const socket = post(port, i % 2 ? own : madeUp, size, `127.1.0.${i + 1}`, answers.note)
    let left = size - 2
    const send = () => {
      while (left > 0 && !socket.destroyed) {
        const next = piece.subarray(0, Math.min(left, piece.length))
        left -= next.length
        if (!socket.write(next)) return void socket.once('drain', send)
      }
    }
    socket.once('connect', send)
    return socket
  })
  return async () => {
    for (const socket of sockets) socket.destroy()
    return String(answers)
  }
}

/** Two companies import files that take longer than this lasts. Also says how long a job of the bystander took. */
export const twoImports: Attack = async ({ asAdmin, asBystander }) => {
  const rows = Number(process.env.ROWS ?? 150_000)
  const csv = `First name,Last name,E-mail\n${times(rows, (i) => `First${i},Last${i},p${i}@example.com`).join('\n')}\n`
  const jobs = await Promise.all(
    [0, 1].map(async (company) => {
      const { id: file_id } = await asAdmin(company, '/files?purpose=import&name=people.csv', csv, 'text/csv')
      return String((await asAdmin(company, '/records/people/import', { file_id })).job_id)
    }),
  )
  await sleep(2000)
  const began = performance.now()
  const { job_id } = await asBystander('/records/people/bulk-update', {
    filter: 'last_name = "Own 1"',
    values: { score: 2 },
  })
  let took = Number.NaN
  const waiting = (async () => {
    for (;;) {
      const { state } = await asBystander(`/jobs/${job_id}`)
      if (state !== 'waiting' && state !== 'running') break
      await sleep(50)
    }
    took = performance.now() - began
  })()
  return async () => {
    const imported = await Promise.all(jobs.map((id, company) => asAdmin(company, `/jobs/${id}`)))
    for (const [company, id] of jobs.entries()) await asAdmin(company, `/jobs/${id}/cancellation`, {})
    await waiting
    return `a job of the bystander took ${took.toFixed(0)} ms; imported ${imported.map(({ done, state }) => `${done} (${state})`).join(' and ')}`
  }
}
