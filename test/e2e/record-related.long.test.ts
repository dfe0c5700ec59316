// Covers: web/screens/record
import { expect, test } from 'vitest'
import { testWeb } from '../browser.ts'
import { goTo } from './navigate.ts'
import { create, dialog, heading, part, read, undo } from './record-page.ts'

const { ada, visit } = await testWeb()

test('related records are shown on both sides, and can be linked, unlinked and created', async () => {
  const { token, api } = await ada()
  const organization = await create(api, 'organizations', { name: 'Brightwater', industry: 'Freight' })
  const grace = await create(api, 'people', { first_name: 'Grace', organization: organization.id })
  const linus = await create(api, 'people', { first_name: 'Linus' })
  const page = await visit('/dashboard', { token })
  const limits: (string | null)[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname.endsWith('/records/people')) limits.push(url.searchParams.get('limit'))
  })
  await goTo(page, `/records/organizations/${organization.id}`)
  const people = part(page, 'People')
  await people.getByRole('link', { name: 'Grace' }).waitFor()
  expect(
    limits.filter((limit) => Number(limit) > 5),
    'only what is shown is asked for',
  ).toEqual([])
  await people.getByRole('button', { name: 'Link to People' }).click()
  await page.keyboard.type('Lin')
  await page.getByRole('option', { name: 'Linus' }).click()
  await people.getByRole('link', { name: 'Linus' }).waitFor()
  expect((await read(api, 'people', linus.id)).organization).toMatchObject({ id: organization.id })
  await people.getByRole('listitem').filter({ hasText: 'Grace' }).hover()
  await people.getByRole('button', { name: 'Unlink Grace' }).click()
  await people.getByRole('link', { name: 'Grace' }).waitFor({ state: 'detached' })
  await undo(page).click()
  await people.getByRole('link', { name: 'Grace' }).waitFor()
  expect((await read(api, 'people', grace.id)).organization).toMatchObject({ id: organization.id })

  await part(page, 'Deals').getByRole('button', { name: 'New deal' }).click()
  const chosen = dialog(page).getByRole('combobox', { name: 'Organization' })
  await expect.poll(() => chosen.inputValue()).toBe('Brightwater')
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Fleet tracking')
  await page.keyboard.press('Control+Enter')
  await part(page, 'Deals').getByRole('link', { name: 'Fleet tracking' }).click()
  await heading(page, 'Fleet tracking').waitFor()
  await part(page, 'Organization').getByText('Freight').waitFor()
})
