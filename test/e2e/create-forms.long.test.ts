// Covers: web/records web/frame
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { choice, kind, text } from './create-forms-page.ts'
import { cell, place, row } from './grid.ts'
import { goTo } from './navigate.ts'
import { create, dialog, heading, read } from './record-page.ts'

const { ada, at, visit } = await testWeb()

test('Escape closes a list and then the form; the form keeps what was typed', async () => {
  const { page } = await at('/dashboard')
  await heading(page, 'Dashboard').waitFor()
  await page.keyboard.press('c')
  await kind(page, 'Deal')
  await choice(page, 'Stage').click()
  await page.getByRole('option', { name: 'Negotiation' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('option').first().waitFor({ state: 'detached' })
  expect(await choice(page, 'Stage').inputValue()).toBe('Qualified')
  await page.keyboard.type('neg')
  await page.getByRole('option', { name: 'Negotiation' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => choice(page, 'Stage').inputValue()).toBe('Negotiation')
  await choice(page, 'Stage').fill('bogus')
  await page.getByText('No match', { exact: true }).waitFor()
  await page.keyboard.press('Tab')
  await dialog(page).getByText('No match for “bogus”').waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
})

test('a value that another record has is noticed before it is saved, with the way to that record', async () => {
  const { token, api } = await ada()
  await create(api, 'people', { first_name: 'Grace', emails: ['grace@example.com'] })
  const page = await visit('/records/people', { token, viewport: phone })
  await heading(page, 'People').waitFor()
  await page.keyboard.press('c')
  await choice(page, 'Emails').fill('grace@example.com')
  await page.keyboard.press('Enter')
  await dialog(page).getByText('Already used.').waitFor()
  expect(await dialog(page).getByRole('link', { name: 'Open Grace' }).getAttribute('href')).toMatch(
    /\/records\/people\//,
  )
  await expectUsable(page)
  await page.keyboard.press('Backspace')
  await dialog(page).getByText('Already used.').waitFor({ state: 'detached' })
})

test('one record after another is created in the same form', async () => {
  const { page, api } = await at('/dashboard', { viewport: phone })
  await heading(page, 'Dashboard').waitFor()
  await page.keyboard.press('c')
  await dialog(page).getByRole('checkbox', { name: 'Create another' }).check()
  await text(page, 'First name').fill('Grace')
  await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText('Grace created.').waitFor()
  await expect.poll(() => text(page, 'First name').inputValue()).toBe('')
  await page.keyboard.type('Linus')
  expect(await text(page, 'First name').inputValue()).toBe('Linus')
  await expectUsable(page)
  await page.keyboard.press('Control+Enter')
  await page.getByText('Linus created.').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  const { records } = await api.queryRecords({ object: 'people' })
  expect(records.map(({ title }) => title).sort()).toEqual(['Grace', 'Linus'])
})

test('cells and record fields understand 15k, tomorrow and in 3 weeks, and show what they understood', async () => {
  const { token, api } = await ada()
  const { id } = await create(api, 'deals', { name: 'Renewal' })
  const page = await visit('/records/deals?columns=title,amount,expected_close,probability', { token })
  await row(page, 'Renewal').waitFor()
  await cell(page, 'Renewal', await place(page, 'Amount')).click()
  await page.keyboard.type('15k EUR')
  await page.getByText('€15,000.00').waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await read(api, 'deals', id)).amount).toEqual({ amount: '15000', currency: 'EUR' })
  await cell(page, 'Renewal', await place(page, 'Expected close')).click()
  await page.keyboard.type('in 3 weeks')
  const day = new Date(Date.now() + 21 * 86_400_000).toISOString().slice(0, 10)
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await read(api, 'deals', id)).expected_close).toBe(day)

  await page.goto(`/records/deals/${id}`)
  await heading(page, 'Renewal').waitFor()
  await page.getByRole('button', { name: 'Edit Amount' }).first().click()
  await page.getByRole('textbox', { name: 'Amount' }).fill('1.5m')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await read(api, 'deals', id)).amount).toMatchObject({ amount: '1500000' })
})

test('a form begins with what the filter of the list says, and with the record it is opened from', async () => {
  const { token, owner, api } = await ada()
  const { id: organization } = await create(api, 'organizations', { name: 'Globex' })
  const { id: person } = await create(api, 'people', { first_name: 'Zoe', organization })
  const filter = encodeURIComponent('stage = negotiation and owner = me and amount > 5000')
  const page = await visit(`/records/deals?filter=${filter}`, { token })
  await heading(page, 'Deals').waitFor()
  await page.keyboard.press('c')
  expect(await choice(page, 'Stage').inputValue()).toBe('Negotiation')
  expect(await text(page, 'Amount').inputValue()).toBe('')
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })

  await goTo(page, `/records/people/${person}`)
  await heading(page, 'Zoe').waitFor()
  await page.keyboard.press('c')
  await kind(page, 'Deal')
  await text(page, 'Name').fill('Renewal')
  await expect.poll(() => choice(page, 'Organization').inputValue()).toBe('Globex')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Renewal created.').waitFor()
  const { records } = await api.queryRecords({ object: 'deals' })
  const deal = await read(api, 'deals', records[0]!.id)
  expect(deal).toMatchObject({ organization: { id: organization }, people: [{ id: person }], owner: owner.user_id })
})
