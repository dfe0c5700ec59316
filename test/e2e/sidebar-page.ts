// What the tests of the sidebar share.
import type { Page } from 'playwright-core'

export const objectsOf = (page: Page) => page.getByRole('list', { name: 'Objects', exact: true })
export const shown = async (page: Page) => (await objectsOf(page).getByRole('link').allTextContents()).slice(0, 3)
