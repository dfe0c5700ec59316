// A real browser for the tests of the web app.
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, expect } from 'vitest'
import { type TestApp, testApp } from './app.ts'
import { browserFlags, desktop, findBrowser } from './chromium.ts'
import { onTheWire } from './wire.ts'

/** The clipboard is for the tests to read: the page only writes to it. */
const usual = {
  viewport: desktop,
  reducedMotion: 'reduce',
  permissions: ['clipboard-read', 'clipboard-write'],
} satisfies BrowserContextOptions

/** The product and a browser for it, by the same clock: pages say how long ago things were. */
export async function testWeb(settings: Parameters<typeof testApp>[0] = {}) {
  const kith = await testApp(settings)
  kith.time.now = new Date()
  const browser = await testBrowser(kith)

  /** Ada, the Admin of a company of her own. */
  async function ada(more: { hasViews?: true } = {}) {
    const owner = await kith.given.company({ name: 'Acme Industries', adminName: 'Ada Lovelace', ...more })
    const token = await kith.given.session(owner)
    return { owner, token, api: kith.withSession(token) }
  }
  /** Such an Ada at a page. */
  async function at(path: string, options: Parameters<typeof browser.visit>[1] = {}) {
    const made = await ada()
    return { ...made, page: await browser.visit(path, { token: made.token, ...options }) }
  }
  return { kith, ada, at, ...browser }
}

export async function testBrowser(kith: TestApp) {
  const browser: Browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags })
  afterAll(() => browser.close())
  const { origin } = await onTheWire(kith)
  let faults: string[] = []
  let expected: RegExp[] = []
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
    const unexpected = faults.filter((fault) => !expected.some((known) => known.test(fault)))
    faults = []
    expected = []
    expect(unexpected).toEqual([])
  })

  /** A page of a new visitor. Whatever it reports to the console fails the test, a breach of the CSP included. */
  async function visit(path: string, options: BrowserContextOptions & { token?: string } = {}): Promise<Page> {
    const { token, ...more } = options
    const context = await browser.newContext({ ...usual, baseURL: origin, ...more })
    if (token) await context.addCookies([{ name: 'kith_session', value: token, url: origin }])
    // Shorter than a test, so that it fails with the step that nobody answered.
    context.setDefaultTimeout(15_000)
    const page = await context.newPage()
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(String(error)))
    await page.goto(path)
    return page
  }

  /** Names a complaint of the browser that this test provokes on purpose. */
  const expectComplaint = (pattern: RegExp) => expected.push(pattern)
  return { visit, expectComplaint, origin }
}

/** What is half faded in, or dimmed until the next answer, has less contrast. */
async function whatMovesIsThere() {
  while (document.querySelector('[aria-busy="true"]')) await new Promise(requestAnimationFrame)
  const moving = document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
  await Promise.allSettled(moving.map(({ finished }) => finished))
}

/** No serious accessibility problem, and nothing wider than the screen. */
export async function expectUsable(page: Page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  await page.evaluate(whatMovesIsThere)
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    // Only what is wrong is written out: to describe all that is right took longer than to find it.
    const rules = { 'target-size': { enabled: true } }
    // What lies under a modal dialog cannot be reached, and only seems to be covered in part.
    const isCovered = document.querySelector('[role="dialog"][aria-modal="true"]') !== null
    const reachable = isCovered ? { exclude: ['#content'] } : document
    return (await axe.run(reachable, { resultTypes: ['violations'], rules })).violations
  })
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(
    serious.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map((node) => node.html.slice(0, 150))
          .join(' ')}`,
    ),
    page.url(),
  ).toEqual([])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow, `${page.url()} is wider than the screen`).toBeLessThanOrEqual(0)
}
