// How long bodies may take, on real connections with less patience than usual.
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { asAppError, sendProblem } from './problem.ts'
import { refuseSlowBodies, uploadOf } from './upload.ts'

const app = Fastify()
const gaveUp: string[] = []
const watch = refuseSlowBodies(
  ({ url, raw }) => {
    gaveUp.push(url)
    raw.socket.destroy()
  },
  { ms: 1500, hurriedMs: 300 },
)
app.decorateRequest('counted', null)
app.addHook('onRequest', async (request, reply) => {
  watch(request, reply)
  if (request.url === '/stranger') request.counted = { ids: [], isClosed: false, isHurried: true }
})
app.setErrorHandler((error, _request, reply) => sendProblem(reply, asAppError(error, () => false)!))
app.addContentTypeParser('text/plain', (_request, _stream, done) => done(null))
const long = 120_000
/** Only one limit is short for each path, so that a slow machine does not reach the other. */
for (const [path, patience] of [
  ['/upload', { pauseMs: long, totalMs: long }],
  ['/paused', { pauseMs: 300, totalMs: long }],
  ['/endless', { pauseMs: long, totalMs: 600 }],
] as const)
  app.post(path, { config: { body: 'upload' } }, async (request) => {
    let bytes = 0
    for await (const piece of uploadOf(request, 1000, patience).content) bytes += piece.length
    return { bytes }
  })
app.post('/refused', { config: { body: 'upload' } }, async (request) => uploadOf(request, 1))
app.post('/json', async () => ({}))
app.post('/stranger', async () => ({}))
await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => app.close())

function begin(path: string, length: number, type = 'text/plain') {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  const lines = [`POST ${path} HTTP/1.1`, 'Host: x', `Content-Type: ${type}`, `Content-Length: ${length}`]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  let received = ''
  socket.on('data', (piece) => (received += piece))
  const answer = new Promise<string>((resolve) => socket.once('close', () => resolve(received)))
  return { socket, answer }
}

test('an upload can take longer than other bodies, as long as data keeps arriving', async () => {
  const { socket, answer } = begin('/upload', 40)
  for (let i = 0; i < 4; i++) {
    await sleep(200)
    socket.write('0123456789')
  }
  await expect.poll(() => socket.bytesRead).toBeGreaterThan(0)
  socket.end()
  expect(await answer).toContain('{"bytes":40}')
})

test.each([
  ['pauses too long', '/paused', 1],
  ['takes too long altogether', '/endless', 100],
])('an upload that %s is answered with 408 and its connection closed', async (_, path, pieces) => {
  const { socket, answer } = begin(path, 1000)
  for (let i = 0; i < pieces && !socket.destroyed; i++) {
    socket.write('0')
    await sleep(100)
  }
  expect(await answer).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s)
})

test('the rest of a refused upload is read, so that its sender can read the response', async () => {
  const { socket, answer } = begin('/refused', 1000)
  socket.write('0'.repeat(1000))
  // Only what was read whole is followed by another request.
  socket.end('POST /json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}')
  expect(await answer).toMatch(/^HTTP\/1\.1 413 .*HTTP\/1\.1 200 /s)
})

test('the rest of a refused upload that does not come is waited for only a while', async () => {
  const { answer } = begin('/refused', 1000)
  expect(await answer).toMatch(/^HTTP\/1\.1 413 /)
})

test('any other body has to be there in time', async () => {
  const { answer } = begin('/json', 10, 'application/json')
  await answer
  expect(gaveUp).toEqual(['/json'])
})

test('the body of a stranger has less time', async () => {
  gaveUp.length = 0
  const known = begin('/json', 10, 'application/json')
  await begin('/stranger', 10, 'application/json').answer
  expect(gaveUp).toEqual(['/stranger'])
  await known.answer
  expect(gaveUp).toEqual(['/stranger', '/json'])
})
