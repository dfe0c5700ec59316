// Covers: web/records web/markdown
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { testWeb } from '../browser.ts'
import { holdAnswers } from './drafts-page.ts'
import { create, dialog, heading } from './record-page.ts'

const { ada, visit } = await testWeb()

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
