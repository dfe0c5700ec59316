import { expect, test } from 'vitest'
import { testWeb } from '../browser.ts'
import { create, edit, heading, read } from './record-page.ts'

const { ada, visit } = await testWeb()

/** Twelve and a half thousand, and the third of February, as people type and read them. */
const locales = [
  { language: 'de-DE', number: '12.500', amount: '12.500,50', day: '3.2.2027', shown: '12.500,50' },
  { language: 'fr-FR', number: '12 500', amount: '12 500,50', day: '3/2/2027', shown: /12\s500,50/ },
  { language: 'ar-EG', number: '١٢٬٥٠٠', amount: '١٢٬٥٠٠٫٥٠', day: '٣/٢/٢٠٢٧', shown: '١٢٬٥٠٠٫٥٠' },
  { language: 'hi-IN', number: '12,500', amount: '12,500.50', day: '3/2/2027', shown: '12,500.50' },
  { language: 'ja-JP', number: '１２，５００', amount: '12,500.50', day: '2027/2/3', shown: '12,500.50' },
] as const

test.for(locales)('numbers, money and dates are read as people write them in $language', async (locale) => {
  const { language, number, amount, day, shown } = locale
  const { token, api } = await ada()

  await api.updateMe({ language })
  const name = `Renewal ${language}`
  const { id } = await create(api, 'deals', { name, amount: { amount: '12.500', currency: 'EUR' } })
  const saved = () => read(api, 'deals', id)
  const page = await visit(`/records/deals/${id}`, { token })
  await heading(page, name).waitFor()

  // Three decimals are not thousands, and changing the currency changes nothing else.
  await edit(page, 'Amount').click()
  await page.getByRole('combobox', { name: 'Currency of Amount' }).click()
  await page.getByRole('option', { name: 'USD' }).click()
  await page.getByRole('textbox', { name: 'Amount' }).press('Enter')
  await expect.poll(async () => (await saved()).amount).toEqual({ amount: '12.500', currency: 'USD' })

  await edit(page, 'Amount').click()
  await page.getByRole('textbox', { name: 'Amount' }).fill(amount)
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await saved()).amount).toEqual({ amount: '12500.50', currency: 'USD' })
  await page.getByText(shown).first().waitFor()

  await edit(page, 'Expected close').click()
  await page.getByRole('textbox', { name: 'Expected close' }).fill(day)
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await saved()).expected_close).toBe('2027-02-03')

  await page.goto('/records/deals?filter=amount+%3E%3D+1')
  await page.getByRole('button', { name: 'Amount is at least 1', exact: true }).click()
  await page.getByLabel('Number for Amount').fill(number)
  await expect.poll(() => new URL(page.url()).searchParams.get('filter')).toBe('amount >= 12500')
})
