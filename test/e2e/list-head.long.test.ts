// Covers: web/screens/list web/records
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { testWorker } from '../worker.ts'
import { cell, firstRow, grid, head, people, place, row } from './grid.ts'

const { kith, ada, visit } = await testWeb({ own: true })
await testWorker(kith)

test('quick filters are one click, sort and filter are said in words, and days as people write them', async () => {
  const { token, api, owner } = await ada()
  await api.createRecords({
    object: 'deals',
    records: [
      { name: 'Mine', owner: owner.user_id, amount: { amount: '10', currency: 'USD' }, expected_close: '2026-02-03' },
      { name: 'Other', owner: null, amount: { amount: '20', currency: 'USD' } },
      { name: 'Declined', owner: owner.user_id, stage: 'lost', lost_reason: 'Price' },
    ],
  })
  const page = await visit('/records/deals?sort=-amount', { token })
  await firstRow(page).filter({ hasText: 'Other' }).waitFor()
  await page.getByRole('button', { name: 'Sort: Amount, high to low' }).waitFor()
  const mine = page.getByRole('button', { name: 'Mine', exact: true })
  await mine.click()
  await row(page, 'Other').waitFor({ state: 'detached' })
  expect(await mine.getAttribute('aria-pressed')).toBe('true')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await row(page, 'Declined').waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.get('filter')).toBe('owner = me and status = open')
  expect(await page.getByRole('button', { name: /^Owner is/ }).count(), 'not said twice').toBe(0)
  await mine.click()
  await row(page, 'Other').waitFor()
  await page.goto('/records/deals?filter=expected_close+%3E+2026-01-02+and+none(tasks:status=open)')
  await page.getByRole('button', { name: 'Expected close is after Jan 2, 2026' }).waitFor()
  await page.getByRole('button', { name: /It has no open tasks/ }).waitFor()
  const order = await grid(page).getByRole('columnheader').allTextContents()
  expect(order.slice(0, 6)).toEqual(['', 'Deal', 'Amount', 'Stage', 'Organization', 'Owner'])
  expect(order).not.toContain('Pipeline')
  await expectUsable(page)
})

test('fields of linked records are columns, to sort by, and a new field becomes one', async () => {
  const { token, api } = await ada()
  const firms = [
    { name: 'Beta', city: 'Graz' },
    { name: 'Alpha', city: 'Wien' },
  ]
  const { records } = await api.createRecords({ object: 'organizations', records: firms })
  await people(api, { count: 2, values: (n) => ({ organization: records[n]!.id, phones: ['+4930123456'] }) })
  const page = await visit('/records/people?columns=!title,phones,organization', { token })
  await row(page, 'Person 000').filter({ hasText: '+49 30 123456' }).waitFor()
  await head(page, 'Organization').getByRole('button', { name: 'Organization', exact: true }).click()
  await firstRow(page).filter({ hasText: 'Alpha' }).waitFor()
  await page.getByRole('button', { name: 'Add a column' }).click()
  await page.getByRole('textbox', { name: 'Find a field' }).fill('city')
  await page.getByRole('checkbox', { name: 'Organization: City' }).check()
  await row(page, 'Person 000').filter({ hasText: 'Graz' }).waitFor()
  await page.keyboard.press('Escape')
  await head(page, 'Organization: City').getByRole('button', { name: 'Organization: City', exact: true }).click()
  await firstRow(page).filter({ hasText: 'Graz' }).waitFor()
  await page.getByRole('button', { name: 'Sort: Organization: City, A to Z' }).waitFor()

  await page.getByRole('button', { name: 'Add a column' }).click()
  await page.getByRole('button', { name: 'New field…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Label').fill('Shoe size')
  await dialog.getByRole('button', { name: 'Add field' }).click()
  await head(page, 'Shoe size').waitFor()
  expect(page.url()).toContain('/records/people')
})

test('many records get an owner and a new tag; all but one are counted; what a role refuses is disabled with the reason', async () => {
  const { token, api, owner } = await ada()
  await people(api, { count: 230, values: () => ({ owner: null }) })
  const page = await visit('/records/people', { token })
  await row(page, 'Person 229').waitFor()
  await grid(page).getByRole('checkbox', { name: 'Select all rows' }).click()
  const bar = page.getByRole('region', { name: 'Selection' })
  await bar.getByRole('button', { name: 'Select all 230' }).click()
  await bar.getByText('230 selected').waitFor()
  await row(page, 'Person 228').getByRole('checkbox').click()
  await bar.getByText('229 selected').waitFor()
  await bar.getByRole('button', { name: 'Tags' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Values to add' }).fill('Newsletter')
  await page.getByRole('option', { name: 'Create “Newsletter”' }).waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByText('Newsletter', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Change 229 people' }).click()
  const tagged = () => api.countRecords({ object: 'people', filter: 'tags has any (newsletter)' })
  await expect.poll(async () => (await tagged()).count).toBe(229)
  expect((await api.countRecords({ object: 'people', filter: 'tags is empty and last_name = "228"' })).count).toBe(1)

  const rights = { read: 'all', create: true, edit: 'own', delete: 'none' } as const
  await api.createRole({ name: 'Rep', records: { '*': rights } })
  const rep = await kith.given.user(owner, { role: 'Rep' })
  const hers = await visit('/records/people', { token: await kith.given.session(rep) })
  await row(hers, 'Person 229').getByRole('checkbox').click()
  const remove = hers.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' })
  expect(await remove.getAttribute('aria-disabled')).toBe('true')
  await remove.hover()
  await hers.getByText('Your role does not let you delete people').waitFor()
  await expectUsable(hers)
})

test('every company has views for sales; a phone has them in its sheet', async () => {
  const { token, api, owner } = await ada({ hasViews: true })
  const late = new Date(Date.now() - 86_400_000).toISOString()
  await api.createRecords({
    object: 'tasks',
    records: [
      { title: 'Late', due_at: late, assignee: owner.user_id },
      { title: 'Someday', assignee: owner.user_id },
    ],
  })
  const page = await visit('/records/tasks', { token })
  await row(page, 'Someday').waitFor()
  await page.getByRole('link', { name: 'Overdue tasks' }).click()
  await row(page, 'Someday').waitFor({ state: 'detached' })
  expect(await cell(page, 'Late', await place(page, 'Due')).getAttribute('data-overdue')).toBe('true')
  await page.getByRole('button', { name: 'Done: Late' }).click()
  await row(page, 'Late').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await row(page, 'Late').waitFor()
  await page.getByRole('link', { name: 'All tasks' }).click()
  await row(page, 'Someday').waitFor()
  await expectUsable(page)

  const small = await visit('/records/tasks', { token, viewport: phone })
  await small.getByRole('button', { name: 'View, filter and sort' }).click()
  await small.getByRole('button', { name: 'Overdue tasks' }).click()
  const cards = small.getByRole('list', { name: 'Tasks' })
  await cards.getByRole('link', { name: 'Someday' }).waitFor({ state: 'detached' })
  await small.getByRole('button', { name: 'Done: Late' }).click()
  await cards.getByRole('link', { name: 'Late' }).waitFor({ state: 'detached' })
  expect(await api.countRecords({ object: 'tasks', filter: 'status = done' })).toMatchObject({ count: 1 })
})
