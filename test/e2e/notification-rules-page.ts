// What the tests of notification rules share.
import type { Page } from 'playwright-core'

/** Nothing is half under the bar at the top, where it would seem too small to be pressed. */
export const toTop = (page: Page) => page.evaluate(() => scrollTo(0, 0))
