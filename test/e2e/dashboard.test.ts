// The dashboard: what to do first, every figure with its list, and dashboards of one's own.
import { expect, test } from 'vitest'
import type { Api } from '../app.ts'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'

const { kith, ada, at, visit } = await testWeb()

const day = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString()
const create = async (api: Api, object: string, ...records: Record<string, unknown>[]) =>
  (await api.createRecords({ object, records })).records

const picture = async (page: { screenshot: (options: object) => Promise<unknown> }, name: string) => {
  if (process.env.PICTURES)
    await page.screenshot({ path: `${process.env.PICTURES}/dashboard-${name}.png`, fullPage: true })
}

async function someWork(api: Api) {
  const amount = { amount: '1000', currency: 'EUR' }
  await create(
    api,
    'deals',
    { name: 'Acme renewal', amount, stage: 'proposal', expected_close: inDays(-40).slice(0, 10) },
    { name: 'Globex pilot', amount, stage: 'proposal', expected_close: inDays(20).slice(0, 10) },
    { name: 'Initech rollout', amount, stage: 'won' },
  )
  await create(api, 'tasks', { title: 'Send the offer', due_at: inDays(-3) })
}

test('a new company sees what to do first, and empty widgets say what appears there', async () => {
  const { page } = await at('/dashboard')
  const steps = page.getByRole('region', { name: 'Getting started' })
  await steps.getByRole('link', { name: /Invite your team/ }).waitFor()
  await page.getByText('No tasks are due today.').waitFor()
  await page.getByText(/^No open deals\. Create one/).waitFor()
  await expectUsable(page)
  await picture(page, 'empty')
})

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
    .getByRole('button', { name: /^Looks good/ })
    .first()
    .click()
  await part('Changed by agents').getByText('Nothing to review.').waitFor()
  await part('Needs you').getByRole('link', { name: 'Acme renewal' }).first().waitFor()
  await part('Forecast').getByRole('button', { name: 'Options for Forecast' }).waitFor()
  await expectUsable(page)
  await picture(page, 'default')
  await part('Pipeline').getByRole('link', { name: 'Total: 2' }).click()
  await page.waitForURL(/\/records\/deals\?filter=/)
  await page.getByText('Globex pilot').waitFor()
  expect(await page.getByText('Initech rollout').count()).toBe(0)
})

test('widgets are downloaded as CSV and PNG, and a picture that cannot be made is reported', async () => {
  const { token, api } = await ada()
  await someWork(api)
  const page = await visit('/dashboard', { token })
  const choose = async (widget: string, item: string) => {
    await page.getByRole('button', { name: `Options for ${widget}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const saved = async (widget: string, item: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), choose(widget, item)])
    const content = Buffer.concat(await Array.fromAsync(await download.createReadStream()))
    return { name: download.suggestedFilename(), content }
  }
  const csv = await saved('Pipeline', 'Download CSV')
  expect(csv.name).toBe('Pipeline.csv')
  expect(csv.content.toString()).toMatch(/^\ufeffPipeline,Stage,Deals,Amount,Weighted\r\n[\s\S]*,Proposal,2,"€2,000",/)
  for (const widget of ['Pipeline', 'Forecast']) {
    const png = await saved(widget, 'Download PNG')
    expect(png.name).toBe(`${widget}.png`)
    expect(png.content.subarray(1, 4).toString()).toBe('PNG')
  }
  await page.evaluate(() => {
    HTMLCanvasElement.prototype.toBlob = (done) => done(null)
  })
  await choose('Forecast', 'Download PNG')
  await page.getByText('The picture could not be made').waitFor()
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
  await page.goto(`/dashboard?id=${id}`)
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
  await dialog.getByRole('button', { name: 'Add widget' }).click()
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
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Dashboard options' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete dashboard' }).click()
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
})
