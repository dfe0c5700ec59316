import { expect, test } from 'vitest'
import { expectUsable } from '../browser.ts'
import { phone } from '../chromium.ts'
import { testCalendar } from './calendar-page.ts'

const { visit, plan } = await testCalendar()

const month = '/records/deals?type=calendar&day=2026-11-01'

test('a month shows records on their days; one is dragged to another day, moved by keyboard, and created on a day', async () => {
  const { token, api, dayOf } = await plan()
  const page = await visit(month, { token })
  const entry = page.getByRole('button', { name: 'Acme' })
  const cell = (day: string) =>
    page.getByRole('cell').filter({ has: page.getByRole('button', { name: new RegExp(day) }) })
  await entry.waitFor()
  await expectUsable(page)
  await entry.dragTo(cell('November 18, 2026: '), { targetPosition: { x: 80, y: 60 } })
  await expect.poll(dayOf).toBe('2026-11-18')
  await cell('November 18, 2026: ').getByRole('button', { name: 'Acme' }).focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await expect.poll(dayOf).toBe('2026-11-17')
  await page.getByRole('button', { name: 'Next month' }).click()
  await page.getByRole('heading', { name: 'December 2026' }).waitFor()
  await page.getByRole('button', { name: 'Borealis' }).waitFor()
  await cell('December 10, 2026: ').hover()
  await page.getByRole('button', { name: /^New deal on .*December 10, 2026/ }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Cobalt')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await cell('December 10, 2026: ').getByRole('button', { name: 'Cobalt' }).waitFor()
  const { records } = await api.queryRecords({ object: 'deals', filter: 'name = Cobalt' })
  expect(records[0]).toMatchObject({ expected_close: '2026-12-10' })
})

test('on a phone it begins with the agenda, and a day of the month leads there', async () => {
  const { token } = await plan()
  const page = await visit('/records/deals?type=calendar&day=2026-11-10', { token, viewport: phone })
  await page.getByRole('button', { name: 'Acme' }).waitFor()
  await expectUsable(page)
  await page.getByText('Month', { exact: true }).click()
  await page.getByRole('button', { name: /November 12, 2026: 1 deal/ }).click()
  await page
    .getByRole('region', { name: /November 12/ })
    .getByRole('button', { name: 'Acme' })
    .waitFor()
})
