import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { choice, kind, text } from './create-forms-page.ts'
import { dialog, heading } from './record-page.ts'

const { at } = await testWeb()

const labels = (page: Page) =>
  dialog(page)
    .locator('[data-field]')
    .evaluateAll((fields) => fields.map((field) => field.getAttribute('data-field')))

test('a form asks for what matters first, and shows the rest on request without opening anything', async () => {
  const { page, owner, api } = await at('/dashboard')
  await heading(page, 'Dashboard').waitFor()
  await page.keyboard.press('c')
  await text(page, 'First name').waitFor()
  expect(await labels(page)).toEqual(['first_name', 'last_name', 'emails', 'phones', 'organization', 'job_title'])
  await kind(page, 'Deal')
  await text(page, 'Name').waitFor()
  const first = ['name', 'organization', 'people', 'amount', 'stage', 'expected_close', 'owner']
  expect(await labels(page)).toEqual(first)
  expect(await choice(page, 'Owner').inputValue()).toBe('Ada Lovelace')
  await dialog(page).getByRole('button', { name: 'More fields' }).click()
  expect((await labels(page)).length).toBeGreaterThan(first.length)
  expect(await page.getByRole('listbox').count()).toBe(0)
  await expectUsable(page)

  await text(page, 'Name').fill('Renewal')
  await text(page, 'Amount').fill('€15k')
  await dialog(page).getByText('€15,000.00').waitFor()
  await text(page, 'Expected close').fill('tomorrow')
  const tomorrow = new Date(Date.now() + 86_400_000)
  const words = { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' } as const
  await dialog(page).getByText(new Intl.DateTimeFormat('en-US', words).format(tomorrow)).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('Renewal created.').waitFor()
  const { records } = await api.queryRecords({ object: 'deals' })
  expect(records).toMatchObject([
    {
      amount: { amount: '15000', currency: 'EUR' },
      expected_close: tomorrow.toISOString().slice(0, 10),
      owner: owner.user_id,
    },
  ])
})
