// The suite cannot send headers of its own, so that this stands between and adds one.
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { afterAll } from 'vitest'

/** Adds a header to every request and leaves the rest as it came, Host and Origin included. */
export async function proxyTo(target: string, name: string, value: string) {
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, rawHeaders } = incoming
    const headers = [...rawHeaders, name, value]
    const onward = request({ hostname, port, method, path, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.rawHeaders)
      pipeline(answer, outgoing, () => {})
    })
    outgoing.on('close', () => onward.destroy())
    pipeline(incoming, onward, (error) => error && outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}
