// The content of a message in its frame: safe, with its own policy, and without loading anything by itself.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import type { GivenUser } from '../../../test/given.ts'
import { inboxFor } from '../../../test/inbox.ts'
import type { ChannelRow } from '../channels/channel.ts'

const kith = await testApp()
const { given } = kith
const inbox = inboxFor(kith)
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)
let admin: GivenUser
let team: ChannelRow

beforeEach(async () => {
  admin = await given.company()
  team = await inbox.channel(admin, { address: 'support@acme.example' })
})

const body = async (id: string, query = '') => {
  const headers = { cookie: `kith_session=${await given.session(admin)}` }
  const response = await kith.send(`/app/api/messages/${id}/body${query}`, { headers })
  return { response, html: await response.text() }
}

test('it is served with a policy under which nothing runs or loads, and only our pages may show it', async () => {
  const { messageId } = await inbox.arrives(team, { html: '<p onclick="x()">Hi<script>x()</script></p>' })
  const { response, html } = await body(messageId)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const policy = response.headers.get('content-security-policy')!
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'self'")
  expect(policy).not.toContain('allow-scripts')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(html).toContain('<p>Hi</p>')
  expect(html).not.toContain('<script')
})

test('a message without HTML is shown as text', async () => {
  const { messageId } = await inbox.arrives(team, { text: 'a < b & https://example.com/' })
  expect((await body(messageId)).html).toContain('a &lt; b &amp; <a href="https://example.com/"')
})

test('images of the message are embedded; remote ones only if the reader asks, and by the server', async () => {
  let asked = 0
  const site = createServer((_, response) => {
    asked++
    response.end(pixel)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  afterAll(() => void site.close())
  const remote = `http://127.0.0.1:${(site.address() as AddressInfo).port}/logo.png`
  const { messageId, conversationId } = await inbox.arrives(team, {
    html: `<img src="cid:logo@x"><img src="${remote}" width="300" height="100">`,
    files: [{ name: 'logo.png', type: 'image/png', content: pixel, contentId: '<logo@x>', isInline: true }],
  })
  const embedded = `src="data:image/png;base64,${pixel.toString('base64')}"`
  const count = (html: string) => html.split(embedded).length - 1
  expect(count((await body(messageId)).html)).toBe(1)
  expect(asked).toBe(0)
  expect(count((await body(messageId, '?images=true')).html)).toBe(2)
  expect(asked).toBe(1)
  const { messages, conversation } = await kith.withKey(await given.key(admin)).getConversation({ id: conversationId })
  expect(messages[0]).toMatchObject({ has_html: true, remote_images: 1, files: [{ is_inline: true }] })
  expect(conversation.has_files).toBe(false)
})

test('images inside of something that no one sees are not loaded', async () => {
  const asked: string[] = []
  const site = createServer(({ url }, response) => {
    asked.push(url!)
    response.end(pixel)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  afterAll(() => void site.close())
  const remote = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  const { messageId } = await inbox.arrives(team, {
    html: `<div style="opacity:0">x<br><p><img src="${remote}/hidden.png"></p></div><div style="font-size:0px"><img src="${remote}/seen.png"></div>`,
  })
  await body(messageId, '?images=true')
  expect(asked).toEqual(['/seen.png'])
})

test('what an answer quotes is folded, not deleted, and not part of its text', async () => {
  const first = await inbox.arrives(team, { text: 'Do you deliver to Paris?\nWe need forty chairs by Monday.' })
  const text = 'Yes please.\n\nOn Monday, Acme wrote:\n> Do you deliver to Paris?\n> We need forty chairs by Monday.\n'
  await inbox.arrives(team, { references: [first.mail.key], text, at: new Date(kith.time.now.getTime() + 1000) })
  const { messages, conversation } = await kith
    .withKey(await given.key(admin))
    .getConversation({ id: first.conversationId })
  expect(messages[1]).toMatchObject({ text: 'Yes please.', quote: expect.stringContaining('> We need forty chairs') })
  expect(conversation.preview).toBe('Yes please.')
})
