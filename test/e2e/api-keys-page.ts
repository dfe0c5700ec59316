// What the tests of API keys share.
import type { Page } from 'playwright-core'
import { testWeb } from '../browser.ts'
import { dialog } from './record-page.ts'

export async function create(page: Page, name: string) {
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByLabel('Name').fill(name)
  return finish(page)
}

export async function finish(page: Page) {
  await page.getByRole('button', { name: 'Create key' }).click()
  const value = (await shownValue(page).textContent())!
  await page.getByRole('button', { name: 'Copy key' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  return value
}

export const shownValue = (page: Page) => page.getByRole('region', { name: 'Your new key' }).locator('code')
export const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

export async function testApiKeys() {
  const web = await testWeb()
  const { kith, at, visit } = web

  /** A person of their own for each test, at their keys. */
  async function atKeys(options: Parameters<typeof visit>[1] = {}) {
    const made = await at('/profile/api-connectors', options)
    await made.page.getByText('No keys yet').waitFor()
    return made
  }

  async function use(value: string, client: string) {
    await kith.send('/api/v1/me', { headers: { 'x-api-key': value, 'user-agent': client } })
    await kith.requests.flush()
  }
  return { ...web, atKeys, use }
}
