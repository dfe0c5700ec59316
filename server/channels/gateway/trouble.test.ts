// What a person learns about a channel that does not work.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { givenGateway, written } from '../../../test/gateway.ts'
import { say, testProvider } from '../../../test/provider.ts'
import { testReceiver } from '../../../test/receiver.ts'
import { soon, testWorker } from '../../../test/worker.ts'

const receiver = await testReceiver()
const twilio = await testProvider()
const kith = await testApp({ providers: { twilio: twilio.url } })
const worker = await testWorker(kith)

const someone = async (settings: { webhook_url?: string } = {}) => {
  const admin = await kith.given.company()
  const gateway = await givenGateway(kith, admin, settings)
  const { api, channel } = gateway
  const state = async () => {
    const { state: name, gateway: of } = await api.getChannel({ id: channel.id })
    return { state: name, ...of! }
  }
  return { ...gateway, state, company_id: admin.company_id }
}
const pass = (minutes: number) => {
  kith.minutes(minutes)
  worker.sendMessages()
}
const failures = async (api: Awaited<ReturnType<typeof someone>>['api']) =>
  (await api.listNotifications({})).items.filter(({ kind }) => kind === 'channel_failing')

test('a channel says why a request was refused, until one is taken, and since when it works again', async () => {
  const { post, fetch, state } = await someone()
  const other = `whsec_${Buffer.from('x'.repeat(32)).toString('base64')}`
  expect(await state()).toMatchObject({ state: 'connecting', last_error: null, recovered_at: null })
  const told = async (part: string) => {
    const at = kith.time.now.toISOString()
    expect(await state()).toMatchObject({
      last_error: expect.stringContaining(part),
      last_error_at: at,
      recovered_at: null,
    })
  }
  const refused = await post([written()], { secret: other })
  expect(refused).toMatchObject({ status: 401, code: 'invalid_signature', title: 'The signature is not valid' })
  await told('signature is wrong. Sign id.timestamp.body with the secret of this channel')
  await post([written()], { at: new Date(kith.time.now.getTime() - 20 * 60_000) })
  await told('webhook-timestamp is 20 minutes off; 5 are allowed. Check the clock')
  await post([written({ from: undefined })])
  await told('Enter the sender')
  await fetch({ limit: 51 })
  await told('limit')
  kith.minutes(3)
  await post([written()])
  const working = await state()
  expect(working).toMatchObject({ state: 'synced', recovered_at: kith.time.now.toISOString() })
  expect(working.last_error).toContain('limit')
  kith.minutes(1)
  await post([written()])
  expect((await state()).recovered_at).toBe(working.recovered_at)
})

test('a channel shows what a gateway could not deliver, by its answer or by a state, until a message arrives', async () => {
  const path = `/${randomUUID()}`
  const { api, post, state } = await someone({ webhook_url: receiver.url + path })
  const { conversation_id } = (await post([written()])).items[0]!
  receiver.answer = (_, response) => response.writeHead(422).end(JSON.stringify({ reason: 'Blocked by Ada.' }))
  await api.sendMessage({ conversation_id, text: 'One' })
  await soon(async () =>
    expect(await state()).toMatchObject({
      state: 'synced',
      last_error: 'A message was not delivered. Blocked by Ada.',
      recovered_at: null,
    }),
  )
  receiver.answer = (_, response) => response.end()
  const { message } = await api.sendMessage({ conversation_id, text: 'Two' })
  await soon(async () => expect((await state()).recovered_at).not.toBe(null))
  const report = (values: object) => post([{ kind: 'state', message_id: message!.id, ...values }])
  await report({ state: 'failed', reason: 'No such number.' })
  expect(await state()).toMatchObject({
    last_error: 'A message was not delivered. No such number.',
    recovered_at: null,
  })
  await report({ state: 'delivered' })
  expect((await state()).recovered_at).not.toBe(null)
})

test('a gateway that keeps failing is reported to Admins once, and again only after it has worked', async () => {
  const path = `/${randomUUID()}`
  const { api, post, state, company_id } = await someone({ webhook_url: receiver.url + path })
  let isDown = true
  receiver.answer = (_, response) => response.writeHead(isDown ? 500 : 200).end()
  const conversations: string[] = []
  for (const thread of ['chat-1', 'chat-2', 'chat-3'])
    conversations.push((await post([written({ thread, from: { address: thread } })])).items[0]!.conversation_id)
  /** Its answer to these attempts is known. */
  const tried = (attempts: number[]) =>
    soon(async () => {
      const { rows } = await kith.pool.query<{ attempts: number }>(
        `select attempts from messages where company_id = $1 and direction = 'out' and state = 'waiting' and state_reason is not null
          order by at, attempts desc`,
        [company_id],
      )
      expect(rows.map((row) => row.attempts)).toEqual(attempts)
    })
  await api.sendMessage({ conversation_id: conversations[0]!, text: 'One' })
  await tried([1])
  expect(await state()).toMatchObject({ state: 'failing' })
  pass(2)
  await tried([2])
  expect(await failures(api)).toEqual([])
  pass(6)
  await tried([3])
  await soon(async () => expect(await failures(api)).toHaveLength(1))
  expect((await failures(api))[0]).toMatchObject({
    text: 'The channel “Chat” is not working. The gateway responded with 500. Check its log.',
  })
  await api.markNotificationsRead({})
  for (const conversation_id of conversations.slice(1)) await api.sendMessage({ conversation_id, text: 'Two' })
  await tried([3, 1, 1])
  pass(40)
  await tried([4, 2, 2])
  await worker.wake()
  expect(await failures(api)).toHaveLength(1)
  isDown = false
  pass(130)
  await soon(async () => {
    const { rows } = await kith.pool.query(
      `select id from messages where company_id = $1 and direction = 'out' and state in ('waiting', 'sending')`,
      [company_id],
    )
    expect(rows).toEqual([])
  })
  await soon(async () => expect(await state()).toMatchObject({ state: 'synced', recovered_at: expect.any(String) }))
  isDown = true
  await api.sendMessage({ conversation_id: conversations[0]!, text: 'Three' })
  await tried([1])
  pass(7)
  await soon(async () => expect(await failures(api)).toHaveLength(2))
})

test('a program that stopped fetching is reported once while messages wait, until it fetches again', async () => {
  const { api, post, fetch, state, channel } = await someone()
  const look = () => worker.run('note_silent_gateways', {})
  const { conversation_id } = (await post([written()])).items[0]!
  await fetch()
  kith.minutes(10)
  await look()
  expect(await state()).toMatchObject({ state: 'synced', last_error: null })
  const { message } = await api.sendMessage({ conversation_id, text: 'One' })
  kith.minutes(4)
  await look()
  expect(await state()).toMatchObject({ state: 'synced' })
  kith.minutes(2)
  await look()
  const { state: name, state_reason } = await api.getChannel({ id: channel.id })
  expect(name).toBe('failing')
  expect(state_reason).toMatch(/^Your app has not fetched messages since .+ [AP]M\.$/)
  await soon(async () => expect(await failures(api)).toHaveLength(1))
  kith.minutes(10)
  await look()
  await worker.wake()
  expect(await failures(api)).toHaveLength(1)
  expect((await fetch()).items).toHaveLength(1)
  expect(await state()).toMatchObject({
    state: 'synced',
    recovered_at: kith.time.now.toISOString(),
    last_delivered_at: null,
  })
  await post([{ kind: 'state', message_id: message!.id, state: 'failed', reason: 'No such number.' }])
  expect((await state()).last_delivered_at).toBe(null)
  await post([{ kind: 'state', message_id: message!.id, state: 'delivered' }])
  expect((await state()).last_delivered_at).toBe(kith.time.now.toISOString())
})

test.each(['a test succeeds', 'its webhook address is changed'])(
  'after an outage, what waits is sent as soon as %s, but not what is scheduled',
  async (how) => {
    const path = `/${randomUUID()}`
    const { api, post, state, channel } = await someone({ webhook_url: receiver.url + path })
    let isDown = true
    receiver.answer = (_, response) => response.writeHead(isDown ? 500 : 200).end()
    const { conversation_id } = (await post([written()])).items[0]!
    const { message } = await api.sendMessage({ conversation_id, text: 'One' })
    const send_at = new Date(kith.time.now.getTime() + 86_400_000).toISOString()
    const scheduled = await api.sendMessage({ conversation_id, text: 'Tomorrow', send_at })
    const stored = async (id: string) => {
      const { messages } = await api.getConversation({ id: conversation_id })
      return messages.find((one) => one.id === id)
    }
    await soon(async () => expect((await stored(message!.id))?.state_reason).toContain('500'))
    expect(await state()).toMatchObject({ state: 'failing' })
    isDown = false
    if (how === 'a test succeeds') {
      expect(await api.testApiChannel({ id: channel.id })).toMatchObject({ is_success: true })
      expect(await state()).toMatchObject({ state: 'synced' })
    } else await api.updateApiChannel({ id: channel.id, webhook_url: `${receiver.url}/${randomUUID()}` })
    await soon(async () => expect(await stored(message!.id)).toMatchObject({ state: 'sent' }))
    expect(await state()).toMatchObject({ state: 'synced' })
    expect(await stored(scheduled.message!.id)).toMatchObject({ state: 'waiting', send_at })
  },
)

test('after a long outage, one message that arrives brings all that wait', async () => {
  const path = `/${randomUUID()}`
  const { api, post, state } = await someone({ webhook_url: receiver.url + path })
  let isDown = true
  receiver.answer = (_, response) => response.writeHead(isDown ? 500 : 200).end()
  const conversations: string[] = []
  for (const thread of ['chat-1', 'chat-2'])
    conversations.push((await post([written({ thread, from: { address: thread } })])).items[0]!.conversation_id)
  const last = async (id: string) =>
    (await api.getConversation({ id })).messages.findLast((one) => one.direction === 'out')
  await api.sendMessage({ conversation_id: conversations[0]!, text: 'One' })
  const waits = (minutes: number) =>
    soon(async () =>
      expect(Date.parse((await last(conversations[0]!))!.send_at!) - kith.time.now.getTime()).toBe(minutes * 60_000),
    )
  await waits(1)
  pass(1)
  await waits(5)
  pass(5)
  await waits(30)
  isDown = false
  await api.sendMessage({ conversation_id: conversations[1]!, text: 'Two' })
  for (const id of conversations) await soon(async () => expect(await last(id)).toMatchObject({ state: 'sent' }))
  expect(await state()).toMatchObject({ state: 'synced' })
})

test('a provider that does not accept the credentials any more is reported at once', async () => {
  const admin = await kith.given.company()
  const api = kith.withSession(await kith.given.session(admin))
  twilio.state.answer = (_, response) => say(response, 200, { sid: 'AC1' })
  const { id } = await api.connectTwilioNumber({ account_sid: 'AC1', auth_token: 'tok', number: '+442079460000' })
  twilio.state.answer = (_, response) => say(response, 401, { message: 'Authenticate' })
  for (const to of ['+442079460018', '+442079460019'])
    await api.sendMessage({ channel_id: id, to: [to], text: 'Hello' })
  await soon(async () =>
    expect(await failures(api)).toMatchObject([
      { text: expect.stringContaining('is not working. Twilio: Authenticate') },
    ]),
  )
  await soon(async () => expect(twilio.calls.filter(({ method }) => method === 'POST')).toHaveLength(2))
  await worker.wake()
  expect(await failures(api)).toHaveLength(1)
})

test('addresses of channels answer with what is wrong, as JSON', async () => {
  const { channel, api } = await someone()
  const { gateway } = await api.getChannel({ id: channel.id })
  const { pathname } = new URL(gateway!.post_address!)
  const asked = async (path: string, init?: RequestInit) => {
    const response = await kith.send(path, init)
    expect(response.headers.get('content-type')).toContain('application/problem+json')
    const { status, detail } = (await response.json()) as { status: number; detail: string }
    return `${status} ${detail}`
  }
  expect(await asked(pathname)).toBe('405 GET is not supported here. Use POST.')
  expect(await asked(pathname, { method: 'PUT', body: '{}' })).toBe('405 PUT is not supported here. Use POST.')
  expect(await asked(new URL(gateway!.fetch_address!).pathname)).toMatch(/^405 /)
  const wrong = `/public/channels/${'x'.repeat(43)}`
  for (const [path, method] of [
    ['messages', 'POST'],
    ['outgoing', 'POST'],
    ['telegram', 'POST'],
    ['twilio', 'POST'],
    ['whatsapp', 'POST'],
    ['whatsapp', 'GET'],
  ] as const)
    expect(await asked(`${wrong}/${path}`, { method })).toMatch(/^404 Channel not found. Copy its address/)
  expect(await asked(wrong)).toMatch(/^404 /)
  expect(await asked(`${pathname}/more`, { method: 'POST', body: '{}' })).toMatch(/^404 /)
})
