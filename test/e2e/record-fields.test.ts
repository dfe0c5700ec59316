import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { create, edit, fields, focused, heading, read, showEmpty } from './record-page.ts'

const { ada, visit, expectComplaint } = await testWeb()

test('fields are edited in place by mouse and keyboard, shown immediately, and can be undone', async () => {
  const { token, api } = await ada()
  const { id } = await create(api, 'people', { first_name: 'Grace', last_name: 'Hopper', emails: ['g@navy.example'] })
  const page = await visit(`/records/people/${id}`, { token })
  await heading(page, 'Grace Hopper').waitFor()
  await showEmpty(page)
  await edit(page, 'Job title').click()
  await page.getByRole('textbox', { name: 'Job title' }).fill('Admiral')
  await page.keyboard.press('Enter')
  await fields(page).getByText('Admiral').waitFor()
  await expect.poll(async () => (await read(api, 'people', id)).job_title).toBe('Admiral')
  expect(await focused(page), 'the focus stays where one was').toBe('Edit Job title')
  await page.keyboard.press('Control+z')
  await page.getByText('Undone: Job title of Grace Hopper changed.').waitFor()
  await expect.poll(async () => (await read(api, 'people', id)).job_title ?? null).toBe(null)
  await fields(page).getByText('Admiral').waitFor({ state: 'detached' })

  await edit(page, 'Status').click()
  await page.getByRole('option', { name: 'Customer' }).click()
  await expect.poll(async () => (await read(api, 'people', id)).status).toBe('customer')
  await edit(page, 'City').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Arlington')
  await page.keyboard.press('Tab')
  await expect.poll(() => focused(page), { message: 'Tab saves and goes on' }).toBe('Edit Country')
  expect(await page.getByRole('listbox').count(), 'and opens nothing').toBe(0)
  await page.keyboard.press('Shift+Tab')
  await expect.poll(() => focused(page)).toBe('Edit City')
  for (const key of ['Backspace', 'Delete']) await page.keyboard.press(key)
  expect(await fields(page).getByText('Arlington').count(), 'no key empties a field at once').toBe(1)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.type('US')
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'Consent' }).check()
  await expect.poll(() => read(api, 'people', id)).toMatchObject({ city: 'Arlington', country: 'US', consent: true })

  await edit(page, 'Score').click()
  await page.getByRole('textbox', { name: 'Score' }).fill('many')
  await page.keyboard.press('Enter')
  await page.getByText('Enter a number such as').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Enter a number such as').waitFor({ state: 'detached' })
  await expectUsable(page)
})

test('a country is found by part of its name or its code and shown by name; other text is kept', async () => {
  const { token, api } = await ada()
  await api.updateMe({ language: 'de-DE' })
  const { id } = await create(api, 'people', { first_name: 'Grace', country: 'United States' })
  const country = async () => (await read(api, 'people', id)).country
  expect(await country()).toBe('US')
  const page = await visit(`/records/people/${id}`, { token })
  await fields(page).getByText('Vereinigte Staaten').waitFor()
  await edit(page, 'Country').click()
  const box = page.getByRole('combobox', { name: 'Country' })
  await box.fill('reich')
  expect(await page.getByRole('option').allTextContents()).toEqual([
    'Frankreich',
    'Österreich',
    'Vereinigtes Königreich',
  ])
  await expectUsable(page)
  await page.getByRole('option', { name: 'Österreich' }).click()
  await expect.poll(country).toBe('AT')
  for (const [typed, kept, shown] of [
    ['uk', 'GB', 'Vereinigtes Königreich'],
    ['Österreich-Ungarn', 'Österreich-Ungarn', 'Österreich-Ungarn'],
    ['schwe', 'SE', 'Schweden'],
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
