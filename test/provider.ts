// The API of a provider of messaging: keeps what it gets, and answers as a test wants.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

export type Called = { method: string; path: string; headers: IncomingHttpHeaders; body: string }

export async function testProvider() {
  const calls: Called[] = []
  const state: { answer: (called: Called, response: ServerResponse) => void } = {
    answer: (_, response) => void response.end('{}'),
  }
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces).toString()
    const one = { method: request.method!, path: request.url!, headers: request.headers, body }
    calls.push(one)
    state.answer(one, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return { calls, state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

export const say = (response: ServerResponse, status: number, value: object) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
