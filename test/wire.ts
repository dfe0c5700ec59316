import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestApp } from './app.ts'

/** Requests over a real connection, with the path exactly as given: fetch would tidy it up. */
export async function onTheWire({ app }: TestApp) {
  // Another file may have opened the app that they share.
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const send = (
    path: string,
    {
      method = 'GET',
      headers = {},
      body = '',
    }: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ) =>
    new Promise<Response>((resolve, reject) => {
      const sent = request({ port, path, method, headers, agent: false }, async (answer) => {
        const chunks = await Array.fromAsync(answer)
        const content = Buffer.concat(chunks as Buffer[])
        const fields = Object.entries(answer.headersDistinct).flatMap(([name, values]) =>
          (values ?? []).map((value): [string, string] => [name, value]),
        )
        resolve(
          new Response(method === 'HEAD' || !content.length ? null : content, {
            status: answer.statusCode!,
            headers: fields,
          }),
        )
      })
      sent.on('error', reject).end(body)
    })
  return { send, origin: `http://localhost:${port}` }
}
