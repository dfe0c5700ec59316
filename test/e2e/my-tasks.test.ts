import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Api } from '../app.ts'
import { expectUsable, testWeb } from '../browser.ts'
import { desktop, phone } from '../chromium.ts'
import { testWorker } from '../worker.ts'

const { kith, ada, at, visit } = await testWeb({ own: true })
const worker = await testWorker(kith)

const day = 86_400_000
const noon = () => new Date(new Date().setUTCHours(12, 0, 0, 0)).getTime()
const from = (days: number) => new Date(noon() + days * day).toISOString()
const create = async (api: Api, task: Record<string, unknown>) =>
  (await api.createRecords({ object: 'tasks', records: [task] })).records[0]!
const section = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const row = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })
const picture = async (page: Page, name: string) => {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/my-tasks-${name}.png` })
}

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

test.each([
  ['desktop-light', desktop, 'light'],
  ['desktop-dark', desktop, 'dark'],
  ['phone-light', phone, 'light'],
  ['phone-dark', phone, 'dark'],
] as const)('my tasks are grouped by day, with their related records, on %s', async (name, viewport, colorScheme) => {
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
  await page.getByRole('button', { name: /^Not due/ }).click()
  await page.keyboard.press('Enter')
  await section(page, /^No date/)
    .getByText('See the film Tomorrow')
    .waitFor()
  const { records } = await api.queryRecords({ object: 'tasks', filter: 'assignee = me', limit: 10 })
  expect(records.map(({ title }) => title).sort()).toEqual(['Call Anna', 'See the film Tomorrow'])
})

test('a task is finished with a tick, and comes back with undo', async () => {
  const { token, api } = await ada()
  await create(api, { title: 'Call', due_at: from(1), repeats: 'daily' })
  const page = await visit('/my-tasks', { token })
  await page.getByRole('checkbox', { name: 'Call: done' }).click()
  await page.getByText('“Call” completed.').waitFor()
  // The next one of the series.
  await section(page, /^Tomorrow/).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Done 1' }).waitFor()
  await row(page, 'Call').getByRole('img', { name: 'Repeats daily' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await section(page, /^Tomorrow/)
    .getByText('Call')
    .waitFor()
  expect(await page.getByRole('checkbox').count()).toBe(1)
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

test.each([
  ['a desktop', desktop],
  ['a phone', phone],
] as const)('a due date is moved by a click on %s', async (_name, viewport) => {
  const { token, api } = await ada()
  await create(api, { title: 'Call', due_at: from(-2) })
  const page = await visit('/my-tasks', { token, viewport })
  await section(page, /^Overdue/).waitFor()
  await page.getByRole('button', { name: /^Due: .*Change$/ }).click()
  await page.getByRole('menuitem', { name: 'Tomorrow' }).waitFor()
  await expectUsable(page)
  await picture(page, `menu-${_name}`)
  await page.getByRole('menuitem', { name: 'Tomorrow' }).click()
  await section(page, /^Tomorrow/)
    .getByText('Call')
    .waitFor()
  await page.getByRole('button', { name: /^Due: .*Change$/ }).click()
  await page.getByRole('menuitem', { name: 'Pick a date' }).click()
  await page.getByRole('textbox', { name: 'Due' }).fill('2031-03-04 15:00')
  await page.keyboard.press('Enter')
  await section(page, /March|Mar/)
    .getByText('Call')
    .waitFor()
  await page.getByRole('button', { name: /^Due: .*Change$/ }).click()
  await page.getByRole('menuitem', { name: 'Remove date' }).click()
  await section(page, /^No date/)
    .getByText('Call')
    .waitFor()
})

test("a colleague's tasks can be seen and given, and changes of others show at once", async () => {
  const { owner, token } = await ada()
  const bob = await kith.given.user(owner, { name: 'Bob' })
  const bobs = kith.withKey(await kith.given.key(bob))
  await create(bobs, { title: 'Task of Bob', due_at: from(1) })
  const page = await visit('/my-tasks', { token })
  await page.getByText('All done').waitFor()
  await page.getByRole('button', { name: 'Team' }).click()
  await page.getByRole('combobox', { name: 'Tasks of' }).fill('Bob')
  await page.getByRole('option', { name: 'Bob' }).click()
  await page.getByRole('heading', { name: 'Tasks of Bob' }).waitFor()
  await page.getByText('Task of Bob').waitFor()
  await page.getByRole('textbox', { name: 'New task' }).fill('From Ada')
  await page.keyboard.press('Enter')
  await row(page, 'From Ada').waitFor()
  await create(bobs, { title: 'Live', due_at: from(2) })
  await row(page, 'Live').waitFor()
  await expectUsable(page)
  expect((await bobs.queryRecords({ object: 'tasks', filter: 'assignee = me', limit: 10 })).records).toHaveLength(3)
})

test('a task that becomes due and a mention show in the bell at once, and lead to the record', async () => {
  const { owner, token, api } = await ada()
  const bob = kith.withKey(await kith.given.key(await kith.given.user(owner, { name: 'Bob' })))
  const { id } = await create(api, {
    title: 'Call Anna',
    due_at: new Date(kith.time.now.getTime() + 60_000).toISOString(),
  })
  const page = await visit('/my-tasks', { token })
  await row(page, 'Call Anna').waitFor()
  const before = kith.time.now
  kith.time.now = new Date(before.getTime() + 61_000)
  await worker.run('remind', {})
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor()
  const body = `Please help, [@Ada Lovelace](mention:${owner.user_id})`
  await bob.createRecords({ object: 'notes', records: [{ body, about: [id] }] })
  await page.getByRole('button', { name: 'Notifications, 2 unread' }).click()
  await page.getByRole('link', { name: /Bob mentioned you on “Call Anna”: “Please help, @Ada Lovelace”/ }).waitFor()
  await expectUsable(page)
  await picture(page, 'bell')
  await page.getByRole('link', { name: /“Call Anna” is due/ }).click()
  await page.waitForURL(new RegExp(id))
  kith.time.now = before
})
