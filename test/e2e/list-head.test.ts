import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { testWorker } from '../worker.ts'
import { grid, matches, people, row } from './grid.ts'

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
