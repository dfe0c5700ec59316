// Covers: web/records web/screens/record
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { create, edit, fields, read } from './record-page.ts'

const { ada, visit, expectComplaint } = await testWeb()

test('a country is found by part of its name in both languages or its code and shown in English; other text is kept', async () => {
  const { token, api } = await ada()
  await api.updateMe({ language: 'de-DE' })
  const { id } = await create(api, 'people', { first_name: 'Grace', country: 'United States' })
  const country = async () => (await read(api, 'people', id)).country
  expect(await country()).toBe('US')
  const page = await visit(`/records/people/${id}`, { token })
  await fields(page).getByText('United States').waitFor()
  await edit(page, 'Country').click()
  const box = page.getByRole('combobox', { name: 'Country' })
  await box.fill('reich')
  expect(await page.getByRole('option').allTextContents()).toEqual(['Austria', 'France', 'United Kingdom'])
  await expectUsable(page)
  await page.getByRole('option', { name: 'Austria' }).click()
  await expect.poll(country).toBe('AT')
  for (const [typed, kept, shown] of [
    ['uk', 'GB', 'United Kingdom'],
    ['Österreich-Ungarn', 'Österreich-Ungarn', 'Österreich-Ungarn'],
    ['schwe', 'SE', 'Sweden'],
  ] as const) {
    await edit(page, 'Country').click()
    await box.fill(typed)
    await page.keyboard.press('Enter')
    await expect.poll(country).toBe(kept)
    await fields(page).getByText(shown).waitFor()
  }
  await edit(page, 'Country').click()
  await box.fill('')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await country()) ?? null).toBe(null)
})

test('a user who cannot be loaded is shown as unknown, not as loading forever', async () => {
  const { token, api, owner } = await ada()
  const { id } = await create(api, 'people', { first_name: 'Ada', owner: owner.user_id })
  const page = await visit('/dashboard', { token })
  expectComplaint(/404/)
  await page.route('**/app/api/users**', (route) => route.fulfill({ status: 404, json: { status: 404 } }))
  await page.goto(new URL(`/records/people/${id}`, page.url()).href)
  await fields(page).getByText('Unknown user').first().waitFor()
})
