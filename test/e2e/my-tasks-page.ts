// What the tests of My tasks share.
import type { Page } from 'playwright-core'
import type { Api } from '../app.ts'

const day = 86_400_000
const noon = () => new Date(new Date().setUTCHours(12, 0, 0, 0)).getTime()
export const from = (days: number) => new Date(noon() + days * day).toISOString()
export const create = async (api: Api, task: Record<string, unknown>) =>
  (await api.createRecords({ object: 'tasks', records: [task] })).records[0]!
export const section = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
export const row = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })
export const picture = async (page: Page, name: string) => {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/my-tasks-${name}.png` })
}
