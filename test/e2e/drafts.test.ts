import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { testWeb } from '../browser.ts'
import { create, dialog, heading } from './record-page.ts'

const { ada, visit, expectComplaint } = await testWeb()

const newRecords = /\/app\/api\/records\/[a-z]+$/

/** Holds back the answers to new records until it is called. */
async function holdAnswers(page: Page) {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(newRecords, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await held
    await route.continue()
  })
  return release
}

const elsewhere = async (page: Page, name: string) => {
  await page.getByRole('link', { name, exact: true }).first().click()
  await page.waitForURL((url) => !/\/records\/people\/./.test(url.pathname))
}

test('a note or task that is saved after you left the record is never offered again as a draft', async () => {
  const { token, api } = await ada()
  const { id } = await create(api, 'people', { first_name: 'Ada' })
  const page = await visit(`/records/people/${id}`, { token })
  await heading(page, 'Ada').waitFor()
  await page.getByRole('button', { name: 'Write a note' }).click()
  await page.getByRole('button', { name: 'Save note' }).waitFor()
  await page.keyboard.type('Call on Monday')
  const release = await holdAnswers(page)
  await page.keyboard.press('Control+Enter')
  await elsewhere(page, 'Filter Syntax')
  release()
  await page.getByText('Note saved.').waitFor()
  await page.goBack()
  await heading(page, 'Ada').waitFor()
  await page.getByRole('button', { name: 'Write a note' }).waitFor()
  await page.getByText('Call on Monday').waitFor()
  expect((await api.countRecords({ object: 'notes' })).count).toBe(1)
})

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

test('what was left in a form is offered to the next one, never filled in, and stays when another record is created', async () => {
  const { token, api } = await ada()
  const page = await visit('/records/people', { token })
  await heading(page, 'People').waitFor()
  await page.keyboard.press('c')
  await dialog(page).getByRole('textbox', { name: 'First name' }).fill('Stranger')
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await page.keyboard.press('c')
  await dialog(page).getByText('You have an unsaved draft').waitFor()
  await dialog(page).getByRole('textbox', { name: 'Last name' }).fill('Nina')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Nina created.').waitFor()
  const { records } = await api.queryRecords({ object: 'people' })
  expect(records.map(({ title }) => title)).toEqual(['Nina'])
  await page.keyboard.press('c')
  await dialog(page).getByRole('button', { name: 'Restore draft' }).click()
  expect(await dialog(page).getByRole('textbox', { name: 'First name' }).inputValue()).toBe('Stranger')
})
