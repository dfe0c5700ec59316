// What the tests of website leads share.
import type { Page } from 'playwright-core'

export const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
export const preview = (page: Page) => page.frameLocator('iframe[title="Preview of the form"]')
export const detail = (page: Page) => page.getByRole('region', { name: 'Submission', exact: true })
