// Covers: web/screens/lead-sending server/lead-routing
import { expect, test } from 'vitest'
import { expectUsable, expectUsableEverywhere, testWeb } from '../browser.ts'
import { testBuyer } from '../buyer.ts'
import { phone } from '../chromium.ts'
import { hasty } from '../receiver.ts'
import { soon, testWorker } from '../worker.ts'
import { newLead, press, tab } from './lead-sending-page.ts'
import { goTo } from './navigate.ts'
import { dialog } from './record-page.ts'

const { kith, at, visit, expectComplaint } = await testWeb({ outbound: hasty(400) } as never)
await testWorker(kith)
const buyer = await testBuyer()

test('a destination has custom headers, and one at another Kith a mapping of fields; neither shows a secret', async () => {
  const taken = buyer.at()
  const { page, api } = await at('/lead-sending?tab=destinations')
  await page.getByRole('button', { name: 'Add destination' }).click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Headed')
  await dialog(page).getByLabel('URL', { exact: true }).fill(taken.url)
  await dialog(page).getByText('Custom headers').first().click()
  await press(page, 'Add header')
  await dialog(page).getByLabel('Name of header 1').fill('X-Campaign')
  await dialog(page).getByLabel('Value of header 1').fill('summer-secret')
  await press(page, 'Save and test')
  await dialog(page).getByText('x-campaign: •••').waitFor()
  await press(page, 'Send a test')
  await dialog(page).getByText('Accepted.').waitFor()
  expect(taken.got()[0]!.headers['x-campaign']).toBe('summer-secret')
  expect(await dialog(page).textContent()).not.toContain('summer-secret')
  await dialog(page).getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: 'Headed', exact: true }).click()
  await dialog(page).getByText('Saved (hidden)').waitFor()
  await press(page, 'Remove header X-Campaign')
  await press(page, 'Save destination')
  await soon(async () => expect((await api.listLeadDestinations({})).items[0]!.header_names).toEqual([]))

  await page.getByRole('button', { name: 'Add destination' }).click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Sister company')
  await dialog(page).getByText('Another Kith', { exact: true }).click()
  await dialog(page).getByLabel('URL of the other Kith').fill(new URL(buyer.url).origin)
  await dialog(page).getByLabel('ID of its lead source').fill(crypto.randomUUID())
  await dialog(page).getByLabel('API key', { exact: true }).fill('a'.repeat(64))
  await dialog(page).getByText('The built-in fields', { exact: true }).click()
  await press(page, 'Choose fields')
  await dialog(page).getByLabel('Value of field 1').fill('{{ first_name }} {{ last_name }}')
  // All of the form: what is half below the buttons at its end would count as small.
  await page.setViewportSize({ width: 1440, height: 1700 })
  await expectUsable(page)
  await press(page, 'Create destination')
  await dialog(page).waitFor({ state: 'detached' })
  const made = (await api.listLeadDestinations({})).items.find(({ kind }) => kind === 'kith')!
  expect(made.kith!.values).toMatchObject({ first_name: '{{ first_name }} {{ last_name }}', email: '{{ email }}' })
  await page.getByText('Next: add a route').waitFor()
  await expectUsableEverywhere(page)
})

test('a partner returns a lead on its page, and someone accepts it; what may have arrived is settled', async () => {
  const { page, api } = await at('/lead-sending?tab=returns')
  await page.getByText('No returns to review').waitFor()
  const taken = buyer.at()
  const { id } = await api.createLeadDestination({
    name: 'Delta',
    http: { url: taken.url, body: '{"back": "{{ return_link }}"}' },
  })
  const route = await api.createLeadRoute({
    name: 'All',
    state: 'active',
    targets: [{ destination_id: id, price: 30 }],
  })
  await newLead(api as never)
  const link = await soon(async () => {
    expect(taken.got()).toHaveLength(1)
    return new URL(JSON.parse(taken.got()[0]!.body).back).pathname
  })
  const partner = await visit(link, { viewport: phone })
  await partner.getByRole('combobox').selectOption('wrong_area')
  await partner.getByRole('button', { name: 'Return the lead' }).click()
  await partner.getByText('We will review it').waitFor()
  await page.getByText('Not in their area').waitFor()
  await expectUsableEverywhere(page)
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  await page.getByText('No returns to review').waitFor()
  await soon(async () => expect((await api.getLeadSendingReport({})).total).toMatchObject({ returned: 1, revenue: 0 }))

  const lost = await api.createLeadDestination({
    name: 'Lost',
    http: { url: buyer.at((_, response) => response.destroy()).url },
  })
  await api.updateLeadRoute({ id: route.id, targets: [{ destination_id: lost.id }] })
  await newLead(api as never)
  await tab(page, 'Deliveries')
  await page.getByRole('list', { name: 'Deliveries' }).getByRole('img', { name: 'Unknown' }).waitFor()
  await page.getByRole('list', { name: 'Deliveries' }).getByRole('link').first().click()
  await page.getByRole('button', { name: 'Accepted' }).click()
  await soon(async () => expect((await api.listLeadDeliveries({ state: 'accepted' })).items).toHaveLength(2))
  await page.getByRole('button', { name: 'Record return' }).click()
  await dialog(page).getByLabel('Details').fill('They called us')
  await press(page, 'Record return')
  await soon(async () =>
    expect((await api.listLeadReturns({ state: 'waiting' })).items[0]!.text).toBe('They called us'),
  )
  await tab(page, 'Incoming')
  await page.getByText('KITH_API_KEY').first().waitFor()
  await page.getByText('Python', { exact: true }).click()
  await page.getByText('urllib.request').first().waitFor()
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
  const compared = page.getByRole('table', { name: 'Live and draft' })
  await compared.getByRole('row', { name: /Delivered 0 2 \+2/ }).waitFor()
  await page.getByText('2 of 3 leads would go elsewhere').waitFor()
  await page.getByRole('switch', { name: 'Second is on' }).focus()
  await page.keyboard.press('Space')
  await compared.getByRole('row', { name: /Delivered 0 3 \+3/ }).waitFor()
  await expectUsable(page)
  expect((await api.listLeadRoutes({})).items.every(({ state }) => state === 'paused')).toBe(true)
  await page.getByRole('button', { name: 'Move First' }).focus()
  await page.keyboard.press('ArrowUp')
  await page.getByText('Order changed').waitFor()
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
  const picky = buyer.at((_, response) => response.writeHead(422).end('{"why": "Outside our area"}'))
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
  await page.getByRole('region', { name: 'Lead route' }).getByText('Picky rejected the lead. Outside').waitFor()
  await page.getByRole('button', { name: 'Send again' }).click()
  await press(page, 'Send lead')
  // It has been sold.
  await page.getByText('Glad already has this lead, or may have it.').waitFor()
  await press(page, 'Cancel')

  await tab(page, 'Reports')
  await page.getByRole('row').filter({ hasText: 'Glad' }).getByText('25.00').waitFor()
  await page.getByRole('heading', { name: 'Why leads were rejected' }).waitFor()
  await page.getByText('By source').click()
  await expectUsableEverywhere(page)
})
