// Covers: web/screens/list
import { expect, test } from 'vitest'
import { expectUsable } from '../browser.ts'
import { testCalendar } from './calendar-page.ts'

const { visit, plan } = await testCalendar()

test('a time is kept when its day changes, and a week and an agenda show it', async () => {
  const { token, due } = await plan()
  const page = await visit('/records/tasks?type=calendar&by=due_at&span=week&day=2026-11-10', { token })
  const entry = page.getByRole('button', { name: /Call Zoe/ })
  await entry.focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(due).toBe('2026-11-13T15:30:00.000Z')
  await page.getByText('Agenda', { exact: true }).click()
  await page
    .getByRole('region', { name: /November 13/ })
    .getByText('Call Zoe')
    .waitFor()
  await expectUsable(page)
})
