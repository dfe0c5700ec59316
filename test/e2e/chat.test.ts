// The chat on the page of another site, and the inbox on the other end.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { soon, testWorker } from '../worker.ts'

const { kith, ada, at, visit, expectComplaint, origin: home } = await testWeb()
await testWorker(kith)

/** Another origin with plain pages, under a policy that allows our host and nothing else. */
let body = ''
const site = createServer((request, response) => {
  if (request.url === '/favicon.ico') return void response.writeHead(204).end()
  const policy = `default-src 'none'; script-src ${home}; connect-src ${home}`
  response.setHeader('content-security-policy', policy).setHeader('content-type', 'text/html; charset=utf-8')
  response.end(
    `<!doctype html><html lang="en"><title>Acme</title><main><h1>Acme</h1><p><a href="/next">Next</a></p></main>${body}</html>`,
  )
})
beforeAll(() => new Promise<void>((done) => site.listen(0, '127.0.0.1', done)))
afterAll(() => void site.close())
const origin = () => `http://127.0.0.1:${(site.address() as AddressInfo).port}`

const embed = (snippet: string) => {
  body = snippet.replaceAll(kith.services.baseUrl.origin, home)
}

test('a visitor and a member talk, each sees the other type and read, across pages of the site', async () => {
  const { page: member, api } = await at('/inbox')
  const { chat } = await api.createChat({ name: 'Acme', allowed_origins: [origin()], greeting: 'How can we help?' })
  embed(chat.snippet)
  const page = await visit(origin(), { isAlone: true })
  await page.getByRole('button', { name: 'Open chat' }).click()
  await page.getByText('How can we help?').waitFor()
  await expectUsable(page)
  await page.getByRole('textbox', { name: 'Message' }).fill('Do you ship to Italy?')
  await page.keyboard.press('Enter')
  const { id } = await soon(async () => {
    const { items } = await api.listConversations({})
    expect(items).toHaveLength(1)
    return items[0]!
  })
  await member.goto(`${home}/inbox/${id}`)
  await member.getByRole('button', { name: 'Reply', exact: true }).first().click()
  const answer = member.getByRole('textbox', { name: 'Message', exact: true })
  await answer.pressSequentially('Yes, we do.')
  await page.getByText('Team is writing…').waitFor()
  await page.getByRole('textbox', { name: 'Message' }).pressSequentially('Great')
  await member.getByText('The visitor is writing…').waitFor()
  expect(await member.getByText('chat.invalid').count()).toBe(0)
  await member.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('log').getByText('Yes, we do.').waitFor({ timeout: 5000 })
  await member.getByText('Read', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Close chat' }).click()
  await page.getByRole('link', { name: 'Next' }).click()
  await page.waitForURL('**/next')
  await api.sendMessage({ conversation_id: id, text: 'It takes three days.' })
  await page.getByRole('button', { name: 'Open chat, 1 unread' }).click()
  await page.getByRole('log').getByText('It takes three days.').waitFor()
  await page.getByRole('log').getByText('Do you ship to Italy?').waitFor()
  await expectUsable(page)
})

test('on a phone the chat fills the screen, in the dark too, and sends what a broken network held back once', async () => {
  const { api } = await ada()
  const { chat } = await api.createChat({ name: 'Acme', allowed_origins: [origin()], accent: '#facc15' })
  embed(chat.snippet)
  const page = await visit(origin(), { viewport: phone, isAlone: true })
  await page.getByRole('button', { name: 'Open chat' }).click()
  const panel = await page.getByRole('dialog').boundingBox()
  expect(panel!.width).toBe(phone.width)
  await expectUsable(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  expectComplaint(/503|Failed to load resource|CORS|ERR_FAILED/)
  let failures = 2
  await page.route('**/messages', (route) => (failures-- > 0 ? route.abort() : route.continue()))
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Not sent. Trying again…').waitFor()
  await page.getByText('Not sent. Trying again…').waitFor({ state: 'detached' })
  await expectUsable(page)
  expect((await api.listConversations({})).items.map((one) => one.message_count)).toEqual([1])
})

test('if no one is there, a visitor leaves a message with an address', async () => {
  const { api } = await ada()
  const { chat } = await api.createChat({ name: 'Acme', allowed_origins: [origin()] })
  await api.updateChat({ id: chat.id, is_paused: true })
  embed(chat.snippet)
  const page = await visit(origin(), { viewport: phone, isAlone: true })
  await page.getByRole('button', { name: 'Open chat' }).click()
  await page.getByText('No one is here right now.').waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Call me')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Enter an email address').waitFor()
  await expectUsable(page)
  await page.getByLabel('Email address').fill('bob@home.example')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Thank you. We will answer by email.').waitFor()
  expect((await api.listRecords({ object: 'leads' })).records).toMatchObject([{ email: 'bob@home.example' }])
})

test('a chat is added in the web app, with its secret, its snippet and a preview', async () => {
  const { page } = await at('/company/channels')
  await page.getByRole('button', { name: 'Add channel' }).click()
  await page.getByRole('menuitem', { name: 'Website chat' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Shop')
  await dialog.getByLabel('Allowed sites').fill('https://www.shop.example')
  await expectUsable(page)
  await dialog.getByRole('button', { name: 'Create chat' }).click()
  await dialog.getByRole('region', { name: 'Identity secret' }).waitFor()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor()
  await page.getByText('/public/chat/script').waitFor()
  await page.getByLabel('Greeting').fill('Welcome!')
  const preview = page.frameLocator('iframe[title="Preview of the chat"]')
  await preview.getByText('Welcome!').waitFor()
  await page.getByRole('button', { name: 'Save chat' }).click()
  await page.getByText('Chat saved').waitFor()
  await expectUsable(page)
})
