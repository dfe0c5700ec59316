import { expect, test } from 'vitest'
import { testWeb } from '../browser.ts'
import { cell, grid, people, place, row } from './grid.ts'
import { citiesOf, columns } from './list-cells-page.ts'

const { ada, visit } = await testWeb()

test('cells are selected by keyboard, filled down from the first, and cleared; each is undone as one', async () => {
  const { token, api } = await ada()
  await people(api, { count: 4, values: (n) => ({ city: `City ${n}`, job_title: 'Buyer' }) })
  const page = await visit(`/records/people?${columns}`, { token })
  await cell(page, 'Person 003', await place(page, 'City')).click()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowUp')
  await expect.poll(() => grid(page).locator('[data-range]').count()).toBe(3)
  await page.keyboard.press('Control+d')
  await page.getByText('Filled cells in 2 people.').waitFor()
  expect(await citiesOf(api)).toEqual(['City 3', 'City 3', 'City 3', 'City 0'])
  await page.keyboard.press('Control+z')
  await expect.poll(() => citiesOf(api)).toEqual(['City 3', 'City 2', 'City 1', 'City 0'])
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Delete')
  await page.getByText('Cleared cells in 3 people.').waitFor()
  expect(await citiesOf(api)).toEqual([null, null, null, 'City 0'])
  await row(page, 'Person 003').filter({ hasNotText: 'Buyer' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => grid(page).locator('[data-range]').count()).toBe(0)
  // Without a range, from the cell above.
  await cell(page, 'Person 000', await place(page, 'Job title')).click()
  await page.keyboard.press('Delete')
  await expect
    .poll(async () => (await api.countRecords({ object: 'people', filter: 'job_title is empty' })).count)
    .toBe(4)
})
