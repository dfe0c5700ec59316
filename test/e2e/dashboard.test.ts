// The dashboard: what to do first, every figure with its list, and dashboards of one's own.
import { expect, test } from 'vitest'
import { createDispatcher } from '../../server/kernel/outbox.ts'
import { liveMessagesOf } from '../../server/live-messages.ts'
import { expectUsable, isListening, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { create, picture, someWork } from './dashboard-page.ts'
import { goTo } from './navigate.ts'

const { kith, ada, visit, expectComplaint } = await testWeb()

test('the default dashboard shows what needs the user, and each figure leads to a list with as many records', async () => {
  const { owner, token, api } = await ada()
  await someWork(api)
  const agent = kith.withKey(await kith.given.key(owner))
  await create(agent, 'people', { first_name: 'Grace', last_name: 'Hopper' })
  const page = await visit('/dashboard', { token })
  const part = (name: string) => page.getByRole('region', { name, exact: true })
  await part('Changed by agents').getByText('Grace Hopper').waitFor()
  await part('My tasks').getByRole('checkbox', { name: 'Send the offer: done' }).click({ force: true })
  await page.getByText('“Send the offer” completed.').waitFor()
  await part('My tasks').getByText('No tasks are due today.').waitFor()
  await part('Changed by agents')
    .getByRole('button', { name: /^Mark as reviewed/ })
    .first()
    .click()
  await part('Changed by agents').getByText('Nothing to review.').waitFor()
  await part('Needs your attention').getByRole('link', { name: 'Acme renewal' }).first().waitFor()
  await part('Forecast').getByRole('button', { name: 'Options for Forecast' }).waitFor()
  await expectUsable(page)
  await picture(page, 'default')
  await part('Pipeline').getByRole('link', { name: 'Total: 2' }).click()
  await page.waitForURL(/\/records\/deals\?filter=/)
  await page.getByText('Globex pilot').waitFor()
  expect(await page.getByText('Initech rollout').count()).toBe(0)
})

test('on a phone the widgets stand below each other and are usable', async () => {
  const { token, api } = await ada()
  await someWork(api)
  const page = await visit('/dashboard', { token, viewport: phone, colorScheme: 'dark' })
  await page.getByRole('link', { name: 'Send the offer' }).waitFor()
  await expectUsable(page)
  await picture(page, 'phone-dark')
  await page.getByRole('link', { name: 'Dashboard' }).waitFor()
  const { id } = await api.createDashboard({ name: 'On the way' })
  await goTo(page, `/dashboard?id=${id}`)
  await page.getByRole('button', { name: 'Add widget' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add widget' })
  await dialog.getByLabel('Title').fill('By stage')
  await expectUsable(page)
  await dialog.getByRole('button', { name: 'Add widget' }).click()
  await page.getByRole('region', { name: 'By stage' }).getByText('Proposal').first().waitFor()
})

test('a dashboard is made, filled with a widget, arranged by keys, and deleted', async () => {
  const { token, api } = await ada()
  await someWork(api)
  const page = await visit('/dashboard', { token })
  await page.getByRole('button', { name: 'Dashboards' }).click()
  await page.getByRole('menuitem', { name: 'New dashboard' }).click()
  await page.getByLabel('Name').fill('Sales')
  await page.getByRole('button', { name: 'Create dashboard' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sales' }).waitFor()
  await page.getByRole('button', { name: 'Add widget' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add widget' })
  await dialog.getByLabel('Title').fill('Deals by stage')
  await dialog.getByRole('region', { name: 'Preview' }).getByText('Proposal').first().waitFor()
  await expectUsable(page)
  await picture(page, 'builder')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  expectComplaint(/409/)
  await page.route(/\/app\/api\/dashboards\//, (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 409, json: { status: 409, code: 'conflict', detail: 'Sales was changed.' } })
      : route.continue(),
  )
  await dialog.getByRole('button', { name: 'Add widget' }).click()
  await dialog.getByText('Sales was changed.').waitFor()
  await page.unroute(/\/app\/api\/dashboards\//)
  await dialog.getByLabel('Title').press('Enter')
  await page.getByRole('region', { name: 'Deals by stage' }).getByText('Proposal').first().waitFor()
  await page.getByRole('button', { name: 'Arrange', exact: true }).click()
  await page.getByRole('button', { name: /^Move Deals by stage/ }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByText('Deals by stage: column 2, row 1, 6 wide, 4 high').waitFor({ state: 'attached' })
  await expectUsable(page)
  const { items } = await api.listDashboards({})
  const { id } = items.find(({ name }) => name === 'Sales')!
  const place = async () => (await api.getDashboard({ id })).widgets[0]
  await expect.poll(place).toMatchObject({ x: 1, width: 6, height: 4 })
  const handle = (await page.getByRole('button', { name: /^Move Deals by stage/ }).boundingBox())!
  await page.mouse.move(handle.x + 8, handle.y + 8)
  await page.mouse.down()
  await page.mouse.move(handle.x + 300, handle.y + 8, { steps: 6 })
  await page.mouse.up()
  await expect.poll(async () => (await place())!.x).toBeGreaterThan(1)
  const note = { id: 'note', type: 'text' as const, title: 'From Bob', text: 'Hi', y: 9 }
  const { widgets } = await api.getDashboard({ id })
  const log = { error() {} } as never
  const dispatcher = createDispatcher(kith.db, {}, async () => {}, { liveMessagesOf, heard() {} }, log)
  await isListening(page)
  await api.updateDashboard({ id, widgets: [...widgets, note] })
  await dispatcher.wake()
  await page.getByRole('region', { name: 'From Bob' }).waitFor()
  await dispatcher.stop()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Dashboard options' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete dashboard' }).click()
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
})
