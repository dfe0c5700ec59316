// Covers: web/frame
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { goTo } from './navigate.ts'
import { objectsOf, shown } from './sidebar-page.ts'

const { kith, ada, at, visit } = await testWeb()

test('an object is dragged to another place', async () => {
  const { page, api } = await at('/records/deals')
  const entry = (name: string) => objectsOf(page).getByRole('link', { name, exact: true })
  await entry('Tasks').dragTo(entry('Deals'), { targetPosition: { x: 20, y: 3 } })
  await expect.poll(() => shown(page)).toEqual(['Tasks', 'Deals', 'People'])
  await expect.poll(async () => (await api.getNavigation({})).objects[0]).toBe('tasks')
})

test('a view is pinned below its object, opens from there, and is unpinned', async () => {
  const { token, api } = await ada()
  const view = await api.createView({ object: 'deals', name: 'Closing soon', filter: 'stage = proposal' })
  const page = await visit(`/records/deals?view=${view.id}`, { token })
  await page.getByRole('button', { name: 'Actions for Closing soon' }).click()
  await page.getByRole('menuitem', { name: 'Pin to sidebar' }).click()
  const pinned = page.getByRole('list', { name: 'Pinned views of Deals' }).getByRole('link', { name: 'Closing soon' })
  await pinned.waitFor()
  expect(await pinned.getAttribute('aria-current')).toBe('page')
  await page.goto('/records/people')
  await pinned.click()
  await page.waitForURL(`**/records/deals?view=${view.id}*`)
  await expectUsable(page)
  await page.getByRole('button', { name: 'Sidebar options' }).click()
  await page.getByRole('menuitem', { name: 'Customize sidebar' }).click()
  await page.getByRole('button', { name: 'Unpin Deals: Closing soon' }).click()
  await page.getByRole('combobox', { name: 'Pin a view' }).click()
  await page.getByRole('option', { name: 'Deals: Closing soon' }).click()
  await page.getByRole('button', { name: 'Unpin Deals: Closing soon' }).waitFor()
  await api.deleteView({ id: view.id })
  await page.goto('/records/people')
  await objectsOf(page).getByRole('link', { name: 'Deals' }).waitFor()
  expect(await pinned.count()).toBe(0)
})

test('a new Admin sees what comes next, and it stays away once dismissed', async () => {
  const { page, token } = await at('/dashboard')
  const hint = page.getByRole('region', { name: 'Getting started' })
  await hint.getByRole('link', { name: /Bring your data/ }).waitFor()
  await expectUsable(page)
  await hint.getByRole('button', { name: 'Dismiss getting started' }).click()
  await hint.waitFor({ state: 'hidden' })
  const elsewhere = await visit('/dashboard', { token })
  await elsewhere.getByText('No tasks are due today.').waitFor()
  expect(await elsewhere.getByRole('region', { name: 'Getting started' }).count()).toBe(0)
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
