// What the tests of jobs share.
import type { Page } from 'playwright-core'
import type { Api } from '../app.ts'
import { dialog } from './record-page.ts'

export const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })

export async function pickField(page: Page, label: string) {
  await dialog(page).getByRole('combobox', { name: 'Field' }).last().fill(label)
  await page.getByRole('option', { name: label, exact: true }).click()
}

export const count = async (api: Api, filter?: string) => (await api.countRecords({ object: 'people', filter })).count
