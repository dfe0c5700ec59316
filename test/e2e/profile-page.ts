// What the tests of the profile share.
import type { Page } from 'playwright-core'
import { testWeb } from '../browser.ts'

export async function testProfile() {
  const web = await testWeb()
  const { kith, at: adaAt, visit } = web

  /** A person of their own for each test. */
  async function at(path: string, options: Parameters<typeof visit>[1] = {}) {
    const made = await adaAt(path, options)
    await made.page.getByRole('heading', { level: 1 }).waitFor()
    return made
  }

  /** The session changes hands on the way, so ask with what the browser holds now. */
  async function asNow(page: Page) {
    const cookies = await page.context().cookies()
    return kith.withSession(cookies.find(({ name }) => name === 'kith_session')!.value)
  }
  return { ...web, at, asNow }
}
