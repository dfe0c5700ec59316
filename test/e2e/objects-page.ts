// What the tests of objects share.
import type { Page } from 'playwright-core'

export const field = (page: Page, label: string) => page.getByRole('button', { name: `Edit ${label}`, exact: true })
