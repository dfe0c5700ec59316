import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { dialog } from './record-page.ts'

const { kith, ada, visit } = await testWeb()

/** A company in which an agent has created three people, raised two scores and deleted the third. */
async function agentAtWork() {
  const { owner: admin, token, api: session } = await ada()
  const { key, value } = await session.createApiKey({ name: 'Nightly run' })
  const agent = kith.withKey(value)
  const { records } = await agent.createRecords({
    object: 'people',
    records: ['Grace', 'Alan', 'Zoë'].map((first_name) => ({ first_name, score: 10 })),
  })
  const [grace, alan, zoe] = records.map(({ id }) => id) as [string, string, string]
  const update = (id: string, values: object) =>
    agent.updateRecords({ object: 'people', records: [{ id, values: values as Record<string, unknown> }] })
  await update(grace, { score: 20, city: 'Bern' })
  await update(alan, { score: 30 })
  await agent.deleteRecords({ object: 'people', ids: [zoe] })
  const score = async (id: string) => (await session.getRecord({ object: 'people', id })).score
  return { admin, token, session, key, grace, alan, zoe, score }
}

const set = (page: Page, words: string | RegExp) => page.getByRole('listitem').filter({ hasText: words })
const undoOf = (page: Page, words: string | RegExp) => set(page, words).getByRole('button', { name: /^Undo/ })

test('the changes of an agent are shown field by field, and one can be undone with one click', async () => {
  const { token, session, score, grace } = await agentAtWork()
  const page = await visit('/activity', { token })
  const card = page.getByRole('article', { name: /key Nightly run/ })
  await card.getByText('4 changes of 3 records').waitFor()
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

test('a selection is undone after the page has said what is kept and why', async () => {
  const { token, session, score, grace, alan } = await agentAtWork()
  await session.updateRecords({ object: 'people', records: [{ id: grace, values: { score: 99 } }] })
  const page = await visit('/activity', { token })
  await page.getByRole('checkbox', { name: 'Select: Changed person Grace' }).check()
  await page.getByRole('checkbox', { name: 'Select: Changed person Alan' }).check()
  await page.getByText('2 changes selected').waitFor()
  await page.getByRole('button', { name: 'Undo selection' }).click()
  await dialog(page).getByText('2 records will be as they were before').waitFor()
  const stays = dialog(page).getByRole('list', { name: 'What will not change' }).getByRole('listitem')
  await expect.poll(() => stays.allTextContents()).toEqual(['Grace ScoreIt was changed again later.'])
  expect(await score(alan), 'only asked so far').toBe(30)
  await dialog(page).getByRole('button', { name: 'Undo for 2 records' }).click()
  await page.getByText('2 records reverted').waitFor()
  expect(await score(alan)).toBe(10)
  expect(await session.getRecord({ object: 'people', id: grace })).toMatchObject({ score: 99 })
  expect(await session.getRecord({ object: 'people', id: grace })).not.toHaveProperty('city')
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
  await page.goto(`/activity?key=${key.id}`)
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Undo last hour' }).click()
  await dialog(page).getByText('records will be as they were before').waitFor()
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
  expect((await session.listRecords({ object: 'people', deleted: true })).records.map(({ id }) => id)).toEqual([grace])
  const member = await kith.given.user(admin)
  const hers = await visit('/trash/people', { token: await kith.given.session(member) })
  await hers.getByRole('checkbox', { name: 'Select Grace' }).check()
  await hers.getByRole('button', { name: 'Restore', exact: true }).waitFor()
  expect(await hers.getByRole('button', { name: 'Delete permanently' }).count()).toBe(0)
})

test('identical changes to several records are shown once, and a whole session can be undone together', async () => {
  const { token, session } = await agentAtWork()
  const { value } = await session.createApiKey({ name: 'Cleaning' })
  const { records } = await session.listRecords({ object: 'people' })
  const cleaning = kith.withKey(value)
  const values = { city: 'Bonn', score: 5 }
  await cleaning.updateRecords({ object: 'people', records: records.map(({ id }) => ({ id, values })) })
  await cleaning.updateRecords({ object: 'people', records: records.map(({ id }) => ({ id, values: { score: 6 } })) })
  const page = await visit('/activity', { token })
  const card = page.getByRole('article', { name: /key Cleaning/ })
  const change = card.getByRole('listitem').filter({ hasText: 'Changed 2 people Score' })
  await change.getByRole('button', { expanded: false }).last().click()
  await expect.poll(() => change.getByRole('link').allTextContents()).toEqual(expect.arrayContaining(['Grace', 'Alan']))
  expect(await change.getByRole('definition').allTextContents()).toEqual(['56'])
  await card.getByRole('button', { name: /^Undo all/ }).click()
  await dialog(page).getByText('Undo both changes?').waitFor()
  await dialog(page).getByRole('button', { name: 'Undo for 2 records' }).click()
  await page.getByText('2 records reverted').waitFor()
  const scores = (await session.listRecords({ object: 'people', sort: ['first_name'] })).records.map(
    ({ score }) => score,
  )
  expect(scores).toEqual([30, 20])
})
