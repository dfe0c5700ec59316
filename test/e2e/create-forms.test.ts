import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { choice, kind, text } from './create-forms-page.ts'
import { goTo } from './navigate.ts'
import { create, dialog, heading, read } from './record-page.ts'

const { ada, at, visit } = await testWeb()

const labels = (page: Page) =>
  dialog(page)
    .locator('[data-field]')
    .evaluateAll((fields) => fields.map((field) => field.getAttribute('data-field')))

test('a form asks for what matters first, and shows the rest on request without opening anything', async () => {
  const { page, owner, api } = await at('/dashboard')
  await heading(page, 'Dashboard').waitFor()
  await page.keyboard.press('c')
  await text(page, 'First name').waitFor()
  expect(await labels(page)).toEqual(['first_name', 'last_name', 'emails', 'phones', 'organization', 'job_title'])
  await kind(page, 'Deal')
  await text(page, 'Name').waitFor()
  const first = ['name', 'organization', 'people', 'amount', 'stage', 'expected_close', 'owner']
  expect(await labels(page)).toEqual(first)
  expect(await choice(page, 'Owner').inputValue()).toBe('Ada Lovelace')
  await dialog(page).getByRole('button', { name: 'More fields' }).click()
  expect((await labels(page)).length).toBeGreaterThan(first.length)
  expect(await page.getByRole('listbox').count()).toBe(0)
  await expectUsable(page)

  await text(page, 'Name').fill('Renewal')
  await text(page, 'Amount').fill('€15k')
  await dialog(page).getByText('€15,000.00').waitFor()
  await text(page, 'Expected close').fill('tomorrow')
  const tomorrow = new Date(Date.now() + 86_400_000)
  const words = { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' } as const
  await dialog(page).getByText(new Intl.DateTimeFormat('en-US', words).format(tomorrow)).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('Renewal created.').waitFor()
  const { records } = await api.queryRecords({ object: 'deals' })
  expect(records).toMatchObject([
    {
      amount: { amount: '15000', currency: 'EUR' },
      expected_close: tomorrow.toISOString().slice(0, 10),
      owner: owner.user_id,
    },
  ])
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
