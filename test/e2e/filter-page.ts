// What the tests of filters share.
import type { Page } from 'playwright-core'
import type { testWeb } from '../browser.ts'

type Web = Pick<Awaited<ReturnType<typeof testWeb>>, 'kith' | 'ada' | 'visit'>

/** A company with a few people, and one of its Admins at a page. */
export const visitor =
  ({ kith, ada, visit }: Web) =>
  async (path: string, options: Parameters<Web['visit']>[1] = {}) => {
    const { owner, token, api } = await ada()
    await kith.given.user(owner, { name: 'Grace Hopper' })
    const { records } = await api.createRecords({ object: 'organizations', records: [{ name: 'Acme', country: 'DE' }] })
    const organization = records[0]!.id
    await api.createRecords({
      object: 'people',
      records: [
        { first_name: 'Alan', last_name: 'Turing', status: 'active', score: 80, organization },
        { first_name: 'Barbara', last_name: 'Liskov', status: 'active', score: 20 },
        { first_name: 'Donald', last_name: 'Knuth', status: 'customer', score: 60, city: "L'Aquila" },
      ],
    })
    const page = await visit(path, { token, ...options })
    return { page, owner, api, organization }
  }

export const box = (page: Page) => page.getByRole('textbox', { name: 'Filter', exact: true })
export const offers = (page: Page) => page.getByRole('option')
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
export const filterIn = (page: Page) => new URL(page.url()).searchParams.get('filter') ?? ''
export const matches = (page: Page) =>
  page.getByRole('list', { name: 'First matches' }).getByRole('link').allTextContents()
export const withFilter = (path: string, filter: string) => `${path}?${new URLSearchParams({ filter })}`
/** In a list of choices. Offers come a moment after the keys; a person looks before pressing Enter. */
export const pick = async (page: Page, name: string | RegExp) => {
  await offers(page).filter({ hasText: name }).first().waitFor()
  await page.keyboard.press('Enter')
}
/** In the text. */
export const complete = async (page: Page, name: string | RegExp) => {
  await offers(page).filter({ hasText: name }).first().waitFor()
  await page.keyboard.press('Tab')
}
