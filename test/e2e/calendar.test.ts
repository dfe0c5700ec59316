import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { testWorker } from '../worker.ts'

const { kith, ada, visit } = await testWeb({ own: true })
await testWorker(kith)

async function plan() {
  const made = await ada()
  const [deal, late] = (
    await made.api.createRecords({
      object: 'deals',
      records: [
        { name: 'Acme', expected_close: '2026-11-12' },
        { name: 'Borealis', expected_close: '2026-12-02' },
      ],
    })
  ).records
  const task = { title: 'Call Zoe', due_at: '2026-11-12T15:30:00Z', assignee: made.owner.user_id }
  const [call] = (await made.api.createRecords({ object: 'tasks', records: [task] })).records
  const dayOf = async () => (await made.api.getRecord({ object: 'deals', id: deal!.id })).expected_close
  const due = async () => (await made.api.getRecord({ object: 'tasks', id: call!.id })).due_at
  return { ...made, late, dayOf, due }
}

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
