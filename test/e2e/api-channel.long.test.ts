// Covers: server/channels web/channels web/conversations
import { test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'

const { at, expectComplaint } = await testWeb()

test.each([
  ['Telegram bot', { Token: '1:abc' }],
  ['SMS via Twilio', { 'Account SID': 'AC1', 'Auth token': 'x', 'Phone number': '+442079460000' }],
  ['WhatsApp', { 'Phone number ID': '1', 'WhatsApp Business account ID': '2', 'Access token': 'x', 'App secret': 'y' }],
])('credentials of a %s that do not work are refused in the dialog', async (name, fields) => {
  expectComplaint(/422/)
  const { page } = await at('/company/channels')
  await page.getByRole('button', { name: 'Add channel' }).click()
  await page.getByRole('menuitem', { name }).click()
  const dialog = page.getByRole('dialog')
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(value)
  await expectUsable(page)
  await dialog.getByRole('button', { name: 'Connect' }).click()
  await dialog.getByText(/could not be reached/).waitFor()
})
