// Covers: web/records web/screens/record web/client
import { expect, test } from 'vitest'
import { testWeb } from '../browser.ts'
import { create, dialog, edit, fields, heading, read, showEmpty } from './record-page.ts'

const { ada, visit, expectComplaint } = await testWeb()

test('offline, unsaved edits warn before leaving, and a page that cannot load comes with the connection', async () => {
  const { token, api } = await ada()
  const { id } = await create(api, 'people', { first_name: 'Grace' })
  const page = await visit('/filter-syntax', { token, isAlone: true })
  expectComplaint(/ERR_INTERNET_DISCONNECTED|Failed to fetch|preload|no connection/i)
  await page.goto(new URL(`/records/people?record=${id}`, page.url()).href)
  await page.getByRole('tab', { name: 'Details' }).click()
  await showEmpty(page)
  await edit(page, 'City').click()
  await page.context().setOffline(true)
  await page.keyboard.type('Lima')
  await page.keyboard.press('Enter')
  await fields(page).getByText('Waiting for a connection').waitFor()
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await page.getByRole('button', { name: 'Write a note' }).click()
  await page.keyboard.type('Met at the fair')
  await page.getByRole('button', { name: 'Close' }).click()
  await dialog(page).getByText('Leave without saving?').waitFor()
  await dialog(page).getByRole('button', { name: 'Stay' }).click()
  await page.context().setOffline(false)
  await page.getByRole('textbox', { name: 'New note' }).getByText('Met at the fair').waitFor()
  await expect.poll(async () => (await read(api, 'people', id)).city).toBe('Lima')

  await page.getByRole('tab', { name: 'Details' }).click()
  await page.context().setOffline(true)
  await edit(page, 'City').click()
  await page.getByRole('textbox', { name: 'City' }).fill('Oslo')
  await page.keyboard.press('Enter')
  await fields(page).getByText('Waiting for a connection').waitFor()
  await page.getByRole('link', { name: 'Filter Syntax' }).click()
  await dialog(page).getByText('Leave without saving?').waitFor()
  // Saved meanwhile: there is nothing to ask any more.
  await page.context().setOffline(false)
  await heading(page, 'Filter Syntax').waitFor()
  expect((await read(api, 'people', id)).city).toBe('Oslo')
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Background jobs', exact: true }).click()
  await heading(page, 'No connection').waitFor()
  await page.context().setOffline(false)
  await heading(page, 'Background jobs').waitFor()
})
