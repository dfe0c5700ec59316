// Covers: web/frame web/records
import { expect, test } from 'vitest'
import { testWeb } from '../browser.ts'
import { create, dialog, heading } from './record-page.ts'

const { ada, visit } = await testWeb()

test('keys typed right after quick create, the palette or an editor was opened are not lost', async () => {
  const { token, api } = await ada()
  const { id } = await create(api, 'people', { first_name: 'Ada' })
  const page = await visit(`/records/people/${id}`, { token })
  await heading(page, 'Ada').waitFor()
  await page.keyboard.type('cZebulon Pike')
  const name = dialog(page).getByRole('textbox', { name: 'First name' })
  expect(await name.inputValue()).toBe('Zebulon Pike')
  await page.getByRole('button', { name: 'Close' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('new task')
  expect(await page.getByPlaceholder('Find records').inputValue()).toBe('new task')
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('textbox', { name: 'Title' }).waitFor()
  await page.keyboard.type('Call Ada')
  expect(await dialog(page).getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Call Ada')
  await page.getByRole('button', { name: 'Close' }).click()
  await dialog(page).waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Write a note' }).click()
  await page.keyboard.type('called him, going there again soon')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Note saved.').waitFor()
  const notes = await api.queryRecords({ object: 'notes', fields: ['body'] })
  expect(notes.records.map(({ body }) => body)).toEqual(['called him, going there again soon'])

  await page.getByRole('button', { name: /empty fields$/ }).click()
  await page.getByRole('button', { name: 'Edit Birthday', exact: true }).click()
  await page.keyboard.type('1815-12-10')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await api.getRecord({ object: 'people', id })).birthday).toBe('1815-12-10')
})

test('Enter in the palette waits for the answer to what is typed, and a record whose name begins so comes first', async () => {
  const { token, api } = await ada()
  await create(api, 'people', { first_name: 'Daniel', last_name: 'Adams' })
  await create(api, 'people', { first_name: 'Danica', last_name: 'Patel' })
  const page = await visit('/dashboard', { token })
  await heading(page, 'Dashboard').waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('da')
  await page.getByRole('option', { name: /Danica/ }).waitFor()
  expect(await page.getByRole('option').first().textContent()).toMatch(/Dani/)
  const { promise: pressed, resolve: press } = Promise.withResolvers<void>()
  await page.route('**/app/api/search*', async (route) => {
    await pressed
    await route.continue()
  })
  await page.keyboard.type('niel')
  await page.keyboard.press('Enter')
  press()
  await heading(page, 'Daniel Adams').waitFor()
})
