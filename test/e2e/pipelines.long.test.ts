// Covers: web/screens/settings/pipelines web/screens/record
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { goTo } from './navigate.ts'
import { create, dialog, read } from './record-page.ts'

const { ada, at, visit, expectComplaint } = await testWeb()

const stages = (page: Page) => page.getByRole('list', { name: 'Stages of Sales' }).getByRole('listitem')
const names = (page: Page) =>
  stages(page)
    .getByRole('button', { name: /^Edit / })
    .allInnerTexts()

test('products are added to a deal with their price, and their sum becomes its amount', async () => {
  const { token, api } = await ada()
  await create(api, 'products', { name: 'Lamp', price: 40 })
  const { id } = await create(api, 'deals', { name: 'Fleet' })
  const page = await visit(`/records/deals/${id}`, { token })
  const lines = page.getByRole('table', { name: 'Products' })
  await page.getByRole('button', { name: 'Add product' }).click()
  await lines.getByRole('combobox', { name: 'Product' }).fill('Lam')
  await page.getByRole('option', { name: 'Lamp' }).click()
  await lines.getByRole('button', { name: 'Edit Quantity' }).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('3')
  await page.keyboard.press('Enter')
  await lines.getByRole('button', { name: 'Edit Discount (%)' }).click()
  await page.keyboard.type('10')
  await page.keyboard.press('Enter')
  await page.getByText('Sum').getByText('108').waitFor()
  await expectUsable(page)
  await page.getByRole('button', { name: 'Use as amount' }).click()
  await expect.poll(async () => (await read(api, 'deals', id)).amount).toMatchObject({ amount: '108' })
  const { id: large } = await create(api, 'deals', { name: 'Large fleet' })
  for (let i = 0; i < 2; i++)
    await api.createRecords({
      object: 'deal_lines',
      records: Array.from({ length: 60 }, () => ({ deal: large, unit_price: { amount: '10', currency: 'EUR' } })),
    })
  await goTo(page, `/records/deals/${large}`)
  await page.getByText('Sum').getByText('1,200').waitFor()
  await goTo(page, `/records/deals/${id}`)
  await page.setViewportSize(phone)
  await expectUsable(page)
  await lines.getByRole('button', { name: 'Remove product' }).click()
  await expect.poll(async () => (await api.countRecords({ object: 'deal_lines' })).count).toBe(120)
})

test('pipelines and their stages are added, edited, moved and archived, by mouse and keyboard', async () => {
  const { page, api } = await at('/company/pipelines')
  await page.getByRole('heading', { name: 'Sales' }).waitFor()
  expect((await names(page)).map((text) => text.split('\n')[0])).toEqual([
    'Qualified',
    'Proposal',
    'Negotiation',
    'Won',
    'Lost',
  ])
  await expectUsable(page)

  await page.getByRole('button', { name: 'Edit Proposal' }).click()
  await dialog(page).getByLabel('Probability').fill('50')
  await dialog(page).getByLabel('Flag after').fill('5')
  await dialog(page).getByRole('combobox', { name: 'Required fields' }).click()
  await page.getByRole('option', { name: 'Amount' }).click()
  await page.keyboard.press('Escape')
  await dialog(page).getByRole('radio', { name: 'Pink' }).check({ force: true })
  await expectUsable(page)
  await dialog(page).getByRole('button', { name: 'Save stage' }).click()
  await page.getByText('Proposal saved').waitFor()
  await stages(page).filter({ hasText: '50 %' }).getByText('1 required field').waitFor()

  await page.getByRole('button', { name: 'Move Proposal' }).focus()
  await page.keyboard.press('ArrowUp')
  const order = async () => (await api.listPipelines({})).items[0]!.stages.map(({ key }) => key)
  await expect.poll(order).toEqual(['proposal', 'qualified', 'negotiation', 'won', 'lost'])

  await page.getByRole('button', { name: 'Add stage to Sales' }).click()
  await dialog(page).getByLabel('Name').fill('Trial')
  await page.keyboard.press('Enter')
  await page.getByText('Trial saved').waitFor()
  expect(await order()).toEqual(['proposal', 'qualified', 'negotiation', 'trial', 'won', 'lost'])
  const colors = (await api.listPipelines({})).items[0]!.stages.map(({ color }) => color)
  expect(new Set(colors).size, 'a new stage has a color of its own').toBe(colors.length)

  await page.getByRole('button', { name: 'New pipeline' }).click()
  await dialog(page).getByLabel('Name').fill('Renewals')
  await dialog(page).getByRole('button', { name: 'Create pipeline' }).click()
  await page.getByRole('list', { name: 'Stages of Renewals' }).waitFor()
  expect((await api.listPipelines({})).items[1]).toMatchObject({ name: 'Renewals', asks_lost_reason: true })
  // Its first stage is called New, which is no reason to edit it.
  await page.getByRole('button', { name: 'Add stage to Renewals' }).click()
  await dialog(page).getByLabel('Name').fill('Offer sent')
  await page.keyboard.press('Enter')
  await page.getByText('Offer sent saved').waitFor()
  const renewals = async () => (await api.listPipelines({})).items[1]!.stages.map(({ name }) => name)
  expect(await renewals()).toEqual(['New', 'Offer sent', 'Won', 'Lost'])

  await create(api, 'deals', { name: 'Fleet', stage: 'trial' })
  expectComplaint(/409/)
  await page.getByRole('button', { name: 'Actions for Trial' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await page.getByText('There is an open deal in it').waitFor()
  await page.getByRole('button', { name: 'Actions for Negotiation' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await page.getByRole('button', { name: 'Restore Negotiation' }).click()
  await page.getByRole('button', { name: 'Edit Negotiation' }).waitFor()

  await page.setViewportSize(phone)
  await page.getByRole('button', { name: 'Edit Proposal' }).click()
  await expectUsable(page)
})
