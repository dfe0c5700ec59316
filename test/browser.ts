// A real browser for the tests of the web app.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Frame,
  type Page,
} from 'playwright-core'
import { afterEach, expect } from 'vitest'
import { type TestApp, testApp } from './app.ts'
import { browserFlags, desktop, findBrowser, phone } from './chromium.ts'
import { isLong } from './long.ts'
import { lookOf } from './looks.ts'
import { timed } from './timed.ts'
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

/** Shorter than a test, so that a test fails with the step that got no answer. */
const stepMs = 15_000

/** One browser for all files of a test worker. It ends with the worker. */
let launched: Promise<Browser> | undefined
export const browserOfWorker = () =>
  (launched ??= chromium.launch({ executablePath: findBrowser(), args: browserFlags }))

async function newContext(browser: Browser, options: BrowserContextOptions) {
  const context = await browser.newContext({ ...usual, ...options })
  context.setDefaultTimeout(stepMs)
  return context
}

const stored = 'local_storage,indexeddb,cache_storage,service_workers'

/**
 * A context for one visitor after another. An open page keeps its renderer alive, in which the scripts of the web app
 * are compiled already: a visit takes half the CPU time of one in a new context.
 */
async function keptContext(browser: Browser, origin: string, options: BrowserContextOptions) {
  const context = await newContext(browser, { ...options, baseURL: origin })
  const keeper = await context.newPage()
  await keeper.goto('/livez')
  const devtools = await context.newCDPSession(keeper)
  return {
    context,
    isTaken: true,
    /** As if it were new. */
    async reset() {
      await Promise.all(context.pages().map((page) => page === keeper || page.close()))
      await context.unrouteAll()
      await context.clearCookies()
      await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: stored })
      this.isTaken = false
    },
  }
}

/** Two people, and one who touches the screen. Others get a context of their own. */
const mostKept: Record<string, number> = { '{}': 2, '{"hasTouch":true}': 1 }

type Visitors = { origin: string; kept: Map<string, Awaited<ReturnType<typeof keptContext>>[]> }
const visitorsOf = new WeakMap<TestApp['app'], Promise<Visitors>>()

/** The address of an app, and the contexts that are kept for it as long as it runs: for all files that share it. */
function visitorsFor({ app }: TestApp, listen: () => Promise<{ origin: string }>) {
  const known = visitorsOf.get(app)
  if (known) return known
  const kept: Visitors['kept'] = new Map()
  const visitors = listen().then(({ origin }) => ({ origin, kept }))
  visitorsOf.set(app, visitors)
  const close = app.close.bind(app) as () => Promise<undefined>
  // Before the server waits for the end of their connections.
  app.close = (async () => {
    await Promise.all([...kept.values()].flat().map(({ context }) => context.close()))
    return close()
  }) as typeof app.close
  return visitors
}

type Visit = BrowserContextOptions & {
  token?: string
  /**
   * In a context of its own, which can go offline (pages of one renderer share whether they are online) or have
   * another clock (pages of one context share it).
   */
  isAlone?: true
}

export async function testBrowser(kith: TestApp) {
  const browser = await browserOfWorker()
  const { origin, kept } = await visitorsFor(kith, () => onTheWire(kith))
  const own: BrowserContext[] = []
  let faults: string[] = []
  let expected: RegExp[] = []
  afterEach(async () => {
    for (const context of own.splice(0)) await context.close()
    for (const shared of [...kept.values()].flat()) if (shared.isTaken) await shared.reset()
    const unexpected = faults.filter((fault) => !expected.some((known) => known.test(fault)))
    faults = []
    expected = []
    expect(unexpected, unexpected.join('\n')).toEqual([])
  })

  async function contextFor({ isAlone, ...options }: Visit) {
    const kind = JSON.stringify(options)
    const alike = kept.get(kind) ?? []
    const free = alike.find(({ isTaken }) => !isTaken)
    if (!isAlone && free) {
      free.isTaken = true
      return free.context
    }
    if (!isAlone && alike.length < (mostKept[kind] ?? 0)) {
      const shared = await keptContext(browser, origin, options)
      kept.set(kind, [...alike, shared])
      return shared.context
    }
    const context = await newContext(browser, { ...options, baseURL: origin })
    own.push(context)
    return context
  }

  /** A page of a new visitor. Whatever it reports to the console fails the test, a breach of the CSP included. */
  async function visit(path: string, { token, viewport, colorScheme, ...options }: Visit = {}): Promise<Page> {
    const context = await contextFor(options)
    if (token) await context.addCookies([{ name: 'kith_session', value: token, url: origin }])
    const page = await context.newPage()
    if (viewport) await page.setViewportSize(viewport)
    if (colorScheme) await page.emulateMedia({ colorScheme })
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(String(error)))
    noteLive(page)
    await timed('browser: load', () => page.goto(path))
    return page
  }

  /** Names a complaint of the browser that this test provokes on purpose. */
  const expectComplaint = (pattern: RegExp) => expected.push(pattern)
  return { visit, expectComplaint, origin }
}

const isLive = (url: string) => new URL(url).pathname === '/app/api/live'
const live = new WeakSet<Page>()

/** Notes whether the stream of live updates is open. */
function noteLive(page: Page) {
  page.on('response', (response) => isLive(response.url()) && response.ok() && live.add(page))
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) live.delete(page)
  })
}

/** The page hears from now on what others do. */
export async function isListening(page: Page) {
  while (!live.has(page)) await page.waitForResponse((response) => isLive(response.url()) && response.ok())
}

/** What is half faded in, or dimmed until the next answer, has less contrast. */
async function whatMovesIsThere(mostMs: number) {
  const began = performance.now()
  while (document.querySelector('[aria-busy="true"], [data-old], [data-stale]')) {
    if (performance.now() - began > mostMs) throw new Error('The page is still busy')
    await new Promise(requestAnimationFrame)
  }
  const moving = document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
  await Promise.allSettled(moving.map(({ finished }) => finished))
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** No serious accessibility problem. A look that was checked in this run is not checked again. */
async function expectAccessible(page: Page | Frame) {
  const { isNew, remember } = await lookOf(page)
  if (!isNew) return
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const run = async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    // Only what is wrong is written out: to describe all that is right took longer than to find it.
    const rules = { 'target-size': { enabled: true } }
    // What lies under a modal dialog cannot be reached, and only seems to be covered in part.
    const isCovered = document.querySelector('[role="dialog"][aria-modal="true"]') !== null
    const reachable = isCovered ? { exclude: ['#content'] } : document
    return (await axe.run(reachable, { resultTypes: ['violations'], rules })).violations
  }
  const violations = await timed('axe', () => page.evaluate(run))
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
  remember()
}

/** No serious accessibility problem, nothing wider than the screen, and in every form it is clear what Enter does. */
export async function expectUsable(page: Page | Frame) {
  await page.evaluate(whatMovesIsThere, stepMs)
  await expectAccessible(page)
  const { overflow, submits } = await page.evaluate(() => ({
    overflow: document.documentElement.scrollWidth - window.innerWidth,
    submits: [...document.forms].map(
      (form) => form.querySelectorAll('button:not([type=button], [type=reset]), input[type=submit]').length,
    ),
  }))
  expect(overflow, `${page.url()} is wider than the screen`).toBeLessThanOrEqual(0)
  expect(Math.max(0, ...submits), `${page.url()} has a form with several buttons that submit it`).toBeLessThanOrEqual(1)
}

async function expectUsableOnDarkPhone(page: Page) {
  await page.setViewportSize(phone)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectUsable(page)
  await page.setViewportSize(desktop)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** The loaded page as a desktop in light and as a phone in dark. */
export async function expectUsableEverywhere(page: Page) {
  await expectUsable(page)
  await expectUsableOnDarkPhone(page)
}

/** One of many pages: the long run checks it in both looks, other runs in one of them, depending on its index. */
export async function expectUsableSomewhere(page: Page, index: number) {
  if (isLong) return expectUsableEverywhere(page)
  await (index % 2 ? expectUsableOnDarkPhone(page) : expectUsable(page))
}
