import type { Page } from 'playwright-core'

/**
 * Goes to another address by the router, as a link does: without loading the web app again. On another page its heading
 * gets the focus.
 */
export async function goTo(page: Page, address: string) {
  // The first page takes no focus, so it has to be there.
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  const isOtherPage = await page.evaluate((to) => {
    ;(document.activeElement as HTMLElement | null)?.blur()
    // Noted when it happens, because something on the page may take the focus at once.
    const noted = ({ target }: FocusEvent) => {
      if ((target as HTMLElement).localName !== 'h1') return
      document.documentElement.dataset.arrived = ''
      document.removeEventListener('focusin', noted)
    }
    delete document.documentElement.dataset.arrived
    document.addEventListener('focusin', noted)
    const before = location.pathname
    history.pushState(null, '', to)
    return location.pathname !== before
  }, address)
  if (isOtherPage) await page.waitForFunction(() => 'arrived' in document.documentElement.dataset)
}
