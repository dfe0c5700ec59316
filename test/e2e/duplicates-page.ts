// What the tests of duplicates share: the same people twice, and what one sees of them.
import type { Page } from 'playwright-core'
import type { Api } from '../app.ts'
import { soon } from '../worker.ts'

export const group = (page: Page, title: string) => page.getByRole('article', { name: new RegExp(`^${title}`) })
export const notice = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })
export const undo = (page: Page, text: string | RegExp) => notice(page, text).getByRole('button', { name: 'Undo' })
export const focusedGroup = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('article')?.getAttribute('aria-label') ?? null)

/** Waits until they were found as duplicates of each other. */
export async function createFound(api: Api, groups: Record<string, unknown>[][], object = 'people') {
  const ids: string[][] = []
  for (const records of groups)
    ids.push((await api.createRecords({ object, records })).records.map((record) => record.id))
  await soon(async () => {
    const { total } = await api.getDuplicates({ object })
    if (total < groups.length) throw new Error(`${total} groups of duplicates were found`)
  })
  return ids
}

export const grace = [
  { first_name: 'Grace', last_name: 'Hopper', emails: ['grace.hopper@gmail.com'], city: 'Hamburg' },
  {
    first_name: 'Grace',
    last_name: 'Hopper',
    emails: ['gracehopper+crm@gmail.com'],
    city: 'Bremen',
    job_title: 'Buyer',
  },
]
export const nils = [
  { first_name: 'Nils', last_name: 'Lindqvist', emails: ['nils.lindqvist@gmail.com'] },
  { first_name: 'Nils', last_name: 'Lindquist', emails: ['nilslindqvist+crm@gmail.com'], city: 'Lund' },
  { first_name: 'N.', last_name: 'Lindqvist', emails: ['nils.lindqvist+fair@gmail.com'], job_title: 'Owner' },
]
export const stone = [
  { first_name: 'Jo', last_name: 'Stone', phones: ['+49301234567'] },
  { first_name: 'Joe', last_name: 'Stone', phones: ['+49301234567'], birthday: '1980-05-01' },
]
