// The far end of lead sending: a real server that behaves as a test says, by path.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

export type Bought = { path: string; method: string; headers: IncomingHttpHeaders; body: string; at: number }
export type Buyer = (bought: Bought, response: ServerResponse) => unknown

export async function startBuyer() {
  const received: Bought[] = []
  const answers = new Map<string, Buyer>()
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const path = request.url!.split('?')[0]!
    const one = {
      path,
      method: request.method!,
      headers: request.headers,
      body: Buffer.concat(pieces).toString(),
      at: Date.now(),
    }
    received.push(one)
    const answer = answers.get(path)
    if (answer) answer(one, response)
    else response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  let paths = 0
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** An address of its own, with what arrived there. */
    at(answer?: Buyer, prefix = '/') {
      const path = `${prefix}${++paths}`
      if (answer) answers.set(path, answer)
      return { url: `${this.url}${path}`, got: () => received.filter((one) => one.path === path) }
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

export async function testBuyer() {
  const buyer = await startBuyer()
  afterAll(() => buyer.stop())
  return buyer
}
