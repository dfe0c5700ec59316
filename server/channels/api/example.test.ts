// The example in docs/ runs as it is, against a real server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { waitForProcesses } from '../../../test/patience.ts'
import { freePort } from '../../../test/process.ts'
import { soon, testWorker } from '../../../test/worker.ts'

waitForProcesses()

const port = await freePort()
const kith = await testApp({ baseUrl: `http://localhost:${port}` })
await testWorker(kith)
await kith.app.listen({ port, host: 'localhost' })
// The example has a clock of its own.
const ticking = setInterval(() => {
  kith.time.now = new Date()
}, 50)
kith.time.now = new Date()
afterAll(() => clearInterval(ticking))

const children: ReturnType<typeof spawn>[] = []
afterAll(async () => {
  for (const child of children) child.kill()
  kith.app.server.closeAllConnections()
})

function run(env: Record<string, string>) {
  const child = spawn(process.execPath, ['docs/examples/gateway.mjs'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  return { lines, type: (text: string) => child.stdin.write(`${text}\n`) }
}

test('the example says which variables are missing, and where to find them', async () => {
  const child = spawn(process.execPath, ['docs/examples/gateway.mjs'], { env: { KITH_POST: 'https://example.com' } })
  const said = (await Array.fromAsync(child.stderr)).join('')
  expect(said).toMatch(/^Set KITH_SECRET and KITH_FETCH\. .*page of the channel\.\n$/s)
  expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(1)
})

test.each(['fetching', 'webhook'])('the example carries messages in both directions, by %s', async (way) => {
  const api = kith.withSession(await kith.given.session(await kith.given.company()))
  const own = way === 'webhook' ? String(await freePort()) : ''
  const webhook_url = own ? `http://127.0.0.1:${own}/` : null
  const { secret, post_address, fetch_address } = await api.connectApiChannel({ name: 'Terminal', webhook_url })
  const env = { KITH_SECRET: secret, KITH_POST: post_address, KITH_FETCH: fetch_address, ...(own && { PORT: own }) }
  const gateway = run(env)
  await soon(async () => expect(gateway.lines).toContain('Type a message and press Enter.'))
  gateway.type('Is it still available?')
  const [conversation] = await soon(async () => {
    const { items } = await api.listConversations({})
    expect(items).toMatchObject([{ preview: 'Is it still available?', participants: [{ address: 'terminal' }] }])
    return items
  })
  await soon(async () => expect(gateway.lines).toContain(`Stored in conversation ${conversation!.id}.`))
  await api.sendMessage({ conversation_id: conversation!.id, text: 'Yes, it is.' })
  await soon(async () => expect(gateway.lines).toContain('> Yes, it is.'))
  await soon(async () => {
    const { messages } = await api.getConversation({ id: conversation!.id })
    expect(messages.at(-1)).toMatchObject({ state: 'delivered' })
  })
})
