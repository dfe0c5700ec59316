// What the tests of imports share.
import type { Page } from 'playwright-core'

export const csv = (text: string, name = 'contacts.csv') => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
export const button = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('button', { name })

export async function choose(page: Page, column: string, field: string) {
  await page.getByRole('combobox', { name: `Field for ${column}` }).click()
  await page.getByRole('option', { name: field, exact: true }).click()
}
