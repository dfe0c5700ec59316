import type { Page } from 'playwright-core'

/** Goes to another page by the router, as a link does: without loading the web app again. Its heading gets the focus. */
export async function goTo(page: Page, path: string) {
  await page.evaluate((to) => {
    ;(document.activeElement as HTMLElement | null)?.blur()
    history.pushState(null, '', to)
  }, path)
  await page.waitForFunction(() => document.activeElement?.localName === 'h1')
}
