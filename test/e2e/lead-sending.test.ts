import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectUsable, expectUsableEverywhere, testWeb } from '../browser.ts'
import { testBuyer } from '../buyer.ts'
import { phone } from '../chromium.ts'
import { hasty } from '../receiver.ts'
import { soon, testWorker } from '../worker.ts'
import { newLead, press, tab } from './lead-sending-page.ts'
import { goTo } from './navigate.ts'
import { dialog } from './record-page.ts'

const { kith, at, expectComplaint } = await testWeb({ outbound: hasty(400) } as never)
await testWorker(kith)
const buyer = await testBuyer()

/** In the newest part for a destination. */
async function choose(page: Page, name: string) {
  await dialog(page).getByRole('combobox', { name: 'Destination' }).last().click()
  await page.getByRole('option', { name }).click()
}

test('a first-time user sets up two partners with caps from the page alone, and the next leads go out', async () => {
  const [alpha, beta] = [buyer.at(), buyer.at()]
  expectComplaint(/422/)
  const { page, api } = await at('/lead-sending')
  const steps = page.getByRole('list', { name: 'First steps' })
  await steps.getByRole('button', { name: 'Add destination' }).click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Alpha')
  await dialog(page).getByLabel('Address', { exact: true }).fill(alpha.url)
  await press(page, 'Create destination')
  await dialog(page).waitFor({ state: 'detached' })
  await expectUsable(page)
  await steps.getByRole('button', { name: 'Add another' }).click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Beta')
  await dialog(page).getByLabel('Address', { exact: true }).fill(beta.url)
  await dialog(page).getByRole('textbox', { name: 'Body' }).fill('{"mail": "{{ emial }}"}')
  await press(page, 'Save and test')
  await dialog(page).getByText('Did you mean {{ email }}?').waitFor()
  await dialog(page).getByRole('textbox', { name: 'Body' }).fill('{"mail": "{{ email }}"}')
  await expectUsable(page)
  await press(page, 'Save and test')
  await dialog(page).getByText('ada.test@example.com').waitFor()
  await press(page, 'Send a test')
  await dialog(page).getByText('Accepted.').waitFor()
  await expectUsable(page)
  expect(JSON.parse(beta.got()[0]!.body)).toEqual({ mail: 'ada.test@example.com' })
  await dialog(page).getByRole('button', { name: 'Close' }).last().click()

  await steps.getByText('Alpha, Beta').waitFor()
  await steps.getByRole('button', { name: 'Add route' }).click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Partners')
  // Escape closes what is open above the dialog, and the dialog only after a question.
  await dialog(page).getByRole('combobox', { name: 'Destination' }).click()
  await page.keyboard.press('Escape')
  await dialog(page).getByRole('button', { name: 'Filter', exact: true }).click()
  const fields = page.getByRole('option', { name: 'Campaign', exact: true })
  await fields.waitFor()
  await page.keyboard.press('Escape')
  await fields.waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await choose(page, 'Alpha')
  const first = dialog(page).getByRole('region', { name: 'Alpha' })
  await first.getByLabel('Per day').fill('1')
  await first.getByLabel('Price per lead').fill('20')
  await press(page, 'Add another destination')
  await choose(page, 'Beta')
  const second = dialog(page).getByRole('region', { name: 'Beta' })
  await second.getByLabel('Per day').fill('5')
  await second.getByLabel('Price per lead').fill('15')
  await expectUsable(page)
  await press(page, 'Create route')
  await dialog(page).waitFor({ state: 'detached' })
  for (let i = 0; i < 2; i++) await newLead(api as never, { first_name: `Lead ${i}` })
  await page.getByRole('img', { name: 'Alpha: 1 of 1 today' }).waitFor()
  await page.getByRole('img', { name: 'Beta: 1 of 5 today' }).waitFor()
  await page.getByText('first that accepts').waitFor()
  await expectUsableEverywhere(page)
})

test('a draft of all routes is compared with today over past leads, and takes effect only when it is applied', async () => {
  const { page, api } = await at('/lead-sending', { viewport: phone })
  const made = await api.createLeadDestination({ name: 'Gamma', http: { url: buyer.at().url } })
  for (let i = 0; i < 3; i++) await newLead(api as never, { company_name: i ? 'Big' : 'Small' })
  const targets = [{ destination_id: made.id, price: 10 }]
  for (const name of ['First', 'Second']) await api.createLeadRoute({ name, state: 'paused', targets })
  await page.getByRole('button', { name: 'Move Second' }).focus()
  await page.keyboard.press('ArrowUp')
  await soon(async () => expect((await api.listLeadRoutes({})).items[0]!.name).toBe('Second'))
  await expectUsable(page)

  await page.getByRole('button', { name: 'First', exact: true }).click()
  await dialog(page).getByLabel('Per day').fill('2')
  await press(page, 'Simulate')
  const compared = page.getByRole('table', { name: 'Today and draft' })
  await compared.getByRole('row', { name: /Delivered 0 2 \+2/ }).waitFor()
  await page.getByText('2 of 3 leads would go elsewhere').waitFor()
  await page.getByRole('switch', { name: 'Second is on' }).focus()
  await page.keyboard.press('Space')
  await compared.getByRole('row', { name: /Delivered 0 3 \+3/ }).waitFor()
  await expectUsable(page)
  expect((await api.listLeadRoutes({})).items.every(({ state }) => state === 'paused')).toBe(true)
  await page.getByRole('button', { name: 'Move First' }).focus()
  await page.keyboard.press('ArrowUp')
  await page.getByText('The order is changed').waitFor()
  await page.getByRole('button', { name: 'Apply draft' }).click()
  await press(page, 'Apply draft')
  await soon(async () =>
    expect((await api.listLeadRoutes({})).items.map(({ name, state }) => [name, state])).toEqual([
      ['First', 'active'],
      ['Second', 'active'],
    ]),
  )
  await page.getByRole('button', { name: 'Actions for First' }).click()
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await soon(async () => expect((await api.listLeadRoutes({})).items[0]!.state).toBe('paused'))
  await page.getByRole('button', { name: 'Actions for Second' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await press(page, 'Delete route')
  await soon(async () => expect((await api.listLeadRoutes({})).items).toHaveLength(1))
})

test('a lead shows who took it, and leads to why: the log, the trace, requests and answers, the report', async () => {
  expectComplaint(/409/)
  const { page, api } = await at('/lead-sending?tab=deliveries')
  await page.getByText('No leads sent yet').waitFor()
  const picky = buyer.at((_, response) => response.writeHead(422).end('{"why": "Outside of our area"}'))
  const [no, yes] = await Promise.all([
    api.createLeadDestination({ name: 'Picky', http: { url: picky.url, reason_path: 'why' } }),
    api.createLeadDestination({ name: 'Glad', http: { url: buyer.at().url } }),
  ])
  const targets = [{ destination_id: no.id }, { destination_id: yes.id, price: 25 }]
  await api.createLeadRoute({ name: 'Partners', state: 'active', targets })
  const { records } = await newLead(api as never, { first_name: 'Grace' })
  const log = page.getByRole('list', { name: 'Deliveries' }).getByRole('link')
  await expect.poll(() => log.count()).toBe(2)
  await page.getByRole('region', { name: 'Delivery' }).getByText('Partners: Glad accepted the lead').waitFor()
  await expectUsableEverywhere(page)
  await log.first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const detail = page.getByRole('region', { name: 'Delivery' })
  await detail.getByRole('heading', { name: 'Rejected by Picky' }).waitFor()
  await detail.getByText('Attempt 1 · 422').waitFor()

  await goTo(page, `/records/leads/${records[0]!.id}`)
  await page.getByText('delivered this lead to Glad').waitFor()
  await page.getByRole('link', { name: 'Delivered to Glad' }).click()
  await page.getByRole('region', { name: 'Trace of the lead' }).getByText('Picky rejected the lead. Outside').waitFor()
  await page.getByRole('button', { name: 'Send again' }).click()
  await press(page, 'Send lead')
  // It has been sold.
  await page.getByText('Glad has this lead already, or may have it.').waitFor()
  await press(page, 'Cancel')

  await tab(page, 'Reports')
  await page.getByRole('row').filter({ hasText: 'Glad' }).getByText('25.00').waitFor()
  await page.getByRole('heading', { name: 'Why leads were rejected' }).waitFor()
  await page.getByText('By source').click()
  await expectUsableEverywhere(page)
})
