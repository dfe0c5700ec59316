import { expect, test } from 'vitest'
import type { Api } from '../app.ts'
import { expectUsable, testWeb } from '../browser.ts'
import { desktop, phone } from '../chromium.ts'
import { testWorker } from '../worker.ts'
import { create, from, picture, row, section } from './my-tasks-page.ts'
import { screens } from './screens.ts'

const { kith, ada, at, visit } = await testWeb({ own: true })
await testWorker(kith)

async function someTasks(api: Api) {
  const [deal] = (await api.createRecords({ object: 'deals', records: [{ name: 'Acme renewal' }] })).records
  const about = [deal!.id]
  await create(api, { title: 'Send the offer', due_at: from(-3), priority: 'high', about })
  await create(api, { title: 'Weekly report', due_at: new Date(Date.now() + 60_000).toISOString(), repeats: 'weekly' })
  await create(api, { title: 'Prepare demo', due_at: from(1), about })
  await create(api, { title: 'Ask for a reference', due_at: from(4) })
  await create(api, { title: 'Clean up the pipeline' })
  const { id } = await create(api, { title: 'First call', about })
  await api.updateRecords({ object: 'tasks', records: [{ id, values: { status: 'done' } }] })
}

test.each(
  screens([
    ['desktop-light', desktop, 'light'],
    ['desktop-dark', desktop, 'dark'],
    ['phone-light', phone, 'light'],
    ['phone-dark', phone, 'dark'],
  ] as const),
)('my tasks are grouped by day, with their related records, on %s', async (name, viewport, colorScheme) => {
  const { token, api } = await ada()
  await someTasks(api)
  const page = await visit('/my-tasks', { token, viewport, colorScheme })
  await section(page, /^Overdue 1$/)
    .getByText('Send the offer')
    .waitFor()
  await row(page, 'Send the offer').getByRole('link', { name: 'Acme renewal' }).waitFor()
  await row(page, 'Send the offer').getByRole('img', { name: 'Priority: High' }).waitFor()
  await row(page, 'Weekly report').getByRole('img', { name: 'Repeats weekly' }).waitFor()
  await section(page, /^Tomorrow, .* 1$/)
    .getByText('Prepare demo')
    .waitFor()
  await section(page, /^No date 1$/)
    .getByText('Clean up the pipeline')
    .waitFor()
  await page.getByRole('button', { name: 'Done 1' }).click()
  await section(page, 'Done').getByText('First call').waitFor()
  await expectUsable(page)
  await picture(page, name)
})

test('a task is added in one line, and the date in the text can be accepted or refused', async () => {
  const { page, api } = await at('/my-tasks')
  await page.getByText('All done').waitFor()
  await expectUsable(page)
  await picture(page, 'empty')
  await page.keyboard.press('n')
  await page.keyboard.type('Call Anna tomorrow 10:00')
  await page.getByText(/^Tomorrow, 10:00/).waitFor()
  await picture(page, 'adding')
  await page.keyboard.press('Enter')
  await section(page, /^Tomorrow/)
    .getByText('Call Anna', { exact: true })
    .waitFor()
  await page.keyboard.type('See the film Tomorrow')
  await page.getByRole('button', { name: /^No due date/ }).click()
  await page.keyboard.press('Enter')
  await section(page, /^No date/)
    .getByText('See the film Tomorrow')
    .waitFor()
  const { records } = await api.queryRecords({ object: 'tasks', filter: 'assignee = me', limit: 10 })
  expect(records.map(({ title }) => title).sort()).toEqual(['Call Anna', 'See the film Tomorrow'])
})

test('the keyboard goes through the tasks, finishes and opens them', async () => {
  const { token, api } = await ada()
  for (const [title, days] of [
    ['One', 1],
    ['Two', 2],
    ['Three', 3],
  ] as const)
    await create(api, { title, due_at: from(days) })
  const page = await visit('/my-tasks', { token })
  await page.getByText('Three').waitFor()
  for (const key of ['ArrowDown', 'ArrowDown', 'x']) await page.keyboard.press(key)
  await page.getByText('“Two” completed.').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Three')
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).not.toBe('Three')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/records\/tasks\//)
})

test("a colleague's tasks can be seen and given, and changes of others show at once", async () => {
  const { owner, token } = await ada()
  const bob = await kith.given.user(owner, { name: 'Bob' })
  const bobs = kith.withKey(await kith.given.key(bob))
  await create(bobs, { title: 'Task of Bob', due_at: from(1) })
  const page = await visit('/my-tasks', { token })
  await page.getByText('All done').waitFor()
  await page.getByRole('button', { name: 'Team' }).click()
  await page.getByRole('combobox', { name: 'Team member' }).fill('Bob')
  await page.getByRole('option', { name: 'Bob' }).click()
  await page.getByRole('heading', { name: 'Bob’s tasks' }).waitFor()
  await page.getByText('Task of Bob').waitFor()
  await page.getByRole('textbox', { name: 'New task' }).fill('From Ada')
  await page.keyboard.press('Enter')
  await row(page, 'From Ada').waitFor()
  await create(bobs, { title: 'Live', due_at: from(2) })
  await row(page, 'Live').waitFor()
  await expectUsable(page)
  expect((await bobs.queryRecords({ object: 'tasks', filter: 'assignee = me', limit: 10 })).records).toHaveLength(3)
})
