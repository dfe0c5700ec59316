// The far end of webhooks: a real server that keeps what it gets, and the worker that sends to it.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import type { WebhookPayload } from '../contract/record-events.ts'
import { createOutbound, type Outbound } from '../server/platform/public-fetch.ts'
import type { TestApp } from './app.ts'
import { testWorker } from './worker.ts'

export type Received = { path: string; headers: IncomingHttpHeaders; body: string; payload: WebhookPayload; at: number }
export type Answer = (received: Received, response: ServerResponse) => unknown

export async function startReceiver() {
  const received: Received[] = []
  const receiver = {
    received,
    url: '',
    answer: ((_, response) => response.end()) as Answer,
    /** What arrived at this path. */
    at: (path: string) => received.filter((one) => one.path === path),
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces).toString()
    const { url: path, headers } = request
    const one = { path: path!, headers, body, payload: JSON.parse(body), at: Date.now() }
    received.push(one)
    receiver.answer(one, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return receiver
}

export async function testReceiver() {
  const receiver = await startReceiver()
  afterAll(() => receiver.stop())
  return receiver
}

/** The worker, with a clock that a test can turn. */
export async function testHooks(kith: TestApp) {
  const worker = await testWorker(kith)
  return {
    ...worker,
    /** Turns the clock forward and sends what is due. */
    pass(ms: number) {
      kith.time.now = new Date(kith.time.now.getTime() + ms)
      worker.sendWebhooks()
    },
    passTo(time: string) {
      kith.time.now = new Date(time)
      worker.sendWebhooks()
    },
  }
}

/**
 * Requests to the loopback, those to paths that begin with /hasty with less patience (as long as `isHasty`), /patient
 * with more.
 */
export function hasty(timeoutMs: number, isHasty = () => true): Outbound {
  const { fetch, check } = createOutbound('127.0.0.1')
  const limitOf = (url: string) => {
    const { pathname } = new URL(url)
    if (pathname.startsWith('/hasty') && isHasty()) return { timeoutMs }
    return pathname.startsWith('/patient') ? { timeoutMs: 600_000 } : {}
  }
  return { check, fetch: (url, outgoing) => fetch(url, { ...outgoing, ...limitOf(url) }) }
}
