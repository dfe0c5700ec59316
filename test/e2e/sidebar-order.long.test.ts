// Covers: web/frame
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { goTo } from './navigate.ts'
import { shown } from './sidebar-page.ts'

const { at, visit } = await testWeb()

test('objects are ordered and hidden by keyboard in a dialog, and another browser shows the same', async () => {
  const { page, token } = await at('/records/deals')
  await page.getByRole('button', { name: 'Sidebar options' }).click()
  await page.getByRole('menuitem', { name: 'Customize sidebar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Customize sidebar' })
  await dialog.getByRole('button', { name: 'Move People' }).focus()
  await page.keyboard.press('ArrowUp')
  await dialog.getByText('People is now 1 of 9').waitFor({ state: 'attached' })
  await dialog.getByRole('switch', { name: 'Show Organizations' }).focus()
  await page.keyboard.press('Space')
  await dialog.getByRole('switch', { name: 'Show Background jobs' }).click({ force: true })
  await expectUsable(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => shown(page)).toEqual(['People', 'Deals', 'Leads'])

  const elsewhere = await visit('/', { token })
  await elsewhere.waitForURL('**/dashboard')
  await expect.poll(() => shown(elsewhere)).toEqual(['People', 'Deals', 'Leads'])
  expect(await elsewhere.getByRole('link', { name: 'Background jobs', exact: true }).count()).toBe(0)
  await goTo(elsewhere, '/records')
  await elsewhere.getByRole('list', { name: 'All objects' }).getByRole('link', { name: 'Organizations' }).waitFor()
})
