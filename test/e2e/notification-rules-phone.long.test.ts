// Covers: web/screens/profile server/notifications
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { desktop, phone } from '../chromium.ts'
import { testWorker } from '../worker.ts'
import { toTop } from './notification-rules-page.ts'
import { screens } from './screens.ts'

const { kith, visit } = await testWeb({ own: true })
await testWorker(kith)

test.each(
  screens([
    ['a desktop in light', desktop, 'light'],
    ['a phone in dark', phone, 'dark'],
  ] as const),
)('a rule is made, tells of a change, is paused and deleted on %s', async (name, viewport, colorScheme) => {
  const ada = await kith.given.company()
  const bob = kith.withKey(await kith.given.key(await kith.given.user(ada, { name: 'Bob' })))
  const page = await visit('/profile/notifications', { token: await kith.given.session(ada), viewport, colorScheme })
  await page.getByText('No rules yet.').waitFor()
  await page.getByRole('button', { name: 'Add a rule' }).click()
  const dialog = page.getByRole('dialog', { name: 'New rule' })
  await dialog.getByRole('button', { name: 'Add rule' }).click()
  await dialog.getByText('Enter a name').waitFor()
  await dialog.getByLabel('Name').fill('Busy people')
  await dialog.getByRole('combobox', { name: 'Records' }).click()
  await page.getByRole('option', { name: 'People' }).click()
  await dialog.getByRole('button', { name: 'Edit as text' }).click()
  await dialog.getByRole('textbox', { name: /filter/i }).fill('score > 50')
  await page.keyboard.press('Enter')
  await expectUsable(page)
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/rule-${name}.png` })
  await dialog.getByRole('button', { name: 'Add rule' }).click()
  await page.getByText('people · created or updated · score > 50').waitFor()
  await toTop(page)
  await expectUsable(page)
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/rules-${name}.png`, fullPage: true })

  await bob.createRecords({ object: 'people', records: [{ first_name: 'Eve', score: 60 }] })
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  await page.getByRole('link', { name: /Busy people: Bob created “Eve”/ }).waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('list', { name: 'Your rules' }).locator('.mantine-Switch-track').click()
  await expect.poll(() => page.getByRole('switch', { name: 'Busy people is on' }).isChecked()).toBe(false)
  await page.getByRole('button', { name: 'Actions for Busy people' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No rules yet.').waitFor()
})
