// Covers: web/screens/list
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { cell, grid, people, place, row } from './grid.ts'
import { citiesOf, columns } from './list-cells-page.ts'

const { ada, visit } = await testWeb()

test('a block of cells is selected with the mouse, copied as a table, and pasted elsewhere', async () => {
  const { token, api } = await ada()
  await people(api, { count: 4, values: (n) => ({ city: `City ${n}`, job_title: `Job ${n}` }) })
  const page = await visit(`/records/people?${columns}`, { token })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const [job, city] = [await place(page, 'Job title'), await place(page, 'City')]
  const middle = async (name: string, column: number) => {
    const box = (await cell(page, name, column).boundingBox())!
    return [box.x + box.width / 2, box.y + box.height / 2] as const
  }
  await cell(page, 'Person 003', job).click()
  await page.mouse.move(...(await middle('Person 003', job)))
  await page.mouse.down()
  await page.mouse.move(...(await middle('Person 002', city)), { steps: 5 })
  await page.mouse.up()
  await expect.poll(() => grid(page).locator('[data-range]').count()).toBe(4)
  await page.keyboard.press('Control+c')
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toBe('Job 3\tCity 3\nJob 2\tCity 2')
  await cell(page, 'Person 001', job).click()
  await page.keyboard.press('Control+v')
  await page.getByText('Pasted 4 cells into 2 people.').waitFor()
  expect(await citiesOf(api)).toEqual(['City 3', 'City 2', 'City 3', 'City 2'])

  // One value fills what is selected, and the handle fills the rows below.
  await page.evaluate(() => navigator.clipboard.writeText('Oslo'))
  await cell(page, 'Person 003', city).click()
  await cell(page, 'Person 002', city).click({ modifiers: ['Shift'] })
  await page.keyboard.press('Control+v')
  await expect.poll(() => citiesOf(api)).toEqual(['Oslo', 'Oslo', 'City 3', 'City 2'])
  const handle = (await grid(page).locator('[data-fill]').boundingBox())!
  await page.mouse.move(handle.x + 4, handle.y + 4)
  await page.mouse.down()
  await page.mouse.move(...(await middle('Person 000', city)), { steps: 5 })
  await page.mouse.up()
  await expect.poll(() => citiesOf(api)).toEqual(['Oslo', 'Oslo', 'Oslo', 'Oslo'])
})

test('the menu of a cell opens by the right button and by Shift F10, filters, copies, fills and deletes', async () => {
  const { token, api } = await ada()
  await people(api, { count: 3, values: (n) => ({ city: n ? 'Rom' : 'Oslo' }) })
  const page = await visit(`/records/people?${columns}`, { token })
  const city = await place(page, 'City')
  await cell(page, 'Person 002', city).click({ button: 'right' })
  const menu = page.getByRole('menu', { name: 'Person 002, City' })
  await menu.waitFor()
  await expectUsable(page)
  await menu.getByRole('menuitem', { name: 'Filter by this value' }).click()
  await row(page, 'Person 000').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /City is .*Rom/ }).waitFor()
  await cell(page, 'Person 001', city).click()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menu', { name: 'Person 001, City' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('Person 001 moved to the trash.').waitFor()
  await row(page, 'Person 001').waitFor({ state: 'detached' })
  await page.keyboard.press('Shift+F10')
  expect(await page.getByRole('menuitem', { name: 'Open in a new tab' }).getAttribute('href')).toMatch(
    /^\/records\/people\//,
  )
})
