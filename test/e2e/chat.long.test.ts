// Covers: server/channels/chat web/channels web/conversations
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { expectUsable, expectUsableEverywhere } from '../browser.ts'
import { phone } from '../chromium.ts'
import { soon } from '../worker.ts'
import { onlyConversation, testChat } from './chat-site.ts'

const { ada, at, visit, expectComplaint, home, site, embed } = await testChat()

test('if no one is there, a visitor leaves a message with an address', async () => {
  const { page: member, api } = await at('/inbox')
  const { chat } = await api.createChat({ name: 'Acme', allowed_origins: [site] })
  await api.updateChat({ id: chat.id, is_paused: true })
  embed(chat.snippet)
  const page = await visit(site, { viewport: phone, isAlone: true })
  await page.getByRole('button', { name: 'Open chat' }).click()
  await page.getByText('No one is here right now.').waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Call me')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Enter an email address').waitFor()
  await expectUsable(page)
  await page.getByLabel('Email address').fill('bob@home.example')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Thank you. We will reply by email.').waitFor()
  expect((await api.listRecords({ object: 'leads' })).records).toMatchObject([{ email: 'bob@home.example' }])
  const [conversation] = (await api.listConversations({})).items
  await member.goto(`${home}/inbox/${conversation!.id}`)
  await member.getByRole('button', { name: 'Unlink bob' }).waitFor()
  expect(await member.getByText('Not in Kith yet').count()).toBe(0)
  await member.getByText('Visitors see the chat as closed').waitFor()
})

test('addresses of both sides are links, and nothing else that they write is more than text', async () => {
  const { api } = await ada()
  const { chat } = await api.createChat({ name: 'Acme', allowed_origins: [site] })
  embed(chat.snippet)
  const page = await visit(site, { isAlone: true })
  await page.getByRole('button', { name: 'Open chat' }).click()
  const written = '<img src=x onerror=alert(1)> javascript:alert(1) (see https://acme.example/a?b="c).'
  await page.getByRole('textbox', { name: 'Message' }).fill(written)
  await page.keyboard.press('Enter')
  const log = page.getByRole('log')
  await log.getByText('Sending…').waitFor({ state: 'detached' })
  await log.getByText(written).waitFor()
  const [conversation] = (await api.listConversations({})).items
  const answer = { conversation_id: conversation!.id, text: 'Look at [the map](https://maps.example/x_(y)), please.' }
  await api.sendMessage(answer)
  await log.getByRole('link', { name: 'maps.example' }).waitFor()
  const links = await log
    .locator('a')
    .evaluateAll((all) => all.map((one) => ['href', 'target', 'rel'].map((name) => one.getAttribute(name))))
  const safe = ['_blank', 'noopener noreferrer nofollow']
  expect(links).toEqual([
    ['https://acme.example/a?b=', ...safe],
    ['https://maps.example/x_(y)', ...safe],
  ])
  expect(await log.locator('img').count()).toBe(0)
  await expectUsable(page)
})

test('a visitor who looks like a robot solves a puzzle unasked, and the message arrives', async () => {
  const { api } = await ada()
  const { chat } = await api.createChat({ name: 'Acme', allowed_origins: [site] })
  const headers = { origin: site, 'content-type': 'application/x-www-form-urlencoded' }
  const call = async (path: string, values: Record<string, string>) => {
    const body = new URLSearchParams(values)
    return (await fetch(`${home}/public/chats/${chat.chat_id}/${path}`, { method: 'POST', headers, body })).json()
  }
  const others = async (i: number) => {
    const { visitor } = await call('open', {})
    return (await call('messages', { visitor, text: `Hello ${i}`, client_id: `message-${i}` })).state
  }
  let states: string[] = []
  while (!states.includes('challenge')) states = [...states, await others(states.length)]
  embed(chat.snippet)
  const page = await visit(site, { isAlone: true })
  const answers: string[] = []
  page.on('response', async (response) => {
    if (response.url().endsWith('/messages')) answers.push((await response.json()).state)
  })
  await page.getByRole('button', { name: 'Open chat' }).click()
  await page.getByRole('textbox', { name: 'Message' }).fill('I am a person')
  await page.keyboard.press('Enter')
  await soon(async () => expect(answers).toEqual(['challenge', 'accepted']))
  await page.getByRole('log').getByRole('paragraph').filter({ hasText: 'Checking' }).waitFor({ state: 'detached' })
  const found = await api.listConversations({ q: 'person' })
  expect(found.items.map((one) => one.message_count)).toEqual([1])
  // Known from now on.
  await page.getByRole('textbox', { name: 'Message' }).fill('Still here')
  await page.keyboard.press('Enter')
  await soon(async () => expect(answers).toEqual(['challenge', 'accepted', 'accepted']))
})

test('with a wrong signature the console says what to correct, and the chat goes on as a visitor', async () => {
  const { api } = await ada()
  const { chat, identity_secret } = await api.createChat({ name: 'Acme', allowed_origins: [site] })
  const signed = createHmac('sha256', identity_secret).update('id:42\nemail:ada@acme.example\n').digest('hex')
  const as = (signature: string) =>
    embed(
      chat.snippet.replace(
        ' async',
        ` async data-user-id="42" data-email="ada@acme.example" data-signature="${signature}"`,
      ),
    )
  as(signed)
  const page = await visit(site, { isAlone: true })
  await page.getByRole('button', { name: 'Open chat' }).click()
  await page.getByRole('textbox', { name: 'Message' }).fill('For Ada only')
  await page.keyboard.press('Enter')
  await page.getByText('Sending…').waitFor({ state: 'detached' })
  as('0'.repeat(64))
  expectComplaint(/422/)
  const said: string[] = []
  expectComplaint(/^kith-chat: /)
  page.on('console', (message) => message.type() === 'warning' && said.push(message.text()))
  await page.reload()
  await page.getByRole('textbox', { name: 'Message' }).fill('Who am I?')
  await page.keyboard.press('Enter')
  await page.getByText('Sending…').waitFor({ state: 'detached' })
  expect(said).toEqual([
    'kith-chat: data-signature does not match data-user-id and data-email, signed with the identity secret of this chat. The chat goes on as an unknown visitor. See "Who writes" in docs/website-chat.md.',
  ])
  expect(await page.getByText('For Ada only').count()).toBe(0)
  expect((await api.listConversations({})).items).toHaveLength(2)
})

test('a visitor whom the site proved becomes a person with name and address', async () => {
  const { page: member, api } = await at('/inbox')
  const { chat, identity_secret } = await api.createChat({ name: 'Acme', allowed_origins: [site] })
  const signed = createHmac('sha256', identity_secret).update('id:42\nemail:ann@home.example\n').digest('hex')
  const who = `data-user-id="42" data-email="ann@home.example" data-name="Ann Becker" data-signature="${signed}"`
  embed(chat.snippet.replace(' async', ` async ${who}`))
  const page = await visit(site, { isAlone: true })
  await page.getByRole('button', { name: 'Open chat' }).click()
  await page.getByRole('textbox', { name: 'Message' }).fill('It is me')
  await page.keyboard.press('Enter')
  const { id } = await onlyConversation(api)
  await member.goto(`${home}/inbox/${id}`)
  await member.getByText('Not in Kith yet').waitFor()
  await member.getByRole('link', { name: new URL(site).host, exact: true }).waitFor()
  await expectUsableEverywhere(member)
  expect(await member.getByRole('button', { name: 'Forward' }).count()).toBe(0)
  await member.getByRole('button', { name: 'Add as person' }).click()
  await member.getByRole('dialog').getByRole('button', { name: 'Create person' }).click()
  const person = member.getByRole('region', { name: 'Person' })
  await person.getByText('Ann Becker').waitFor()
  await person.getByText('ann@home.example').waitFor()
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
  await dialog.getByRole('region', { name: 'Snippet' }).getByText('/public/chat/script').waitFor()
  await dialog.getByRole('button', { name: 'Copy snippet' }).waitFor()
  await expectUsable(page)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor()
  await page.getByText('/public/chat/script').waitFor()
  await page.getByLabel('Greeting').fill('Welcome!')
  const preview = page.frameLocator('iframe[title="Preview of the chat"]')
  await preview.getByText('Welcome!').waitFor()
  await page.getByRole('button', { name: 'Save chat' }).click()
  await page.getByText('Chat saved').waitFor()
  await page.getByText('Website chat on www.shop.example').waitFor()
  await page.getByRole('combobox', { name: 'Agents' }).click()
  await page.getByRole('option', { name: 'Send messages without approval' }).click()
  await page.getByRole('region', { name: 'Agents' }).getByRole('button', { name: 'Save' }).click()
  await page.getByText('Channel saved').waitFor()
  await expectUsableEverywhere(page)
})
