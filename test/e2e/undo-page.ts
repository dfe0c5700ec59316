// What the tests of undo share.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The page has heard that it was saved. */
export const isKnown = (page: Page, said: string) =>
  expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain(said)
