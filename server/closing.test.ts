// Covers: server/app.ts
import { connect } from 'node:net'
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testApp } from '../test/app.ts'

const drainMs = 200
const kith = await testApp({ own: true, drainMs })

test('a request on a kept connection that arrives while a stopping server is busy is answered', async () => {
  await kith.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = kith.app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.on('data', (data) => (heard += data))
  const ask = () => socket.write(`GET /livez HTTP/1.1\r\nHost: localhost:3000\r\n\r\n`)
  const answers = () => heard.match(/HTTP\/1\.1 200/g)?.length ?? 0
  ask()
  await expect.poll(answers).toBe(1)
  const closing = kith.app.close()
  await sleep(drainMs / 4)
  // So that timers come next, before what has arrived.
  await immediate()
  ask()
  for (const end = Date.now() + drainMs * 2; Date.now() < end; );
  await closing
  await expect.poll(answers).toBe(2)
})
