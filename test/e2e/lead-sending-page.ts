// What the tests of lead sending share.
import type { Page } from 'playwright-core'
import { dialog } from './record-page.ts'

export const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click()
export const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()

export const newLead = (
  api: { createRecords(input: never): Promise<{ records: { id: string }[] }> },
  values: object = {},
) =>
  api.createRecords({ object: 'leads', records: [{ email: `${crypto.randomUUID()}@example.com`, ...values }] } as never)
