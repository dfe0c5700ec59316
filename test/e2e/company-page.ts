// What the tests of the company's pages share.
import type { Page } from 'playwright-core'
import { dialog } from './record-page.ts'

export const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
export const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
export const sections = (page: Page) => page.getByRole('navigation', { name: 'Company' }).getByRole('link')
export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

export async function choose(page: Page, field: string, option: string | RegExp) {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option }).click()
}

export const chooseAccess = async (page: Page, name: string, option: RegExp) => {
  await page.getByRole('combobox', { name, exact: true }).click()
  await page.getByRole('option', { name: option }).click()
}

export const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)
