import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { fetchIn } from './api.ts'

const server = createServer((request, response) => {
  response.writeHead(200, { 'content-type': request.url === '/file' ? 'text/csv' : 'application/json' })
  response.write('{"a": ')
  if (request.url === '/whole') response.end('1}')
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`

test('an answer that begins and never ends is given up, like one that never begins', async () => {
  expect(await (await fetchIn(15_000, at('/whole'), {}))?.json()).toEqual({ a: 1 })
  expect(await fetchIn(100, at('/stalled'), {})).toBeUndefined()
  const file = await fetchIn(15_000, at('/file'), {})
  expect(file?.status, 'files arrive at their own pace').toBe(200)
  await file?.body?.cancel()
  const left = AbortSignal.abort()
  await expect(fetchIn(15_000, at('/whole'), { signal: left })).rejects.toThrow()
})
