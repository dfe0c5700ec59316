// Covers: web/history web/screens/activity web/screens/profile/activity server/engine/history
import { expect, test } from 'vitest'
import { expectUsable } from '../browser.ts'
import { phone } from '../chromium.ts'
import { testActivity } from './activity-page.ts'
import { dialog, heading } from './record-page.ts'

const { kith, visit, agentAtWork } = await testActivity()

test('each place that shows a merge names the merged and the kept records, and can undo it as a whole', async () => {
  const { token, session, grace, alan } = await agentAtWork()
  await session.updateRecords({ object: 'people', records: [{ id: alan, values: { city: 'London' } }] })
  const merge = (api: typeof session) =>
    api.mergeRecords({ object: 'people', id: grace, merge: [alan], values: { last_name: 'Hopper' } })
  const isMerged = async () => (await session.getRecord({ object: 'people', id: alan })).id === grace
  const confirm = () => dialog(page).getByRole('button', { name: 'Undo for 2 records' }).click()
  await merge(session)
  const page = await visit('/profile/activity', { token })
  await page.getByRole('button', { name: 'Undo: Merged 1 person into Grace Hopper' }).click()
  await confirm()
  await expect.poll(isMerged).toBe(false)

  await merge(kith.withKey((await session.createApiKey({ name: 'Cleaning' })).value))
  await page.goto('/activity')
  const card = page.getByRole('article', { name: /key Cleaning/ })
  await card.getByText('Merged 1 person into Grace Hopper').waitFor()
  await expectUsable(page)
  await card.getByRole('button', { name: 'Undo: Merged 1 person into Grace Hopper' }).click()
  await confirm()
  await expect.poll(isMerged).toBe(false)

  await merge(session)
  await page.goto(`/records/people/${grace}`)
  await heading(page, 'Grace Hopper').waitFor()
  const entry = page.getByRole('listitem').filter({ hasText: 'merged 1 person into this' }).first()
  await entry.getByRole('button', { name: /^Undo/ }).click()
  await confirm()
  await expect.poll(isMerged).toBe(false)
})

test('Admins see what Kith merged automatically, on a phone as well', async () => {
  const { admin, token, session, grace, alan } = await agentAtWork()
  await session.mergeRecords({ object: 'people', id: grace, merge: [alan] })
  await kith.db
    .updateTable('change_sets')
    .set({ actor_id: null, principal_kind: 'system', principal_name: 'Kith', door: 'automation' })
    .where('company_id', '=', admin.company_id)
    .where('operation', '=', 'mergeRecords')
    .execute()
  const page = await visit('/activity?key=kith', { token, viewport: phone })
  const card = page.getByRole('article', { name: 'Kith, automatically' })
  await card.getByText('Merged 1 person into Grace').waitFor()
  expect(await page.getByRole('article').count()).toBe(1)
  await expectUsable(page)
})
