// What the tests of the frame share.
import type { Page } from 'playwright-core'

export const navigation = (page: Page) => page.getByRole('navigation', { name: 'Areas' })
