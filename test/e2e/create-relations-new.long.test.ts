// Covers: web/records
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { field, open } from './create-relations-page.ts'
import { dialog, heading } from './record-page.ts'

const { ada, at, visit, kith } = await testWeb()

test('text that matches no record stays in its field with an error, and is created in place on request', async () => {
  const { page, api } = await at('/dashboard')
  await heading(page, 'Dashboard').waitFor()
  await open(page, 'Person')
  await dialog(page).getByRole('textbox', { name: 'First name' }).fill('Nina')
  await field(page, 'Organization').fill('Alpenstahl GmbH')
  await page.getByRole('option', { name: 'Create organization “Alpenstahl GmbH”' }).waitFor()
  await page.keyboard.press('Tab')
  await dialog(page).getByText('No match for “Alpenstahl GmbH”').waitFor()
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => field(page, 'Organization').inputValue()).toBe('Alpenstahl GmbH')
  await dialog(page).getByText('No match for “Alpenstahl GmbH”').waitFor()
  expect((await api.countRecords({ object: 'people' })).count, 'nothing is saved without it').toBe(0)

  await field(page, 'Organization').click()
  await page.getByRole('option', { name: 'Create organization “Alpenstahl GmbH”' }).click()
  const small = page.getByRole('dialog', { name: 'New organization' })
  expect(await small.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Alpenstahl GmbH')
  await expectUsable(page)
  await small.getByRole('combobox', { name: 'Domains' }).fill('alpenstahl.example')
  await small.getByRole('button', { name: 'Create organization' }).click()
  await page.getByText('Alpenstahl GmbH created.').waitFor()
  await small.waitFor({ state: 'detached' })
  await expect.poll(() => field(page, 'Organization').inputValue()).toBe('Alpenstahl GmbH')
  await dialog(page).getByText('No match for').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+Enter')
  await page.getByText('Nina created.').waitFor()
  const { records } = await api.queryRecords({ object: 'people' })
  expect(records[0]!.organization).toMatchObject({ title: 'Alpenstahl GmbH' })
  const organizations = await api.queryRecords({ object: 'organizations' })
  expect(organizations.records).toMatchObject([{ name: 'Alpenstahl GmbH', domains: ['alpenstahl.example'] }])
})

test('without the right to create that object, nothing is offered, and the text still stays', async () => {
  const { owner, api } = await ada()
  const none = { read: 'all', create: false, edit: 'none', delete: 'none' } as const
  await api.createRole({ name: 'People only', records: { people: { ...none, create: true }, '*': none } })
  const member = await kith.given.user(owner, { name: 'Tom', role: 'People only' })
  const page = await visit('/dashboard', { token: await kith.given.session(member) })
  await heading(page, 'Dashboard').waitFor()
  await page.keyboard.press('c')
  await field(page, 'Organization').fill('Alpenstahl')
  await page.getByText('No match', { exact: true }).waitFor()
  expect(await page.getByRole('option').count()).toBe(0)
  await page.keyboard.press('Tab')
  await dialog(page).getByText('No match for “Alpenstahl”').waitFor()
})
