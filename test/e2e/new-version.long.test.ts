// Covers: web/client web/frame
import { expect, test } from 'vitest'
import { testWeb } from '../browser.ts'
import { offer } from './new-version-page.ts'

const { at } = await testWeb()

test('an open tab that hears of another build offers to reload, and keeps what was typed', async () => {
  const { page } = await at('/dashboard')
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  await page.keyboard.press('c')
  await page.keyboard.type('Grace')
  await page.route('**/app/api/**', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'x-kith-build': 'another' } })
  })
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('link', { name: 'Records', exact: true }).click()
  await page.getByText(offer).waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByText(offer).waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('c')
  await page.getByRole('button', { name: 'Restore draft' }).click()
  expect(await page.getByRole('dialog').getByRole('textbox', { name: 'First name' }).inputValue()).toBe('Grace')
})
