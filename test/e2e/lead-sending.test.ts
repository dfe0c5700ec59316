import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectUsable, expectUsableEverywhere, testWeb } from '../browser.ts'
import { testBuyer } from '../buyer.ts'
import { hasty } from '../receiver.ts'
import { testWorker } from '../worker.ts'
import { newLead, press } from './lead-sending-page.ts'
import { dialog } from './record-page.ts'

const { kith, at, expectComplaint } = await testWeb({ outbound: hasty(400) } as never)
await testWorker(kith)
const buyer = await testBuyer()

/** In the newest part for a destination. */
async function choose(page: Page, name: string) {
  await dialog(page).getByRole('combobox', { name: 'Destination' }).last().click()
  await page.getByRole('option', { name }).click()
}

test('a first-time user sets up two partners with caps from the page alone, and the next leads go out', async () => {
  const [alpha, beta] = [buyer.at(), buyer.at()]
  expectComplaint(/422/)
  const { page, api, owner } = await at('/lead-sending')
  await kith.given.user(owner, { name: 'Ben Okafor' })
  const steps = page.getByRole('list', { name: 'First steps' })
  await steps.getByRole('button', { name: 'Add destination' }).click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Alpha')
  await dialog(page).getByLabel('URL', { exact: true }).fill(alpha.url)
  await press(page, 'Create destination')
  await dialog(page).waitFor({ state: 'detached' })
  await expectUsable(page)
  await steps.getByRole('button', { name: 'Add another' }).click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Beta')
  await dialog(page).getByLabel('URL', { exact: true }).fill(beta.url)
  await dialog(page).getByRole('textbox', { name: 'Body' }).fill('{"mail": "{{ emial }}"}')
  await press(page, 'Save and test')
  await dialog(page).getByText('Did you mean {{ email }}?').waitFor()
  await dialog(page).getByRole('textbox', { name: 'Body' }).fill('{"mail": "{{ email }}"}')
  await expectUsable(page)
  await press(page, 'Save and test')
  await dialog(page).getByText('ada.test@example.com').waitFor()
  await press(page, 'Send a test')
  await dialog(page).getByText('Accepted.').waitFor()
  await expectUsable(page)
  expect(JSON.parse(beta.got()[0]!.body)).toEqual({ mail: 'ada.test@example.com' })
  await dialog(page).getByRole('button', { name: 'Close' }).last().click()

  await steps.getByText('Alpha, Beta').waitFor()
  await steps.getByRole('button', { name: 'Add route' }).click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Partners')
  // Escape closes what is open above the dialog, and the dialog only after a question.
  await dialog(page).getByRole('combobox', { name: 'Destination' }).click()
  await page.keyboard.press('Escape')
  await dialog(page).getByRole('button', { name: 'Filter', exact: true }).click()
  const fields = page.getByRole('option', { name: 'Campaign', exact: true })
  await fields.waitFor()
  await page.keyboard.press('Escape')
  await fields.waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await choose(page, 'Alpha')
  const first = dialog(page).getByRole('region', { name: 'Alpha' })
  await expect.poll(() => first.locator(':focus').count()).toBe(1)
  await first.getByLabel('Per day').fill('1')
  await first.getByLabel('Price per lead').fill('20 x')
  await first.getByLabel('Per day').focus()
  await first.getByText('Enter a number').waitFor()
  await first.getByLabel('Price per lead').fill('1,250.50')
  await press(page, 'Add another destination')
  await choose(page, 'Beta')
  const second = dialog(page).getByRole('region', { name: 'Beta' })
  await second.getByLabel('Per day').fill('5')
  await second.getByLabel('Price per lead').fill('15')
  const fold = dialog(page).locator('summary').filter({ hasText: 'If rejected or failed' })
  const retries = dialog(page).getByLabel('Retry after, in minutes')
  await fold.click()
  await retries.fill('1, x')
  await fold.click()
  await expectUsable(page)
  // Nothing is sent before someone says so.
  const state = dialog(page).getByRole('combobox', { name: 'State' })
  expect(await state.inputValue()).toBe('Test: evaluates leads, but sends nothing')
  await state.click()
  await page.getByRole('option', { name: 'Active: sends leads' }).click()
  // Enter saves; what is wrong is shown, also in a part that was closed.
  await dialog(page).getByLabel('Name', { exact: true }).press('Enter')
  await dialog(page).getByText('This must be a number').waitFor()
  await expect.poll(() => retries.evaluate((field) => field === document.activeElement)).toBe(true)
  await retries.fill('1, 10')
  await retries.press('Enter')
  await dialog(page).waitFor({ state: 'detached' })
  const { items } = await api.listLeadRoutes({})
  expect(items[0]!.targets.map(({ price }) => price)).toEqual([1250.5, 15])
  expect(items[0]!.retry_minutes).toEqual([1, 10])

  // The second choice is made before the first one is saved.
  const saved = Promise.withResolvers<void>()
  await page.route(/\/app\/api\/lead-sending\/settings$/, async (route) => {
    if (route.request().method() === 'PUT') await saved.promise
    await route.continue()
  })
  await page.getByRole('combobox', { name: 'Notify' }).click()
  for (const name of ['Ada Lovelace', 'Ben Okafor']) await page.getByRole('option', { name }).click()
  saved.resolve()
  await expect.poll(async () => (await api.getLeadSendingSettings({})).nobody_user_ids.length).toBe(2)
  await page.keyboard.press('Escape')
  await page.unroute(/\/app\/api\/lead-sending\/settings$/)
  for (let i = 0; i < 2; i++) await newLead(api as never, { first_name: `Lead ${i}` })
  await page.getByRole('img', { name: 'Alpha: 1 of 1 today' }).waitFor()
  await page.getByRole('img', { name: 'Beta: 1 of 5 today' }).waitFor()
  await page.getByText('first that accepts').waitFor()
  await expectUsableEverywhere(page)
})
