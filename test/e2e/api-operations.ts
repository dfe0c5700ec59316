// What the tests of the API page share.
import type { Page } from 'playwright-core'

export const list = (page: Page) => page.getByRole('navigation', { name: 'Operations' })
export const answer = (page: Page) => page.getByRole('region', { name: 'Result' })
export const status = (page: Page, code: number) =>
  answer(page)
    .locator('strong', { hasText: String(code) })
    .waitFor()
export const send = (page: Page) => page.getByRole('button', { name: 'Send request' }).click()
export const code = (page: Page) => page.getByRole('tabpanel').locator('pre').textContent()
