// Covers: web/screens/company/pipelines web/screens/records/record
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { create, read } from './record-page.ts'

const { ada, visit } = await testWeb()

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
  await page.setViewportSize(phone)
  await expectUsable(page)
  await lines.getByRole('button', { name: 'Remove product' }).click()
  await expect.poll(async () => (await api.countRecords({ object: 'deal_lines' })).count).toBe(0)
})
