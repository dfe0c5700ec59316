// What the tests of related records in forms share.
import type { Page } from 'playwright-core'
import { dialog } from './record-page.ts'

export const field = (page: Page, name: string) => dialog(page).getByRole('combobox', { name, exact: true })
export const open = async (page: Page, object: string) => {
  await page.keyboard.press('c')
  await dialog(page).getByRole('combobox', { name: 'Kind of record' }).click()
  await page.getByRole('option', { name: object, exact: true }).click()
}
