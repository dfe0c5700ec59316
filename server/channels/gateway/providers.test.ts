import { createHmac, randomUUID } from 'node:crypto'
import { TelegramServer } from 'telegram-test-api/lib/telegramServer.js'
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js'
import { afterAll, describe, expect, test } from 'vitest'
import { WhatsAppAPI } from 'whatsapp-api-js'
import { testApp } from '../../../test/app.ts'
import { freePort } from '../../../test/process.ts'
import { say, testProvider } from '../../../test/provider.ts'
import { soon, testWorker } from '../../../test/worker.ts'

const telegramPort = await freePort()
const telegram = new TelegramServer({ port: telegramPort, host: '127.0.0.1' })
await telegram.start()
afterAll(() => telegram.stop())
const busy = await testProvider()
const twilio = await testProvider()
const whatsapp = await testProvider()
const providers = { telegram: telegram.config.apiURL, twilio: twilio.url, whatsapp: whatsapp.url }
const kith = await testApp({ providers })
const worker = await testWorker(kith)
const publicKith = await testApp({ providers, baseUrl: 'https://crm.example.com' })

/** With https, the cookie has another name. */
const someone = async (of = kith) => {
  const token = await of.given.session(await of.given.company())
  return of.withSession(of === publicKith ? `none; __Host-kith_session=${token}` : token)
}
type Api = Awaited<ReturnType<typeof someone>>
const newest = async (api: Api) => {
  const { items } = await api.listConversations({})
  const { conversation, messages } = await api.getConversation({ id: items[0]!.id })
  return { conversation, messages: messages.filter(({ kind }) => kind === 'message') }
}
const pathOf = (address: string) => new URL(address).pathname

describe('a Telegram bot', () => {
  test('without a public address is asked for updates; answers arrive in the chat', async () => {
    const api = await someone()
    const token = `${Date.now()}:abc`
    const channel = await api.connectTelegramBot({ token })
    expect(channel).toMatchObject({ kind: 'telegram', address: '@TestNameBot' })
    const ada = telegram.getClient(token, { userId: 77, chatId: 77, firstName: 'Ada', timeout: 20_000 })
    await ada.sendMessage(ada.makeMessage('Is it still available?'))
    await soon(async () =>
      expect((await newest(api)).conversation).toMatchObject({
        preview: 'Is it still available?',
        participants: [{ address: '77', name: 'Ada' }],
      }),
    )
    const { conversation } = await newest(api)
    await api.sendMessage({ conversation_id: conversation.id, text: 'Yes, it is.' })
    const { result } = await ada.getUpdates()
    expect(result).toMatchObject([{ message: { chat_id: '77', text: 'Yes, it is.' } }])
    await soon(async () => expect((await newest(api)).messages.at(-1)).toMatchObject({ state: 'sent' }))
    await expect(api.sendMessage({ conversation_id: conversation.id, text: 'x'.repeat(4097) })).toBeRefused(422)
    expect(await api.sendTestMessage({ id: channel.id, to: '77' })).toMatchObject({ is_success: true })
  })

  test('with a public address gets a webhook with a secret, edits included, which is removed when it is disconnected', async () => {
    const api = await someone(publicKith)
    const token = `${Date.now()}:webhook`
    const { id } = await api.connectTelegramBot({ token, name: 'Support' })
    const { webhooks } = telegram as unknown as { webhooks: Record<string, { url: string; secret_token: string }> }
    const { url, secret_token } = webhooks[token]!
    const update = (secret: string, content: object) =>
      publicKith.send(pathOf(url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
        body: JSON.stringify({ update_id: 1, ...content }),
      })
    const message = {
      message_id: 5,
      date: 1_780_000_000,
      chat: { id: 9, type: 'private' },
      from: { id: 9 },
      text: 'Helo',
    }
    expect((await update('wrong', { message })).status).toBe(401)
    expect((await update(secret_token, { message })).status).toBe(200)
    expect((await update(secret_token, { message })).status).toBe(200)
    await update(secret_token, { edited_message: { ...message, edit_date: 1_780_000_060, text: 'Hello' } })
    const { messages } = await newest(api)
    expect(messages).toMatchObject([{ text: 'Hello', earlier_texts: ['Helo'] }])
    await api.disconnectChannel({ id })
    expect(webhooks[token]).toBeUndefined()
  })

  test('that asks for patience gets the message later; one that blocked us is a failure with its reason', async () => {
    const own = await testApp({ providers: { telegram: busy.url } })
    const ownWorker = await testWorker(own)
    const api = await someone(own)
    let blocked = false
    let sent = 0
    busy.state.answer = ({ path }, response) => {
      if (path.endsWith('/getMe')) return say(response, 200, { ok: true, result: { id: 1, username: 'busy' } })
      if (path.endsWith('/getUpdates')) return say(response, 200, { ok: true, result: [] })
      if (!path.endsWith('/sendMessage')) return say(response, 200, { ok: true, result: true })
      if (blocked) return say(response, 403, { ok: false, description: 'Forbidden: bot was blocked by the user' })
      if (++sent === 1)
        return say(response, 429, { ok: false, description: 'Too Many Requests', parameters: { retry_after: 90 } })
      return say(response, 200, { ok: true, result: { message_id: 3 } })
    }
    const { id } = await api.connectTelegramBot({ token: '5:busy' })
    const { conversation_id } = await api.sendMessage({ channel_id: id, to: ['42'], text: 'Hello' })
    const last = async () => (await api.getConversation({ id: conversation_id })).messages.at(-1)!
    await soon(async () =>
      expect(await last()).toMatchObject({ state: 'waiting', state_reason: expect.stringContaining('Too Many') }),
    )
    own.minutes(1)
    ownWorker.sendMessages()
    // When a message of another bot is sent, this one would have been tried too.
    const others = await someone(own)
    const calm = await others.connectTelegramBot({ token: '6:calm' })
    const other = await others.sendMessage({ channel_id: calm.id, to: ['43'], text: 'Hello' })
    await soon(async () => {
      const { messages } = await others.getConversation({ id: other.conversation_id })
      expect(messages.at(-1)).toMatchObject({ state: 'sent' })
    })
    expect(sent).toBe(2)
    own.minutes(1)
    ownWorker.sendMessages()
    await soon(async () => expect(await last()).toMatchObject({ state: 'sent', provider_id: '42:3' }))
    blocked = true
    await api.sendMessage({ conversation_id, text: 'Again' })
    await soon(async () =>
      expect(await last()).toMatchObject({ state: 'failed', state_reason: expect.stringContaining('blocked') }),
    )
  })
})

describe('a Twilio number', () => {
  const secrets = { account_sid: 'AC1', auth_token: 'tok', number: '+44 20 7946 0000' }
  const answer = (sid = `SM${randomUUID()}`) => {
    twilio.state.answer = ({ path, headers }, response) => {
      if (headers.authorization !== `Basic ${btoa('AC1:tok')}`) return say(response, 401, { message: 'Authenticate' })
      return path.endsWith('/Messages.json') ? say(response, 201, { sid }) : say(response, 200, { sid: 'AC1' })
    }
    return sid
  }
  const posting = (address: string, fields: Record<string, string>, signature?: string) =>
    kith.send(address.slice(new URL(address).origin.length), {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': signature ?? getExpectedTwilioSignature('tok', address, fields),
      },
      body: new URLSearchParams(fields).toString(),
    })

  test('is tried before it is saved; messages are taken by their signature, and states by the message they name', async () => {
    const api = await someone()
    answer()
    await expect(api.connectTwilioNumber({ ...secrets, auth_token: 'wrong' })).toBeRefused(422)
    const channel = await api.connectTwilioNumber(secrets)
    const { gateway } = await api.getChannel({ id: channel.id })
    const address = gateway!.setup[0]!.value
    const message = {
      MessageSid: 'SM1',
      From: '+442079460018',
      To: '+442079460000',
      Body: 'Hello & welcome',
      NumMedia: '0',
    }
    expect((await posting(address, message, 'wrong')).status).toBe(401)
    const taken = await posting(address, message)
    expect([taken.status, await taken.text()]).toEqual([200, '<Response/>'])
    await posting(address, message)
    const { conversation, messages } = await newest(api)
    expect(messages).toMatchObject([{ text: 'Hello & welcome', from_address: '+442079460018' }])
    const sid = answer()
    const { message: sent } = await api.sendMessage({ conversation_id: conversation.id, text: 'Thank you' })
    await soon(async () =>
      expect((await newest(api)).messages.at(-1)).toMatchObject({ state: 'sent', provider_id: sid }),
    )
    const fields = new URLSearchParams(twilio.calls.at(-1)!.body)
    expect(Object.fromEntries(fields)).toMatchObject({ To: '+442079460018', From: '+442079460000', Body: 'Thank you' })
    const callback = fields.get('StatusCallback')!
    expect(callback).toContain(sent!.id)
    expect((await posting(callback, { MessageSid: sid, MessageStatus: 'delivered' })).status).toBe(200)
    await posting(callback, { MessageSid: sid, MessageStatus: 'sent' })
    expect((await newest(api)).messages.at(-1)).toMatchObject({ state: 'delivered' })
  })

  test('whose answer does not come leaves the message as unknown, and does not send it twice', async () => {
    const api = await someone()
    answer()
    const { id } = await api.connectTwilioNumber(secrets)
    const before = twilio.calls.length
    twilio.state.answer = (_, response) => void response.destroy()
    const { conversation_id } = await api.sendMessage({ channel_id: id, to: ['+442079460019'], text: 'Once' })
    const last = async () => (await api.getConversation({ id: conversation_id })).messages.at(-1)!
    await soon(async () => expect(await last()).toMatchObject({ state: 'unknown' }))
    kith.minutes(10)
    worker.sendMessages()
    // When a message to someone else is sent, this one would have been tried too.
    answer()
    const other = await api.sendMessage({ channel_id: id, to: ['+442079460020'], text: 'Later' })
    await soon(async () => {
      const { messages } = await api.getConversation({ id: other.conversation_id })
      expect(messages.at(-1)).toMatchObject({ state: 'sent' })
    })
    expect(await last()).toMatchObject({ state: 'unknown' })
    expect(twilio.calls.length).toBe(before + 2)
  })
})

describe('a WhatsApp number', () => {
  const ids = { phone_number_id: '111', business_account_id: '222' }
  const secrets = { access_token: 'EAA', app_secret: 'app secret' }
  const headersFor = (body: string, secret = secrets.app_secret) => ({
    'content-type': 'application/json',
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  })
  const connected = async () => {
    const api = await someone()
    whatsapp.state.answer = ({ path }, response) => {
      if (path.includes('/messages')) return say(response, 200, { messages: [{ id: `wamid.${randomUUID()}` }] })
      if (path.includes('/message_templates'))
        return say(response, 200, {
          data: [
            { name: 'shipped', language: 'en', status: 'APPROVED', components: [{ type: 'BODY', text: 'Hi {{1}}' }] },
          ],
        })
      return say(response, 200, { display_phone_number: '+44 20 7946 0001', verified_name: 'Acme' })
    }
    const channel = await api.connectWhatsAppNumber({ ...ids, ...secrets })
    const { gateway } = await api.getChannel({ id: channel.id })
    const [callback, token] = gateway!.setup.map(({ value }) => value) as [string, string]
    const post = (value: object, secret?: string) => {
      const content = { object: 'whatsapp_business_account', entry: [{ changes: [{ field: 'messages', value }] }] }
      const body = JSON.stringify(content)
      return kith.send(pathOf(callback), { method: 'POST', headers: headersFor(body, secret), body })
    }
    const about = { metadata: { phone_number_id: '111' } }
    const writes = (text: string, id = `wamid.${randomUUID()}`) => ({
      ...about,
      contacts: [{ wa_id: '442079460018', profile: { name: 'Ada' } }],
      messages: [
        {
          id,
          from: '442079460018',
          timestamp: String(kith.time.now.getTime() / 1000),
          type: 'text',
          text: { body: text },
        },
      ],
    })
    return { api, channel, callback, token, post, about, writes }
  }

  test('proves its address to Meta, and takes messages and states by their signature', async () => {
    const { api, channel, callback, token, post, about, writes } = await connected()
    expect(channel).toMatchObject({ kind: 'whatsapp', address: '+442079460001', name: 'Acme' })
    const ask = (secret: string) =>
      kith.send(`${pathOf(callback)}?hub.mode=subscribe&hub.challenge=12345&hub.verify_token=${secret}`)
    expect((await ask('wrong')).status).toBe(403)
    expect(await (await ask(token)).text()).toBe('12345')
    const message = writes('Hello')
    expect((await post(message, 'another secret')).status).toBe(401)
    expect((await post(message)).status).toBe(200)
    await post(message)
    const { conversation, messages } = await newest(api)
    expect(messages).toMatchObject([{ text: 'Hello', from_address: '+442079460018', from_name: 'Ada' }])
    const { message: sent } = await api.sendMessage({ conversation_id: conversation.id, text: 'Welcome' })
    await soon(async () => expect((await newest(api)).messages.at(-1)).toMatchObject({ state: 'sent' }))
    const got = JSON.parse(whatsapp.calls.findLast(({ path }) => path.endsWith('/messages'))!.body)
    expect(got).toMatchObject({ to: '442079460018', type: 'text', text: { body: 'Welcome' } })
    const wamid = (await newest(api)).messages.at(-1)!.provider_id
    const status = (name: string) => ({
      id: wamid,
      status: name,
      timestamp: '1780000000',
      biz_opaque_callback_data: sent!.id,
    })
    await post({ ...about, statuses: [status('read')] })
    await post({ ...about, statuses: [status('delivered')] })
    expect((await newest(api)).messages.at(-1)).toMatchObject({ state: 'read' })
  })

  test('is signed as another implementation expects it', async () => {
    const referee = new WhatsAppAPI({ token: 'x', appSecret: secrets.app_secret, v: 'v23.0' })
    const body = '{"entry":[]}'
    expect(await referee.verifyRequestSignature(body, headersFor(body)['x-hub-signature-256'])).toBe(true)
  })

  test('takes free text for 24 hours after the customer wrote, and templates at any time', async () => {
    const { api, channel, post, writes } = await connected()
    await post(writes('Hello'))
    const { conversation } = await newest(api)
    kith.minutes(23 * 60)
    expect((await api.sendMessage({ conversation_id: conversation.id, text: 'In time' })).message).not.toBe(null)
    kith.minutes(2 * 60)
    const refusal = api.sendMessage({ conversation_id: conversation.id, text: 'Too late' })
    await expect(refusal).rejects.toMatchObject({
      problem: { status: 409, detail: expect.stringMatching(/24 hours.*until 2026-.*template/) },
    })
    const { items } = await api.listProviderTemplates({ id: channel.id })
    expect(items).toEqual([{ name: 'shipped', language: 'en', state: 'APPROVED', text: 'Hi {{1}}', variables: 1 }])
    const provider_template = { name: 'shipped', language: 'en', values: ['Ada'] }
    await api.sendMessage({ conversation_id: conversation.id, text: 'Hi Ada', provider_template })
    await soon(async () => {
      const got = JSON.parse(whatsapp.calls.findLast(({ path }) => path.endsWith('/messages'))!.body)
      expect(got).toMatchObject({ type: 'template', template: { name: 'shipped', language: { code: 'en' } } })
    })
  })

  test('keeps people apart who hide their phone number, and answers them by their ID', async () => {
    const { api, post, about } = await connected()
    const hidden = (user: string, text: string, from?: string) => ({
      ...about,
      contacts: [
        { user_id: user, profile: { name: `Name of ${user}`, username: 'someone' }, ...(from && { wa_id: from }) },
      ],
      messages: [
        {
          id: `wamid.${randomUUID()}`,
          from_user_id: user,
          ...(from && { from }),
          type: 'text',
          text: { body: text },
          timestamp: String(kith.time.now.getTime() / 1000),
        },
      ],
    })
    await post(hidden('US.1349120865', 'I am one'))
    await post(hidden('BR.1502576394', 'I am two'))
    await post(hidden('US.1349120865', 'One again'))
    const { items } = await api.listConversations({})
    expect(
      items.map(({ participants, message_count }) => [participants[0]!.address, message_count]).toSorted(),
    ).toEqual([
      ['BR.1502576394', 1],
      ['US.1349120865', 2],
    ])
    const one = items.find(({ participants }) => participants[0]!.address === 'US.1349120865')!
    expect(one.participants).toMatchObject([{ name: 'Name of US.1349120865' }])
    await api.sendMessage({ conversation_id: one.id, text: 'Welcome' })
    const last = () => whatsapp.calls.findLast(({ path }) => path.endsWith('/messages'))
    await soon(async () => expect(JSON.parse(last()!.body)).toMatchObject({ recipient: 'US.1349120865' }))
    expect(JSON.parse(last()!.body)).not.toHaveProperty('to')

    // Someone whose number was known hides it: it stays the same conversation.
    await post(hidden('GB.77', 'With my number', '442079460077'))
    await post(hidden('GB.77', 'Without it'))
    const { conversation, messages } = await newest(api)
    expect(messages.map(({ text }) => text)).toEqual(['With my number', 'Without it'])
    expect(conversation.participants[0]).toMatchObject({ address: '+442079460077' })
  })

  test('takes what Meta posts to the address of another number of the same app', async () => {
    const { api, post } = await connected()
    whatsapp.state.answer = (_, response) => say(response, 200, { display_phone_number: '+44 20 7946 0002' })
    const second = await api.connectWhatsAppNumber({ ...secrets, ...ids, phone_number_id: '333', name: 'Second' })
    whatsapp.state.answer = (_, response) => say(response, 200, { display_phone_number: '+44 20 7946 0003' })
    await api.connectWhatsAppNumber({ ...secrets, ...ids, phone_number_id: '444', app_secret: 'of another app' })
    const to = (phone_number_id: string, text: string) => ({
      metadata: { phone_number_id },
      contacts: [{ wa_id: '442079460019', profile: { name: 'Bea' } }],
      messages: [
        {
          id: `wamid.${randomUUID()}`,
          from: '442079460019',
          type: 'text',
          text: { body: text },
          timestamp: String(kith.time.now.getTime() / 1000),
        },
      ],
    })
    for (const number of ['333', '444', '555']) expect((await post(to(number, `To ${number}`))).status).toBe(200)
    const { items } = await api.listConversations({})
    expect(items).toMatchObject([{ channel_id: second.id, preview: 'To 333' }])
    expect(items).toHaveLength(1)
  })
})
