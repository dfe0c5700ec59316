// Covers: web/screens/activity web/history server/engine/history
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectUsable } from '../browser.ts'
import { phone } from '../chromium.ts'
import { testActivity } from './activity-page.ts'
import { goTo } from './navigate.ts'
import { dialog } from './record-page.ts'

const { kith, visit, agentAtWork } = await testActivity()

const set = (page: Page, words: string | RegExp) => page.getByRole('listitem').filter({ hasText: words })
const undoOf = (page: Page, words: string | RegExp) => set(page, words).getByRole('button', { name: /^Undo/ })

test('the changes of an agent are shown field by field, and one can be undone with one click', async () => {
  const { token, session, score, grace } = await agentAtWork()
  const page = await visit('/activity', { token })
  const card = page.getByRole('article', { name: /key Nightly run/ })
  await card.getByText('4 changes to 3 records').waitFor()
  await card.getByText('acting as Ada Lovelace').waitFor()
  await set(page, 'Created 3 people').waitFor()
  await set(page, 'Changed person Grace').getByRole('button', { expanded: false }).click()
  const diff = set(page, 'Changed person Grace')
  expect(await diff.getByRole('definition').allTextContents()).toEqual(expect.arrayContaining(['1020', 'nothingBern']))
  await expectUsable(page)
  await undoOf(page, 'Changed person Grace').click()
  await page.getByText('1 record reverted').waitFor()
  expect(await score(grace)).toBe(10)
  await set(page, 'Changed person Grace').getByText('Undone').waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(() => score(grace)).toBe(20)
  await undoOf(page, 'Changed person Grace').waitFor()
  expect((await session.listChanges({ by_key: true })).items).toHaveLength(4)
})

test('the last hour of a client can be undone, filters are in the URL, and it works on a phone', async () => {
  const { token, session, key } = await agentAtWork()
  const page = await visit('/activity', { token, viewport: phone, colorScheme: 'dark' })
  await page.getByText('Filters', { exact: true }).click()
  await page.getByLabel('Client').fill('nobody')
  await page.getByText('No matches').waitFor()
  expect(new URL(page.url()).searchParams.get('client')).toBe('nobody')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await set(page, 'Created 3 people').waitFor()
  await expectUsable(page)
  await goTo(page, `/activity?key=${key.id}`)
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Undo last hour' }).click()
  await dialog(page).getByText('records will be reverted').waitFor()
  await dialog(page)
    .getByRole('button', { name: /^Undo for/ })
    .click()
  await page.getByText(/records reverted/).waitFor()
  expect(await session.countRecords({ object: 'people' })).toMatchObject({ count: 0 })
  const later = await visit('/activity?from=2020-01-01&to=2020-01-02', { token })
  await later.getByText('No matches').waitFor()
  expect(await later.getByRole('textbox', { name: 'From' }).inputValue()).toBe('01/01/2020')
})

test('the trash shows who deleted what and when it expires, restores records, and lets Admins delete them permanently', async () => {
  const { admin, token, session, grace, alan, zoe } = await agentAtWork()
  await session.deleteRecords({ object: 'people', ids: [grace, alan] })
  const page = await visit('/trash/people', { token })
  const row = (title: string) => page.getByRole('row').filter({ hasText: title })
  await row('Zoë').getByText('Ada Lovelace').waitFor()
  await expectUsable(page)
  await row('Zoë').getByRole('button', { name: 'Restore Zoë' }).click()
  await page.getByText('1 person restored').waitFor()
  expect(await session.getRecord({ object: 'people', id: zoe })).toMatchObject({ title: 'Zoë' })
  await page.getByRole('checkbox', { name: 'Select Alan' }).check()
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  await dialog(page).getByRole('button', { name: 'Delete permanently' }).click()
  await page.getByText('1 person deleted permanently').waitFor()
  await row('Alan').waitFor({ state: 'detached' })
  const { records: deals } = await session.createRecords({ object: 'deals', records: [{ name: 'Roof' }] })
  await session.deleteRecords({ object: 'deals', ids: [deals[0]!.id] })
  const all = await visit('/trash', { token })
  await all.getByRole('row').filter({ hasText: 'Grace' }).getByText('Person', { exact: true }).waitFor()
  await all.getByRole('searchbox', { name: 'Search' }).fill('roof')
  await all.getByRole('row').filter({ hasText: 'Grace' }).waitFor({ state: 'detached' })
  // Another object keeps the words.
  await all.getByRole('combobox', { name: 'Object' }).click()
  await all.getByRole('option', { name: 'Deals' }).click()
  await all.waitForURL((url) => url.pathname === '/trash/deals' && url.searchParams.get('q') === 'roof')
  expect(await all.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('roof')
  await all.getByRole('checkbox', { name: 'Select Roof' }).check()
  await all.getByRole('button', { name: 'Restore', exact: true }).click()
  await all.getByText('1 deal restored').waitFor()
  await all.getByText('No matching records in the trash').waitFor()
  expect((await session.listRecords({ object: 'people', is_deleted: true })).records.map(({ id }) => id)).toEqual([
    grace,
  ])
  const member = await kith.given.user(admin)
  const hers = await visit('/trash/people', { token: await kith.given.session(member) })
  await hers.getByRole('checkbox', { name: 'Select Grace' }).check()
  await hers.getByRole('button', { name: 'Restore', exact: true }).waitFor()
  expect(await hers.getByRole('button', { name: 'Delete permanently' }).count()).toBe(0)
})
