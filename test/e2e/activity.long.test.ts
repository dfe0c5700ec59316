// Covers: web/screens/activity web/history server/engine/history
import { expect, test } from 'vitest'
import { testActivity } from './activity-page.ts'
import { dialog } from './record-page.ts'

const { kith, visit, agentAtWork } = await testActivity()

test('a selection is undone after the page has said what is kept and why', async () => {
  const { token, session, score, grace, alan } = await agentAtWork()
  await session.updateRecords({ object: 'people', records: [{ id: grace, values: { score: 99 } }] })
  const page = await visit('/activity', { token })
  await page.getByRole('checkbox', { name: 'Select: Changed person Grace' }).check()
  await page.getByRole('checkbox', { name: 'Select: Changed person Alan' }).check()
  await page.getByText('2 changes selected').waitFor()
  await page.getByRole('button', { name: 'Undo selection' }).click()
  await dialog(page).getByText('2 records will be reverted').waitFor()
  const stays = dialog(page).getByRole('list', { name: 'What will not change' }).getByRole('listitem')
  await expect.poll(() => stays.allTextContents()).toEqual(['Grace ScoreIt was changed again later.'])
  expect(await score(alan), 'only asked so far').toBe(30)
  await dialog(page).getByRole('button', { name: 'Undo for 2 records' }).click()
  await page.getByText('2 records reverted').waitFor()
  expect(await score(alan)).toBe(10)
  expect(await session.getRecord({ object: 'people', id: grace })).toMatchObject({ score: 99 })
  expect(await session.getRecord({ object: 'people', id: grace })).not.toHaveProperty('city')
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
