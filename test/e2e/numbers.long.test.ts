// Covers: web/screens/list web/records server/engine/aggregates
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createDispatcher } from '../../server/kernel/outbox.ts'
import { liveMessagesOf } from '../../server/live-messages.ts'
import { expectUsable, testWeb } from '../browser.ts'

const web = await testWeb()

const deals = [
  { name: 'Alpha', stage: 'qualified', amount: { amount: '100', currency: 'EUR' }, expected_close: '2026-03-05' },
  { name: 'Beta', stage: 'qualified', amount: { amount: '250.50', currency: 'EUR' }, expected_close: '2026-03-28' },
  { name: 'Gamma', stage: 'won', amount: { amount: '1000', currency: 'EUR' }, expected_close: '2026-04-01' },
  { name: 'Delta', stage: 'won', amount: { amount: '40', currency: 'GBP' }, closed_at: '2026-01-05T10:00:00Z' },
]

async function withDeals() {
  const made = await web.ada()
  await made.api.updateCompany({ currency: 'EUR', language: 'en-US' })
  await made.api.createRecords({ object: 'deals', records: deals })
  return made
}

const foot = (page: Page) => page.getByRole('row', { name: 'Calculations' })
const heading = (page: Page, name: RegExp) => page.getByRole('button', { name })

test('the footer of a list counts, calculates what one chooses for the filter shown, and is part of the view', async () => {
  const { token, api } = await withDeals()
  const { db, log } = web.kith
  const dispatcher = createDispatcher(db, {}, async () => {}, { liveMessagesOf, heard() {} }, log)
  await dispatcher.wake()
  const page = await web.visit('/records/deals', { token })
  await page.getByRole('gridcell', { name: 'Gamma' }).first().waitFor()
  await expect.poll(() => foot(page).textContent()).toContain('4 deals')

  // What deals are worth together is there without asking.
  await foot(page).getByRole('button', { name: 'Sum of Amount excluding lost' }).click()
  await page.getByRole('menuitem', { name: 'Sum', exact: true }).click()
  const sum = foot(page).getByRole('button', { name: /^Sum of Amount/ })
  await expect.poll(() => sum.getAttribute('aria-label')).toBe('Sum of Amount: €1,350.50 + £40')
  await expectUsable(page)

  // By keyboard, in the menu of the column.
  await page.getByRole('grid').focus()
  await page.getByRole('button', { name: 'Column Stage' }).click({ force: true })
  await page.getByRole('menuitem', { name: 'Calculate' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('menuitem', { name: 'Unique' }).waitFor()
  await page.getByRole('menuitem', { name: 'Unique' }).press('Enter')
  await expect.poll(() => foot(page).textContent()).toContain('Unique2')
  expect(new URL(page.url()).searchParams.get('columns')).toContain('amount~sum')

  // For the search shown, and live.
  await page.getByRole('searchbox', { name: 'Search deals' }).fill('eta')
  await expect.poll(() => sum.getAttribute('aria-label')).toBe('Sum of Amount: €250.50')
  const { records } = await api.queryRecords({ object: 'deals', filter: 'name = Beta' })
  const amount = { amount: '300', currency: 'EUR' }
  await api.updateRecords({ object: 'deals', records: [{ id: records[0]!.id, values: { amount } }] })
  await dispatcher.wake()
  await expect.poll(() => sum.getAttribute('aria-label')).toBe('Sum of Amount: €300')
  await dispatcher.stop()

  const { id } = await api.createView({
    object: 'deals',
    name: 'Sums',
    columns: [{ key: 'title' }, { key: 'amount', calculation: 'max' }],
  })
  await page.goto(`/records/deals?view=${id}`)
  await foot(page).getByRole('button', { name: 'Highest of Amount: €1,000 *' }).waitFor()
})

test('a list is grouped by option, owner or month with counts and sums, and groups can be collapsed', async () => {
  const { token, api } = await withDeals()
  const page = await web.visit('/records/deals', { token })
  await page.getByRole('gridcell', { name: 'Gamma' }).first().waitFor()
  await page.getByRole('button', { name: 'Group by' }).click()
  await page.getByRole('menuitem', { name: 'Stage', exact: true }).click()
  await heading(page, /^Qualified, 2 deals/).waitFor()
  await expectUsable(page)
  const lines = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('[role="grid"] [role="rowgroup"]:nth-child(2) > [role="row"]')]
        .toSorted((a, b) => Number.parseInt(a.style.top, 10) - Number.parseInt(b.style.top, 10))
        .map((row) => row.textContent?.match(/Alpha|Beta|Gamma|Delta|Qualified\d|Won\d/)?.[0]),
    )
  await expect.poll(lines).toEqual(['Qualified2', 'Beta', 'Alpha', 'Won2', 'Delta', 'Gamma'])
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'Qualified2' }).textContent()).toContain('€350.50')
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'Won2' }).textContent()).toContain('€1,000 + £40')

  // By keyboard; the rows of a collapsed group are not asked for, and the link says so.
  await heading(page, /^Qualified/).press('Enter')
  await expect.poll(lines).toEqual(['Qualified2', 'Won2', 'Delta', 'Gamma'])
  expect(new URL(page.url()).searchParams.get('collapsed')).toBe('qualified')
  await heading(page, /^Won/).press('Enter')
  await expect.poll(lines).toEqual(['Qualified2', 'Won2'])
  await expect.poll(() => foot(page).textContent()).toContain('4 deals')
  await heading(page, /^Qualified/).press('Enter')
  await expect.poll(lines).toEqual(['Qualified2', 'Beta', 'Alpha', 'Won2'])

  // Cells are reached across headings.
  await page.getByRole('gridcell', { name: 'Beta' }).first().click()
  await page.keyboard.press('ArrowDown')
  await expect
    .poll(() =>
      page
        .getByRole('grid')
        .evaluate(
          (grid) =>
            document.getElementById(
              grid.ariaActiveDescendantElement?.id ?? grid.getAttribute('aria-activedescendant') ?? '',
            )?.textContent,
        ),
    )
    .toContain('Alpha')

  await page.getByRole('button', { name: /^Group by/ }).click()
  await page.getByRole('menuitem', { name: 'Expected close by month' }).click()
  await heading(page, /^March 2026, 2 deals/).waitFor()
  await heading(page, /^No expected close, 1 deal/).waitFor()
  await heading(page, /^April 2026/).press('Enter')
  await expect.poll(() => page.getByRole('gridcell', { name: 'Gamma' }).count()).toBe(0)

  const { items } = await api.listUsers({})
  await page.goto('/records/deals?by=owner')
  await heading(page, new RegExp(`^${items[0]!.name}, 4 deals`)).waitFor()

  const phone = await web.visit('/records/deals?by=stage&columns=title,amount~sum', {
    token,
    viewport: { width: 390, height: 844 },
  })
  await heading(phone, /^Qualified, 2 deals/).waitFor()
  await expect.poll(() => phone.getByText('€1,350.50 + £40').count()).toBe(1)
  await heading(phone, /^Qualified/).click()
  await expect.poll(() => phone.getByRole('link', { name: 'Alpha' }).count()).toBe(0)
  await expectUsable(phone)
})
