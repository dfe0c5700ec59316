import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { goTo } from './navigate.ts'
import { shown } from './sidebar-page.ts'

const { kith, ada, at, visit } = await testWeb()

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
  await dialog.getByRole('switch', { name: 'Show Jobs' }).click({ force: true })
  await expectUsable(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => shown(page)).toEqual(['People', 'Deals', 'Leads'])

  const elsewhere = await visit('/', { token })
  await elsewhere.waitForURL('**/dashboard')
  await expect.poll(() => shown(elsewhere)).toEqual(['People', 'Deals', 'Leads'])
  expect(await elsewhere.getByRole('link', { name: 'Jobs', exact: true }).count()).toBe(0)
  await goTo(elsewhere, '/records')
  await elsewhere.getByRole('list', { name: 'All objects' }).getByRole('link', { name: 'Organizations' }).waitFor()
})

test('objects that a role cannot read are not in the sidebar, the overview or the bar of a phone', async () => {
  const { owner, api } = await ada()
  const none = { read: 'none', create: false, edit: 'none', delete: 'none' } as const
  const readable = { ...none, read: 'all' } as const
  await api.createRole({ name: 'People only', records: { '*': none, people: readable } })
  const user = await kith.given.user(owner, { role: 'People only' })
  const token = await kith.given.session(user)
  const page = await visit('/', { token })
  await page.waitForURL('**/dashboard')
  await expect.poll(() => shown(page)).toEqual(['People'])
  await goTo(page, '/records')
  const all = page.getByRole('list', { name: 'All objects' }).getByRole('link')
  await all.first().waitFor()
  expect(await all.allTextContents()).toEqual(['People'])
  const small = await visit('/records', { token, viewport: { width: 390, height: 844 } })
  const bar = small.getByRole('navigation', { name: 'Quick navigation' })
  await bar.getByRole('link').first().waitFor()
  expect(await bar.getByRole('link').allTextContents()).toEqual(['Inbox', 'People'])
  await expectUsable(small)
})
