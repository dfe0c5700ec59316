import { expect, test } from 'vitest'
import { testWeb } from '../browser.ts'
import { create, part, read } from './record-page.ts'

const { kith, ada, visit } = await testWeb()

test('tasks are added in one line and completed with one click, activities are in order, and the history can undo', async () => {
  const { token, api, owner } = await ada()
  const { id } = await create(api, 'people', { first_name: 'Grace' })
  await create(api, 'activities', { kind: 'call', at: '2026-01-02T10:00:00Z', outcome: 'Wants an offer', about: [id] })
  await create(api, 'activities', { kind: 'meeting', at: '2026-01-03T10:00:00Z', outcome: 'Signed', people: [id] })
  const withKey = kith.withKey(await kith.given.key(owner))
  await withKey.updateRecords({ object: 'people', records: [{ id, values: { city: 'Paris' } }] })
  const page = await visit(`/records/people/${id}`, { token })
  const tasks = part(page, 'Tasks')
  await tasks.getByRole('textbox', { name: 'New task' }).fill('Send the offer')
  await page.keyboard.press('Enter')
  await tasks.getByRole('link', { name: 'Send the offer' }).waitFor()
  await tasks.getByRole('checkbox', { name: 'Send the offer: done' }).click()
  await tasks.getByRole('button', { name: '1 done' }).click()
  await tasks.getByRole('list', { name: 'Done tasks' }).getByText('Send the offer').waitFor()
  const [task] = (await api.queryRecords({ object: 'tasks' })).records
  expect(task).toMatchObject({ status: 'done', assignee: owner.user_id, about: [{ id }] })

  await page.getByRole('tab', { name: 'Activities' }).click()
  await page.getByText('Signed').waitFor()
  const text = (await page.getByRole('tabpanel').textContent())!
  expect(text.indexOf('Signed')).toBeLessThan(text.indexOf('Wants an offer'))

  await page.getByRole('tab', { name: 'History' }).click()
  await page.waitForURL(/tab=history/)
  const first = page.getByRole('list', { name: 'Changes' }).getByRole('listitem').first()
  await first.getByText('Paris').waitFor()
  expect(await first.textContent()).toContain('key Test')
  await first.getByRole('button', { name: /^Undo/ }).click()
  await expect.poll(async () => (await read(api, 'people', id)).city ?? null).toBe(null)
})

test('everyone who can read a record sees who changed it, and can undo their own changes', async () => {
  const { api, owner } = await ada()
  const { id } = await create(api, 'people', { first_name: 'Grace' })
  const mia = await kith.given.user(owner, { name: 'Mia Member' })
  const token = await kith.given.session(mia)
  await kith.withSession(token).updateRecords({ object: 'people', records: [{ id, values: { city: 'Oslo' } }] })
  const page = await visit(`/records/people/${id}?tab=history`, { token })
  const [own, theirs] = [0, 1].map((n) => page.getByRole('list', { name: 'Changes' }).getByRole('listitem').nth(n))
  await own!.getByText('Oslo').waitFor()
  expect(await theirs!.textContent()).toContain('Ada')
  expect(await theirs!.getByRole('button', { name: /^Undo/ }).count()).toBe(0)
  await own!.getByRole('button', { name: /^Undo/ }).click()
  await expect.poll(async () => (await read(api, 'people', id)).city ?? null).toBe(null)
})
