import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { create, dialog, read } from './record-page.ts'

const { ada, at, visit, expectComplaint } = await testWeb()

const stages = (page: Page) => page.getByRole('list', { name: 'Stages of Sales' }).getByRole('listitem')
const names = (page: Page) =>
  stages(page)
    .getByRole('button', { name: /^Edit / })
    .allInnerTexts()

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
  await dialog(page).getByLabel('Stuck after').fill('5')
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
  const order = async () => (await api.listPipelines({})).pipelines[0]!.stages.map(({ key }) => key)
  await expect.poll(order).toEqual(['proposal', 'qualified', 'negotiation', 'won', 'lost'])

  await page.getByRole('button', { name: 'Add stage to Sales' }).click()
  await dialog(page).getByLabel('Name').fill('Trial')
  await page.keyboard.press('Enter')
  await page.getByText('Trial saved').waitFor()
  expect(await order()).toEqual(['proposal', 'qualified', 'negotiation', 'trial', 'won', 'lost'])

  await page.getByRole('button', { name: 'New pipeline' }).click()
  await dialog(page).getByLabel('Name').fill('Renewals')
  await dialog(page).getByRole('button', { name: 'Create pipeline' }).click()
  await page.getByRole('list', { name: 'Stages of Renewals' }).waitFor()
  expect((await api.listPipelines({})).pipelines[1]).toMatchObject({ name: 'Renewals', asks_lost_reason: true })
  // Its first stage is called New, which is no reason to edit it.
  await page.getByRole('button', { name: 'Add stage to Renewals' }).click()
  await dialog(page).getByLabel('Name').fill('Offer sent')
  await page.keyboard.press('Enter')
  await page.getByText('Offer sent saved').waitFor()
  const renewals = async () => (await api.listPipelines({})).pipelines[1]!.stages.map(({ name }) => name)
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

test('a deal goes through the stages of its pipeline, which ask for what they need, at 1440 and at 390 px', async () => {
  const { token, api } = await ada()
  await api.createPipeline({ name: 'Renewals', stages: [{ name: 'Due' }, { name: 'Won', kind: 'won' }] })
  await api.updateStage({ stage: 'negotiation', required_fields: ['amount'] })
  const { id } = await create(api, 'deals', { name: 'Fleet' })
  const page = await visit(`/records/deals/${id}`, { token })
  const stage = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })
  const stageOf = async () => (await read(api, 'deals', id)).stage
  await page.getByRole('button', { name: 'Qualified, 0 days', pressed: true }).waitFor()
  await stage('Proposal').click()
  await expect.poll(stageOf).toBe('proposal')
  await page.getByRole('button', { name: 'Proposal, 0 days', pressed: true }).waitFor()
  await expectUsable(page)

  expectComplaint(/422/)
  await stage('Negotiation').focus()
  await page.keyboard.press('Enter')
  await dialog(page).getByText('needs this to enter the stage').waitFor()
  await dialog(page)
    .getByRole('textbox', { name: /^Amount/ })
    .fill('1200')
  await expectUsable(page)
  await dialog(page).getByRole('button', { name: 'Move deal' }).click()
  await expect.poll(stageOf).toBe('negotiation')
  expect(await read(api, 'deals', id)).toMatchObject({ amount: { amount: '1200' }, probability: 70 })

  await page.getByRole('button', { name: 'Pipeline: Sales' }).click()
  await page.getByRole('menuitem', { name: 'Renewals' }).click()
  await expect.poll(stageOf).toBe('due')
  await page.getByRole('button', { name: 'Pipeline: Renewals' }).click()
  await page.getByRole('menuitem', { name: 'Sales' }).click()
  await expect.poll(stageOf).toBe('qualified')

  await page.setViewportSize(phone)
  for (const name of ['Won', 'Lost']) {
    const box = (await stage(name).boundingBox())!
    expect(box.height).toBeGreaterThanOrEqual(40)
    expect(box.x + box.width, `${name} is in sight`).toBeLessThanOrEqual(phone.width)
  }
  await expectUsable(page)
  await stage('Lost').click()
  await dialog(page).getByLabel('Lost reason').fill('Price')
  await page.keyboard.press('Enter')
  await expect.poll(stageOf).toBe('lost')
  expect(await read(api, 'deals', id)).toMatchObject({ status: 'lost', lost_reason: 'Price' })
  await page.getByRole('button', { name: 'Lost, 0 days', pressed: true }).waitFor()
})
