// What the tests of a record's page share.
import type { Page } from 'playwright-core'
import type { Api } from '../app.ts'

export const create = async (api: Api, object: string, values: Record<string, unknown>) =>
  (await api.createRecords({ object, records: [values] })).records[0]!
export const read = (api: Api, object: string, id: string) => api.getRecord({ object, id })

export const fields = (page: Page) => page.getByRole('region', { name: 'Fields' })
export const edit = (page: Page, label: string) =>
  fields(page).getByRole('button', { name: `Edit ${label}`, exact: true })
/** Empty fields are folded away. */
export const showEmpty = (page: Page) =>
  fields(page)
    .getByRole('button', { name: /empty fields$/ })
    .click()
export const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
export const dialog = (page: Page) => page.getByRole('dialog')
export const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).first()
export const undo = (page: Page) => page.getByRole('alert').getByRole('button', { name: 'Undo' }).last()
export const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
