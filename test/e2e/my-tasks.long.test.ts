// Covers: web/screens/my-tasks web/frame
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { desktop, phone } from '../chromium.ts'
import { testWorker } from '../worker.ts'
import { create, from, picture, row, section } from './my-tasks-page.ts'

const { kith, ada, visit } = await testWeb({ own: true })
const worker = await testWorker(kith)

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
