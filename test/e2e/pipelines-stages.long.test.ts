// Covers: web/screens/settings/pipelines web/screens/record
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { create, dialog, read } from './record-page.ts'

const { ada, visit, expectComplaint } = await testWeb()

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
  await dialog(page).getByText('Add an amount to move this deal to Negotiation.').waitFor()
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
  await dialog(page).getByText('Add a lost reason to close this deal.').waitFor()
  await dialog(page).getByLabel('Lost reason').fill('Price')
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('button', { name: 'Move deal' }).click()
  await expect.poll(stageOf).toBe('lost')
  expect(await read(api, 'deals', id)).toMatchObject({ status: 'lost', lost_reason: 'price' })
  await page.getByRole('button', { name: 'Lost, 0 days', pressed: true }).waitFor()
})
