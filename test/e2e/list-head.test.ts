import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { testWorker } from '../worker.ts'
import { cell, grid, matches, people, place, row } from './grid.ts'

const { kith, ada, visit } = await testWeb({ own: true })
await testWorker(kith)

test('a list is searched by typing, together with its filter, and the link shows the same', async () => {
  const { token, api } = await ada()
  await people(api, { count: 6, values: (n) => ({ city: n % 2 ? 'Berlin' : 'Wien', job_title: `Job ${n}` }) })
  const page = await visit('/records/people?filter=city+%3D+Berlin', { token })
  await row(page, 'Person 005').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('/')
  await page.keyboard.type('job 3')
  await row(page, 'Person 005').waitFor({ state: 'detached' })
  await row(page, 'Person 003').waitFor()
  expect(await matches(page).textContent()).toContain('1')
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('job 3')
  const other = await visit(new URL(page.url()).pathname + new URL(page.url()).search, { token })
  await row(other, 'Person 003').waitFor()
  expect(await other.getByRole('searchbox', { name: 'Search people' }).inputValue()).toBe('job 3')
  await page.keyboard.type(' nowhere')
  await page.getByText('No people match').waitFor()
  await page.getByText('Did you mean').getByRole('link', { name: 'Person 003' }).waitFor()
  await expectUsable(page)
  await page.keyboard.press('Escape')
  await row(page, 'Person 005').waitFor()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => grid(page).evaluate((box) => box === document.activeElement)).toBe(true)
})

test('every company has views for sales; a phone has them in its sheet', async () => {
  const { token, api, owner } = await ada({ hasViews: true })
  const late = new Date(Date.now() - 86_400_000).toISOString()
  await api.createRecords({
    object: 'tasks',
    records: [
      { title: 'Late', due_at: late, assignee: owner.user_id },
      { title: 'Someday', assignee: owner.user_id },
    ],
  })
  const page = await visit('/records/tasks', { token })
  await row(page, 'Someday').waitFor()
  await page.getByRole('link', { name: 'Overdue tasks' }).click()
  await row(page, 'Someday').waitFor({ state: 'detached' })
  expect(await cell(page, 'Late', await place(page, 'Due')).getAttribute('data-overdue')).toBe('true')
  await page.getByRole('button', { name: 'Done: Late' }).click()
  await row(page, 'Late').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await row(page, 'Late').waitFor()
  await page.getByRole('link', { name: 'All tasks' }).click()
  await row(page, 'Someday').waitFor()
  await expectUsable(page)

  const small = await visit('/records/tasks', { token, viewport: phone })
  await small.getByRole('button', { name: 'View, filter and sort' }).click()
  await small.getByRole('button', { name: 'Overdue tasks' }).click()
  const cards = small.getByRole('list', { name: 'Tasks' })
  await cards.getByRole('link', { name: 'Someday' }).waitFor({ state: 'detached' })
  await small.getByRole('button', { name: 'Done: Late' }).click()
  await cards.getByRole('link', { name: 'Late' }).waitFor({ state: 'detached' })
  expect(await api.countRecords({ object: 'tasks', filter: 'status = done' })).toMatchObject({ count: 1 })
})
