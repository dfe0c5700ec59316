import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectUsable, expectUsableEverywhere, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { create, dialog, heading, read, undo } from './record-page.ts'

const { at, expectComplaint } = await testWeb()

const convert = (page: Page) => page.getByRole('button', { name: 'Convert', exact: true })
const send = (page: Page) => dialog(page).getByRole('button', { name: 'Convert lead' })
const group = (page: Page, name: string) => dialog(page).getByRole('group', { name })

test('a lead is converted with what Kith finds, says so, and can be converted back', async () => {
  const { page, api } = await at('/dashboard')
  const person = await create(api, 'people', {
    first_name: 'Ada',
    last_name: 'Lovelace',
    emails: ['ada@engines.example'],
  })
  await api.setLeadSettings({ score_rules: [{ name: 'Came from a fair', filter: 'source = Fair', points: 15 }] })
  const lead = await create(api, 'leads', {
    ...{
      first_name: 'Ada',
      last_name: 'King',
      email: 'ada@engines.example',
      company_name: 'Engines Ltd',
      source: 'Fair',
      message: 'How fast is it?',
    },
  })
  await create(api, 'notes', { body: 'Met at the fair', about: [lead.id] })
  await page.goto(`${new URL(page.url()).origin}/records/leads/${lead.id}`)
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
  const { page, api } = await at('/dashboard', { viewport: phone })
  const bob = await create(api, 'people', { first_name: 'Bob', last_name: 'Builder' })
  const lead = await create(api, 'leads', { last_name: 'Anyone', company_name: 'Some Co', email: 'any@some.example' })
  await page.goto(`${new URL(page.url()).origin}/records/leads/${lead.id}`)
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

test('leads are converted from the list, one by its menu and several at once, and together undone', async () => {
  const { page, api } = await at('/dashboard')
  for (const last_name of ['First', 'Second', 'Third'])
    await create(api, 'leads', { last_name, email: `${last_name}@l.example` })
  const third = (await api.listRecords({ object: 'leads', filter: 'last_name = Third' })).records[0]!
  await api.convertLead({ id: third.id, deal: null })
  await page.goto(`${new URL(page.url()).origin}/records/leads`)
  await page.getByRole('gridcell', { name: 'First', exact: true }).first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Convert' }).click()
  await dialog(page).getByText('New person').waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByRole('checkbox', { name: /^Select First/ }).check()
  await page.getByRole('checkbox', { name: /^Select Second/ }).check()
  await page.getByRole('checkbox', { name: /^Select Third/ }).check()
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Convert' }).click()
  await dialog(page).getByText('1 lead is converted already and will be skipped.').waitFor()
  await dialog(page).getByRole('switch', { name: 'Create a deal for each' }).uncheck()
  await expectUsable(page)
  await dialog(page).getByRole('button', { name: 'Convert 2 leads' }).click()
  await page.getByRole('alert').getByText('2 leads converted.').waitFor()
  const count = async (filter: string) => (await api.countRecords({ object: 'leads', filter })).count
  expect(await count('status = converted and email ~ "l.example"')).toBe(3)
  await undo(page).click()
  await expect.poll(() => count('status = converted and email ~ "l.example"')).toBe(1)
})

test('a user is away for some days, which colleagues see where they choose an owner', async () => {
  const { page, api } = await at('/profile')
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000)
  const typed = (offset: number) => day(offset).toLocaleDateString('en-US', { timeZone: 'UTC' })
  const sent = (offset: number) => day(offset).toISOString().slice(0, 10)
  const save = page.getByRole('button', { name: 'Save days away' })
  await page.getByRole('textbox', { name: 'Away from' }).fill(typed(-1))
  await page.keyboard.press('Tab')
  await save.click()
  await page.getByText('Enter both days').waitFor()
  await expectUsableEverywhere(page)
  await page.getByRole('textbox', { name: 'Until' }).fill(typed(3))
  await page.keyboard.press('Tab')
  await save.click()
  await page.getByText('Your days away are saved.').waitFor()
  expect(await api.whoami({})).toMatchObject({ away_from: sent(-1), away_until: sent(3) })
  const lead = await create(api, 'leads', { last_name: 'Waiting' })
  await page.goto(`${new URL(page.url()).origin}/records/leads/${lead.id}`)
  await page.getByRole('button', { name: 'Edit Owner' }).first().click()
  await page.getByRole('option', { name: /Away until/ }).waitFor()
  await page.goto(`${new URL(page.url()).origin}/profile`)
  await page.getByRole('button', { name: 'Clear Away from' }).click()
  await page.getByRole('button', { name: 'Clear Until' }).click()
  await save.click()
  await page.getByText('You are no longer away.').waitFor()
  expectComplaint(/422/)
})
