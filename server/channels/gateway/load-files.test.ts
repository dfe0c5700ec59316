// Files of messages, in both directions.
import { createHmac, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { givenGateway, written } from '../../../test/gateway.ts'
import { type Called, say, testProvider } from '../../../test/provider.ts'
import { soon, testWorker } from '../../../test/worker.ts'

const provider = await testProvider()
const files = await testProvider()
const kith = await testApp({ providers: { telegram: provider.url, twilio: provider.url, whatsapp: provider.url } })
await testWorker(kith)

const picture = Buffer.from('\x89PNG\r\n\x1a\n picture', 'latin1')
const sendPicture = (response: ServerResponse) => void response.writeHead(200).end(picture)
const someone = async () => kith.withSession(await kith.given.session(await kith.given.company()))
type Api = Awaited<ReturnType<typeof someone>>

async function newest(api: Api) {
  const { items } = await api.listConversations({})
  const { messages } = await api.getConversation({ id: items[0]!.id })
  return messages.filter(({ kind }) => kind === 'message').at(-1)!
}

const upload = async (api: Api, name: string, content: string) =>
  (await api.uploadFile({ purpose: 'message', name, file: new Blob([content]) })).id

describe('an API channel', () => {
  const given = async () => givenGateway(kith, await kith.given.company())

  test('gets files as base64 or from their url', async () => {
    const { api, post } = await given()
    files.state.answer = (_, response) => sendPicture(response)
    const content = Buffer.from('a lamp').toString('base64')
    const both = [
      { name: 'lamp.txt', content },
      { name: 'lamp.png', url: `${files.url}/lamp.png` },
    ]
    expect(await post([written({ text: '', files: both })])).toMatchObject({ status: 200 })
    expect((await newest(api)).files).toMatchObject([
      { name: 'lamp.txt', size: 6 },
      { name: 'lamp.png', size: picture.length },
    ])
    const large = Buffer.alloc(10 * 1024 * 1024 + 1).toString('base64')
    expect(await post([written({ files: [{ name: 'x', content: large }] })])).toMatchObject({ status: 413 })
  })

  test('gets a message whose file cannot be loaded all the same, with a note in its place', async () => {
    const { api, post } = await given()
    files.state.answer = ({ path }, response) =>
      path === '/gone'
        ? say(response, 404, {})
        : path === '/large'
          ? void response.end(Buffer.alloc(11 << 20))
          : void response.destroy()
    const before = files.calls.length
    const dead = [
      { name: 'gone.jpg', url: `${files.url}/gone` },
      { name: 'away.jpg', url: `${files.url}/away` },
      { name: 'large.mov', url: `${files.url}/large` },
      { name: 'inside.txt', url: 'http://10.0.0.1/secret' },
    ]
    const message = written({ text: 'Look', files: dead })
    const { status, items } = await post([message, written({ text: 'Next' })])
    expect(status).toBe(200)
    expect(items).toMatchObject([
      {
        result: 'stored',
        missing_files: [
          { name: 'gone.jpg', reason: 'The server responded with 404.' },
          { name: 'away.jpg' },
          { name: 'large.mov', reason: 'It is too large.' },
          { name: 'inside.txt' },
        ],
      },
      { result: 'stored' },
    ])
    expect(items[1]).not.toHaveProperty('missing_files')
    const { messages } = await api.getConversation({ id: items[0]!.conversation_id })
    const notes = dead.map(({ name }) => `[${name} could not be loaded]`)
    expect(messages[0]).toMatchObject({ text: ['Look', ...notes].join('\n'), files: [] })
    expect(messages[1]).toMatchObject({ text: 'Next' })
    // What may pass was tried again; what cannot was not.
    expect(
      files.calls
        .slice(before)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['/away', '/away', '/away', '/gone', '/large'])
    const html = written({ html: '<p>Hello</p>', text: '', files: dead.slice(0, 1) })
    await post([html])
    expect(await newest(api)).toMatchObject({ text: expect.stringContaining('[gone.jpg could not be loaded]') })
  })
})

describe('a Telegram bot', () => {
  const connected = async (download: (response: ServerResponse) => void) => {
    const api = await someone()
    const updates: object[] = []
    let sent = 0
    provider.state.answer = ({ path }, response) => {
      const method = path.split('/').at(-1)
      if (method === 'getMe') return say(response, 200, { ok: true, result: { id: 1, username: `bot${randomUUID()}` } })
      if (method === 'getUpdates') return say(response, 200, { ok: true, result: updates.splice(0) })
      if (method === 'getFile') return say(response, 200, { ok: true, result: { file_path: 'photos/1.jpg' } })
      if (path.startsWith('/file/')) return download(response)
      return say(response, 200, { ok: true, result: { message_id: ++sent } })
    }
    const { id } = await api.connectTelegramBot({ token: '7:files' })
    const write = (content: object) =>
      updates.push({
        update_id: 1,
        message: {
          message_id: 5,
          date: 1_780_000_000,
          chat: { id: 9, type: 'private' },
          from: { id: 9, first_name: 'Ada' },
          ...content,
        },
      })
    return { api, id, write }
  }

  test('takes a photo and a document, and sends files', async () => {
    const { api, id, write } = await connected(sendPicture)
    write({
      caption: 'My lamp',
      photo: [{ file_id: 'small' }, { file_id: 'large' }],
      document: { file_id: 'd', file_name: 'bill.pdf' },
    })
    await soon(async () => expect(await newest(api)).toMatchObject({ text: 'My lamp' }))
    const message = await newest(api)
    expect(message.files.map(({ name }) => name).sort()).toEqual(['bill.pdf', 'photo.jpg'])
    const asked = provider.calls
      .filter(({ path }) => path.endsWith('/getFile'))
      .map(({ body }) => JSON.parse(body).file_id)
    expect(asked).toEqual(['d', 'large'])
    const file_id = await upload(api, 'offer.txt', 'the offer')
    await api.sendMessage({ conversation_id: message.conversation_id, text: 'Our offer', file_ids: [file_id] })
    await soon(async () => expect(await newest(api)).toMatchObject({ state: 'sent' }))
    const form = provider.calls.findLast(({ path }) => path.endsWith('/sendDocument'))!
    expect(form.body).toContain('filename="offer.txt"')
    expect(form.body).toContain('the offer')
    expect(form.path).toContain('/bot7:files/')
    await api.disconnectChannel({ id })
  })

  test('gets a message whose file cannot be loaded all the same, and the next one', async () => {
    const { api, id, write } = await connected((response) => say(response, 404, {}))
    write({ photo: [{ file_id: 'p' }] })
    await soon(async () => expect(await newest(api)).toMatchObject({ text: '[photo.jpg could not be loaded]' }))
    write({ message_id: 6, document: { file_id: 'film', file_name: 'film.mov', file_size: 30 << 20 } })
    await soon(async () => expect(await newest(api)).toMatchObject({ text: '[film.mov could not be loaded]' }))
    await api.disconnectChannel({ id })
  })
})

test('a picture by MMS arrives from where Twilio redirects to, without the credentials; without it, the text arrives', async () => {
  const api = await someone()
  let isGone = false
  const loads: Called[] = []
  provider.state.answer = (called, response) => {
    if (!called.path.startsWith('/media') && !called.path.startsWith('/cdn')) return say(response, 200, { sid: 'AC1' })
    loads.push(called)
    if (isGone) return say(response, 404, {})
    if (called.path.startsWith('/cdn')) return sendPicture(response)
    return void response.writeHead(307, { location: '/cdn/1' }).end()
  }
  const { id } = await api.connectTwilioNumber({ account_sid: 'AC1', auth_token: 'tok', number: '+442079460000' })
  const address = (await api.getChannel({ id })).gateway!.setup[0]!.value
  const receive = (sid: string) => {
    const media = { NumMedia: '1', MediaUrl0: `${provider.url}/media/1`, MediaContentType0: 'image/png' }
    const fields = { MessageSid: sid, From: '+442079460018', To: '+442079460000', Body: 'My lamp', ...media }
    return kith.send(new URL(address).pathname, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': getExpectedTwilioSignature('tok', address, fields),
      },
      body: new URLSearchParams(fields).toString(),
    })
  }
  expect((await receive('SM1')).status).toBe(200)
  expect(await newest(api)).toMatchObject({ text: 'My lamp', files: [{ name: 'media-1.png', size: picture.length }] })
  expect(loads.map(({ headers }) => headers.authorization)).toEqual([`Basic ${btoa('AC1:tok')}`, undefined])
  isGone = true
  expect((await receive('SM2')).status).toBe(200)
  expect(await newest(api)).toMatchObject({ text: 'My lamp\n[media-1.png could not be loaded]', files: [] })
})

test('WhatsApp media arrive and are sent; a message whose media cannot be loaded arrives all the same', async () => {
  const api = await someone()
  let isGone = false
  provider.state.answer = ({ path }, response) => {
    if (path === '/media-7')
      return isGone ? say(response, 400, {}) : say(response, 200, { url: `${provider.url}/download` })
    if (path === '/download') return sendPicture(response)
    if (path.endsWith('/media')) return say(response, 200, { id: 'uploaded-1' })
    if (path.endsWith('/messages')) return say(response, 200, { messages: [{ id: `wamid.${randomUUID()}` }] })
    return say(response, 200, { display_phone_number: '+44 20 7946 0001', verified_name: 'Acme' })
  }
  const ids = { phone_number_id: '111', business_account_id: '222' }
  const { id } = await api.connectWhatsAppNumber({ ...ids, access_token: 'EAA', app_secret: 'secret' })
  const callback = new URL((await api.getChannel({ id })).gateway!.setup[0]!.value).pathname
  const receive = (type: string, media: object) => {
    const timestamp = String(kith.time.now.getTime() / 1000)
    const message = {
      id: `wamid.${randomUUID()}`,
      from: '442079460018',
      timestamp,
      type,
      [type]: { id: 'media-7', ...media },
    }
    const value = { metadata: { phone_number_id: '111' }, messages: [message] }
    const body = JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }] })
    const signature = `sha256=${createHmac('sha256', 'secret').update(body).digest('hex')}`
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
    return kith.send(callback, { method: 'POST', headers, body })
  }
  expect((await receive('image', { mime_type: 'image/png', caption: 'My lamp' })).status).toBe(200)
  const message = await newest(api)
  expect(message).toMatchObject({ text: 'My lamp', files: [{ name: 'image.png', size: picture.length }] })
  expect(provider.calls.find(({ path }) => path === '/download')!.headers.authorization).toBe('Bearer EAA')
  isGone = true
  expect((await receive('document', { filename: 'bill.pdf', mime_type: 'application/pdf' })).status).toBe(200)
  expect(await newest(api)).toMatchObject({ text: '[bill.pdf could not be loaded]', files: [] })
  const file_id = await upload(api, 'offer.txt', 'the offer')
  await api.sendMessage({ conversation_id: message.conversation_id, text: 'Our offer', file_ids: [file_id] })
  await soon(async () => expect(await newest(api)).toMatchObject({ state: 'sent' }))
  expect(provider.calls.findLast(({ path }) => path.endsWith('/media'))!.body).toContain('the offer')
  expect(JSON.parse(provider.calls.findLast(({ path }) => path.endsWith('/messages'))!.body)).toMatchObject({
    type: 'document',
    document: { id: 'uploaded-1', filename: 'offer.txt', caption: 'Our offer' },
  })
})
