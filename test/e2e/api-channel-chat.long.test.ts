// Covers: server/channels web/channels web/conversations
import { readFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { expectUsable, expectUsableEverywhere, testWeb } from '../browser.ts'
import { testReceiver } from '../receiver.ts'
import { soon, testWorker } from '../worker.ts'
import { goTo } from './navigate.ts'

const { kith, at } = await testWeb({ own: true })
await testWorker(kith)
const receiver = await testReceiver()

test('an API channel is added with its secret, receives a chat, answers it, and shows edits, deletions and states', async () => {
  const { page, api } = await at('/company/channels')
  await page.getByRole('button', { name: 'Add channel' }).click()
  await page.getByRole('menuitem', { name: 'API channel' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Shop chat')
  await dialog.getByLabel('Webhook URL').fill(receiver.url)
  await expectUsable(page)
  await dialog.getByRole('button', { name: 'Add channel' }).click()
  await dialog.getByText('Copy the signing secret now.').waitFor()
  const secret = (await dialog.locator('code').allInnerTexts()).find((text) => text.startsWith('whsec_'))!
  await expectUsable(page)
  const command = await dialog.getByRole('region', { name: 'Next step' }).locator('pre').innerText()
  const example = readFileSync('docs/examples/gateway.mjs', 'utf8')
  for (const [, name] of command.matchAll(/(KITH_\w+)='/g)) expect(example).toContain(name)
  expect(command).toContain(secret)
  await dialog.getByRole('button', { name: 'Copy secret' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('heading', { name: 'Shop chat' }).waitFor()
  await page.getByText('Waiting for the gateway').waitFor()
  await expectUsableEverywhere(page)

  receiver.answer = (_, response) => response.end(JSON.stringify({ id: 'their-1', state: 'delivered' }))
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText(/The gateway responded with 200/).waitFor()
  const webhook = page.getByLabel('Webhook URL')
  await webhook.fill('http://127.0.0.1:9/nobody')
  await page.getByRole('button', { name: 'Save webhook' }).click()
  await page.getByText('Webhook saved').waitFor()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('127.0.0.1:9 could not be reached').waitFor()
  await webhook.fill(receiver.url)
  await page.getByRole('button', { name: 'Save webhook' }).click()
  await page.getByText(`PORT=${new URL(receiver.url).port} node gateway.mjs`).waitFor()

  const [channel] = (await api.listChannels({})).items
  const { gateway } = await api.getChannel({ id: channel!.id })
  const post = async (items: object[]) => {
    const [body, id, now] = [JSON.stringify({ items }), crypto.randomUUID(), kith.time.now]
    const timestamp = String(Math.floor(now.getTime() / 1000))
    const signature = new Webhook(secret).sign(id, now, body)
    const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
    const response = await kith.send(new URL(gateway!.post_address!).pathname, { method: 'POST', headers, body })
    expect(response.status).toBe(200)
  }
  const from = { address: 'ada-77', name: 'Cora Customer' }
  await post([{ kind: 'message', id: 'm-1', thread: 'c-1', from, text: 'Do you have lamps?' }])
  await goTo(page, '/inbox')
  await page.getByRole('link', { name: /Do you have lamps/ }).click()
  await page.getByRole('heading', { name: 'Cora Customer' }).waitFor()
  await page.getByRole('button', { name: 'Reply', exact: true }).first().click()
  expect(await page.getByRole('button', { name: 'Cc Bcc' }).count()).toBe(0)
  await page.getByRole('textbox', { name: 'Message' }).fill('Yes, many.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await soon(async () => {
    kith.time.now = new Date()
    expect(receiver.received.at(-1)!.payload).toMatchObject({ text: 'Yes, many.', thread: 'c-1' })
  })
  await page.getByText('Delivered').waitFor()
  await post([{ kind: 'edited', id: 'm-1', text: 'Do you have red lamps?' }])
  await page.getByText(/^Edited/).waitFor()
  await post([{ kind: 'typing', thread: 'c-1' }])
  await page.getByText('Cora Customer is typing…').waitFor()
  await post([{ kind: 'deleted', id: 'm-1' }])
  await page.getByText('Cora Customer deleted a message').waitFor()
  await expectUsable(page)
})
