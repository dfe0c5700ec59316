// Covers: web/records web/markdown
import { expect, test } from 'vitest'
import { testWeb } from '../browser.ts'
import { holdAnswers, newRecords } from './drafts-page.ts'
import { create, dialog, heading } from './record-page.ts'

const { ada, visit, expectComplaint } = await testWeb()

test('a form closed while it is being saved is not offered as a draft, and a refusal is reported', async () => {
  const { token, api } = await ada()
  const page = await visit('/dashboard', { token })
  await heading(page, 'Dashboard').waitFor()
  await page.keyboard.press('c')
  await dialog(page).getByRole('textbox', { name: 'First name' }).fill('Grace')
  const release = await holdAnswers(page)
  await page.keyboard.press('Control+Enter')
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  release()
  await page.getByText('Grace created.').waitFor()
  await page.keyboard.press('c')
  await dialog(page).getByRole('textbox', { name: 'First name' }).waitFor()
  expect(await dialog(page).getByText('unsaved draft').count()).toBe(0)

  await create(api, 'people', { first_name: 'Linus', emails: ['taken@example.com'] })
  await dialog(page).getByRole('combobox', { name: 'Emails' }).fill('taken@example.com')
  expectComplaint(/409/)
  await page.unroute(newRecords)
  const refuse = await holdAnswers(page)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Close' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  refuse()
  await page.getByText('Not saved. Your draft is still here').waitFor()
  await page.keyboard.press('c')
  await dialog(page).getByRole('button', { name: 'Restore draft' }).click()
  await dialog(page).getByText('taken@example.com').waitFor()
})
