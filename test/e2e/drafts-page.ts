// What the tests of drafts share.
import type { Page } from 'playwright-core'

export const newRecords = /\/app\/api\/records\/[a-z]+$/

/** Holds back the answers to new records until it is called. */
export async function holdAnswers(page: Page) {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(newRecords, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await held
    await route.continue()
  })
  return release
}
