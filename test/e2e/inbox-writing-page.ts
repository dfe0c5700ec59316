// What the tests of writing in the inbox share.
import type { Page } from 'playwright-core'
import { message } from './inbox-page.ts'

export const messages = (page: Page) => page.getByRole('list', { name: 'Messages' })
export const saved = (page: Page) => page.getByText('Draft saved').waitFor()

export async function write(page: Page, text: string) {
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  await message(page).waitFor()
  await page.keyboard.type(text)
}
