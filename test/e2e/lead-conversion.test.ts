import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectUsable, expectUsableEverywhere, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { create, dialog, heading, read } from './record-page.ts'

const { ada, visit, expectComplaint } = await testWeb()

const convert = (page: Page) => page.getByRole('button', { name: 'Convert', exact: true })
const send = (page: Page) => dialog(page).getByRole('button', { name: 'Convert lead' })
const group = (page: Page, name: string) => dialog(page).getByRole('group', { name })

test('a lead is converted with what Kith finds, says so, and can be converted back', async () => {
  const { token, api } = await ada()
  const person = await create(api, 'people', {
    first_name: 'Ada',
    last_name: 'Lovelace',
    emails: ['ada@engines.example'],
  })
  await api.updateLeadSettings({ score_rules: [{ name: 'Came from a fair', filter: 'source = Fair', points: 15 }] })
  const lead = await create(api, 'leads', {
    first_name: 'Ada',
    last_name: 'King',
    email: 'ada@engines.example',
    company_name: 'Engines Ltd',
    source: 'Fair',
    message: 'How fast is it?',
  })
  await create(api, 'notes', { body: 'Met at the fair', about: [lead.id] })
  const page = await visit(`/records/leads/${lead.id}`, { token })
  await page.getByRole('button', { name: 'Score 15: show why' }).click()
  await page.getByText('Came from a fair').waitFor()
  await page.keyboard.press('Escape')
  await convert(page).click()
  await group(page, 'Person').getByText('Existing person.').waitFor()
  expect(await group(page, 'Person').getByRole('radio', { name: 'Ada Lovelace' }).isChecked()).toBe(true)
  await group(page, 'Organization').getByText('New organization').waitFor()
  await dialog(page).getByText('1 note, activity or task').waitFor()
  expect(await dialog(page).getByLabel('Name').inputValue()).toBe('Engines Ltd')
  await expectUsableEverywhere(page)
  const name = () => dialog(page).getByLabel('Name').inputValue()
  await group(page, 'Organization').getByRole('radio', { name: 'No organization' }).check()
  await expect.poll(name).toBe('Ada Lovelace')
  await group(page, 'Organization').getByRole('radio', { name: 'Engines Ltd' }).check()
  await expect.poll(name).toBe('Engines Ltd')
  await dialog(page).getByLabel('Name').fill('')
  await send(page).click()
  await dialog(page).locator('[aria-invalid="true"]').first().waitFor()
  await dialog(page).getByLabel('Name').fill('Engine No. 1')
  await dialog(page).getByRole('textbox', { name: 'Amount' }).fill('5000')
  await page.keyboard.press('Enter')

  await heading(page, 'Engine No. 1').waitFor()
  await page.getByRole('alert').getByText('Ada King converted.').waitFor()
  await page.getByText('How fast is it?').waitFor()
  const done = await read(api, 'leads', lead.id)
  expect(done).toMatchObject({ status: 'converted', converted_person: { id: person.id } })
  expect(await read(api, 'deals', (done.converted_deal as { id: string }).id)).toMatchObject({ name: 'Engine No. 1' })

  await page.goBack()
  const note = page.getByRole('note').filter({ hasText: 'Converted to' })
  await note.getByRole('link', { name: 'Engines Ltd' }).waitFor()
  expect(await note.getByRole('link').allInnerTexts()).toEqual(['Ada Lovelace', 'Engines Ltd', 'Engine No. 1'])
  expect(await convert(page).count()).toBe(0)
  await page.getByText('converted this lead').waitFor()
  await note.getByRole('button', { name: 'Undo conversion' }).click()
  await dialog(page)
    .getByRole('button', { name: /^Undo for \d+ records/ })
    .click()
  await convert(page).waitFor()
  expect(await read(api, 'leads', lead.id)).toMatchObject({ status: 'new' })
  expect((await api.listRecords({ object: 'deals', filter: 'name = "Engine No. 1"' })).records).toEqual([])
  // The page of the deal was open and asks once more.
  expectComplaint(/404/)
})

test('the user chooses another person, no organization and no deal, by keyboard on a phone', async () => {
  const { token, api } = await ada()
  const bob = await create(api, 'people', { first_name: 'Bob', last_name: 'Builder' })
  const lead = await create(api, 'leads', { last_name: 'Anyone', company_name: 'Some Co', email: 'any@some.example' })
  const page = await visit(`/records/leads/${lead.id}`, { token, viewport: phone })
  await convert(page).click()
  await group(page, 'Person').getByRole('radio', { name: 'Another person' }).focus()
  await page.keyboard.press('Space')
  await send(page).click()
  await group(page, 'Person').getByText('Choose a person').waitFor()
  await dialog(page).getByRole('combobox', { name: 'Which person' }).fill('Bob')
  await page.getByRole('option', { name: 'Bob Builder' }).click()
  await group(page, 'Organization').getByRole('radio', { name: 'No organization' }).check()
  await dialog(page).getByRole('switch', { name: 'Create a deal' }).uncheck()
  await expectUsable(page)
  await send(page).click()
  await heading(page, 'Bob Builder').waitFor()
  expect(await read(api, 'leads', lead.id)).toMatchObject({ status: 'converted', converted_person: { id: bob.id } })
  expect((await read(api, 'leads', lead.id)).converted_organization ?? null).toBe(null)
})
