import { expect, test } from 'vitest'
import { testWeb } from '../browser.ts'
import { create, dialog, edit, fields, read, showEmpty } from './record-page.ts'

const { ada, visit, expectComplaint } = await testWeb()

test('an edit that is rejected or cannot be sent stays in its field with the reason, and is sent once it can be', async () => {
  const { token, api } = await ada()
  await create(api, 'people', { first_name: 'Ada', emails: ['taken@example.com'] })
  const { id } = await create(api, 'people', { first_name: 'Grace' })
  const page = await visit(`/records/people/${id}`, { token, isAlone: true })
  expectComplaint(/409|422/)
  await edit(page, 'Emails').click()
  await page.keyboard.type('taken@example.com')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  const place = fields(page).locator('[data-refused]')
  await place.waitFor()
  expect(await place.textContent()).toContain('taken@example.com')
  expect(await place.getByRole('alert').textContent()).toBe('taken@example.com is already used by Ada · Open Ada')

  expectComplaint(/ERR_INTERNET_DISCONNECTED/)
  await page.context().setOffline(true)
  await page.getByText('You are offline').waitFor()
  await showEmpty(page)
  await edit(page, 'City').click()
  await page.keyboard.type('Lima')
  await page.keyboard.press('Enter')
  await fields(page).getByText('Waiting for the connection').waitFor()
  const leaving = dialog(page).getByText('Leave without saving?')
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link').click()
  await leaving.waitFor()
  await dialog(page).getByRole('button', { name: 'Stay' }).click()
  await page.context().setOffline(false)
  await expect.poll(async () => (await read(api, 'people', id)).city).toBe('Lima')
})
