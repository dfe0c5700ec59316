// Sends the same body to each endpoint as often as asked, eight requests at a time for each, and does nothing else.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, request } from 'undici'
import { listening } from './serve.ts'

const [url, endpoints, body] = process.argv.slice(2) as [string, string, string]
const dispatcher = new Agent({ pipelining: 1 })
const headers = { 'content-type': 'application/json' }

async function send(path: number, count: number) {
  let left = count
  const sendNext = async () => {
    while (left-- > 0)
      await (await request(`${url}/${path}`, { method: 'POST', headers, body, dispatcher })).body.dump()
  }
  await Promise.all(Array.from({ length: 8 }, sendNext))
}

const server = createServer(async (asked, response) => {
  const each = Number(new URL(asked.url!, 'http://localhost').searchParams.get('each'))
  await Promise.all(Array.from({ length: Number(endpoints) }, (_, i) => send(i, each)))
  response.end()
})
server.listen(0, '127.0.0.1', () => listening((server.address() as AddressInfo).port))
