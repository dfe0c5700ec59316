// What the tests of forms for new records share.
import type { Page } from 'playwright-core'
import { dialog } from './record-page.ts'

export const kind = async (page: Page, object: string) => {
  await dialog(page).getByRole('combobox', { name: 'Kind of record' }).click()
  await page.getByRole('option', { name: object, exact: true }).click()
}

export const text = (page: Page, name: string) => dialog(page).getByRole('textbox', { name, exact: true })
export const choice = (page: Page, name: string) => dialog(page).getByRole('combobox', { name, exact: true })
