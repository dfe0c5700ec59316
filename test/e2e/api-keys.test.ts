import { expect, test } from 'vitest'
import { expectUsable } from '../browser.ts'
import { desktop, phone } from '../chromium.ts'
import { row, shownValue, testApiKeys } from './api-keys-page.ts'
import { dialog } from './record-page.ts'
import { screens } from './screens.ts'

const { kith, visit, atKeys } = await testApiKeys()

test('a key is created as specified, and its value is shown once', async () => {
  const owner = await kith.given.company()
  const page = await visit('/dashboard', { token: await kith.given.session(owner) })
  await page.getByRole('link', { name: 'Profile' }).click()
  await page.getByRole('link', { name: 'API & Connectors' }).click()
  await page.waitForURL('**/profile/api-connectors')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByText('Enter the name of the client that will use this key').waitFor()
  expect(await page.getByLabel('Name').evaluate((field) => field === document.activeElement)).toBe(true)
  await page.getByLabel('Name').fill('Claude Code')
  await page.getByRole('button', { name: 'Create key' }).click()

  const value = (await shownValue(page).textContent())!
  expect(value).toMatch(/^[A-Za-z0-9]{64}$/)
  await page.getByText('You will not see it again').waitFor()
  expect((await kith.withKey(value).whoami({})).id).toBe(owner.user_id)
  await page.getByRole('button', { name: 'Copy key' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(value)

  await page.getByRole('button', { name: 'Done' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(value)
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, location.href]))).not.toContain(value)
  const created = await row(page, 'Claude Code').textContent()
  expect(created).toContain(`${value.slice(0, 4)}…`)
  expect(await page.getByRole('button', { name: 'Add' }).count()).toBe(1)
})

test.each(
  screens([
    ['a desktop in light', desktop, 'light'],
    ['a phone in dark', phone, 'dark'],
  ] as const),
)('the keys, their dialogs and the reference are usable on %s', async (_, viewport, colorScheme) => {
  const { page } = await atKeys({ viewport, colorScheme })
  await expectUsable(page)
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByLabel('Name').fill('One long name that has to wrap on the small screen of a telephone')
  await expectUsable(page)
  await page.getByRole('button', { name: 'Create key' }).click()
  await shownValue(page).waitFor()
  await expectUsable(page)
  await page.keyboard.press('Escape')
  await page.getByText('You have not copied the key').waitFor()
  await expectUsable(page)
  await page.getByRole('button', { name: 'Copy and close' }).click()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: /Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Rotate' }).click()
  await expectUsable(page)
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await expectUsable(page)
  await page.goto('/api-keys')
  await page.getByRole('table', { name: 'Status codes' }).waitFor()
  await expectUsable(page)
})
