// A gateway gets every message once, whatever ends the processes that send them.
import { randomUUIDv7 } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { install } from '../../../test/installation.ts'
import { waitForProcesses } from '../../../test/patience.ts'
import { startReceiver } from '../../../test/receiver.ts'
import { newSecret } from '../../platform/standard-webhooks.ts'
import { createVault, readSecretKey } from '../../platform/vault.ts'
import { sealChannel } from './find-channel.ts'

waitForProcesses()

const count = 12
const kith = await install({ OUTBOUND_ALLOW: '127.0.0.1', LOG: 'off' })
afterAll(kith.remove)
const receiver = await startReceiver()
afterAll(() => receiver.stop())

test('whose process is killed amid its deliveries: nothing is lost, and a gateway that recognizes IDs sends nothing twice', async () => {
  const { company_id, ...admin } = await kith.given.company()
  const vault = createVault(readSecretKey({ dataDir: kith.dataDir, secretKey: undefined }))
  const id = randomUUIDv7()
  await kith.db
    .insertInto('channels')
    .values({
      company_id,
      id,
      kind: 'api',
      name: 'Chat',
      address: '',
      agents: 'send',
      hourly_limit: 1000,
      settings: JSON.stringify({ webhook_url: receiver.url }),
      secrets: sealChannel(vault, { company_id, id }, { secret: newSecret() }),
      created_at: new Date(),
    })
    .execute()
  const sent = new Map<string, string>()
  const some = Promise.withResolvers<void>()
  let isSlow = true
  receiver.answer = ({ headers, payload }, response) => {
    const { text } = payload as unknown as { text: string }
    sent.set(String(headers['webhook-id']), text)
    if (sent.size === 3) some.resolve()
    // Until the process is killed, the answers never come.
    if (!isSlow) response.end()
  }
  const api = kith.withKey(await kith.given.key({ company_id, ...admin }))
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const { message } = await api.sendMessage({ channel_id: id, to: [`guest-${i}`], text: `Hello ${i}` })
    ids.push(message!.id)
  }
  await some.promise
  await kith.kill(kith.server)
  isSlow = false
  // Their leases end half a minute later.
  await kith.pool.query('update messages set leased_until = now() where company_id = $1', [company_id])
  const worker = await kith.startWorker()
  await kith.eventually(async () => {
    const { rows } = await kith.pool.query('select 1 from messages where company_id = $1 and state = $2', [
      company_id,
      'sent',
    ])
    return rows.length === count
  })
  expect([...sent.keys()].sort()).toEqual(ids.sort())
  expect(receiver.received.length).toBeGreaterThan(count)
  await kith.kill(worker)
})
