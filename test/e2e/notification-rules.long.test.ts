// Covers: web/screens/profile server/notifications
import { test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { desktop, phone } from '../chromium.ts'
import { testWorker } from '../worker.ts'
import { toTop } from './notification-rules-page.ts'

const { kith, visit, expectComplaint } = await testWeb({ own: true })
await testWorker(kith)

test.each([
  ['a desktop in dark', desktop, 'dark'],
  ['a phone in light', phone, 'light'],
] as const)('a rule limits which due tasks notify, on %s', async (name, viewport, colorScheme) => {
  const ada = await kith.given.company()
  const token = await kith.given.session(ada)
  const page = await visit('/profile/notifications', { token, viewport, colorScheme })
  await page.getByRole('checkbox', { name: 'One of your tasks is due or has a reminder: In Kith' }).waitFor()
  await page.getByRole('button', { name: 'Add a rule' }).click()
  const dialog = page.getByRole('dialog', { name: 'New rule' })
  expectComplaint(/422/)
  await dialog.getByLabel('Name').fill('Important tasks')
  await dialog.getByRole('combobox', { name: 'When', exact: true }).click()
  await page.getByRole('option', { name: /One of my tasks is due/ }).click()
  await dialog.getByRole('button', { name: 'Add rule' }).click()
  await dialog.getByText('Add a filter').waitFor()
  await dialog.getByRole('button', { name: 'Edit as text' }).click()
  await dialog.getByRole('textbox', { name: /filter/i }).fill('priority = high')
  await page.keyboard.press('Enter')
  await expectUsable(page)
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/limit-${name}.png` })
  await dialog.getByRole('button', { name: 'Add rule' }).click()
  await page.getByText('One of my tasks is due or has a reminder · only tasks with priority = high').waitFor()
  await toTop(page)
  await expectUsable(page)
})
