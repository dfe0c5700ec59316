// What the tests of a list look at, and whom they find in it.
import type { Page } from 'playwright-core'
import type { Api } from '../app.ts'

type People = { count?: number; values?: (n: number) => Record<string, unknown> }

/** Person 0 is the oldest, so it stands last where nothing else is said. */
export async function people(api: Api, { count = 3, values = () => ({}) }: People = {}) {
  const made: { id: string; version: number }[] = []
  for (let from = 0; from < count; from += 100) {
    const some = Array.from({ length: Math.min(100, count - from) }, (_, i) => from + i)
    const records = some.map((n) => ({ first_name: 'Person', last_name: String(n).padStart(3, '0'), ...values(n) }))
    made.push(...(await api.createRecords({ object: 'people', records })).records)
  }
  return made
}

export const grid = (page: Page) => page.getByRole('grid')
export const row = (page: Page, name: string) => grid(page).getByRole('row').filter({ hasText: name })
export const cell = (page: Page, name: string, column: number) => row(page, name).locator(`[aria-colindex="${column}"]`)
export const firstRow = (page: Page) => grid(page).locator('[aria-rowindex="2"]')
export const head = (page: Page, name: string) => grid(page).getByRole('columnheader', { name })
export const matches = (page: Page) => page.getByText(/records? match/).locator('..')
export const activeCell = (page: Page) =>
  page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-activedescendant')
    return id ? (document.getElementById(id)?.textContent ?? null) : null
  })
/** The number of the column, as the grid counts. */
export const place = async (page: Page, name: string) => Number(await head(page, name).getAttribute('aria-colindex'))
