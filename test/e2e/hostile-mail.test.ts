import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyDocument, bodyPolicy, bodySandbox } from '../../server/inbox/content/body-document.ts'
import { foldQuotes } from '../../server/inbox/content/quotes.ts'
import { safeHtml } from '../../server/inbox/content/safe-html.ts'
import { browserFlags, findBrowser } from '../chromium.ts'
import { hostileMails } from '../mails/hostile.ts'

// Shows every hostile mail in a frame, as the inbox does, and watches the page around it.
const pages = new Map<string, { type: string; body: string; policy?: string }>()
const asked: string[] = []
const server = createServer((request, response) => {
  const found = pages.get(request.url!)
  if (!found) asked.push(request.url!)
  response.statusCode = found ? 200 : 404
  if (found?.policy) response.setHeader('content-security-policy', found.policy)
  response.setHeader('content-type', found?.type ?? 'text/plain')
  response.end(found?.body ?? '')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const mails = hostileMails(`${origin}/leak`)

let browser: Browser
let page: Page
let dialogs = 0
const outside: string[] = []
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags })
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 } })
  // Requests to other hosts are stopped, and counted.
  await context.route(
    (url) => url.origin !== origin,
    (route) => {
      outside.push(route.request().url())
      return route.abort()
    },
  )
  page = await context.newPage()
  page.on('dialog', (dialog) => {
    dialogs++
    return dialog.dismiss()
  })
})
afterAll(async () => {
  await browser.close()
  server.close()
})

const html = 'text/html; charset=utf-8'
const around = (frames: string) =>
  `<!doctype html><title>Kith</title><link rel=icon href="data:,"><button id=above>Above</button><br>${frames}<br><button id=below>Below</button>`
const frame = (path: string, sandbox: string | null) =>
  `<iframe src="${path}" width=600 height=200 ${sandbox === null ? '' : `sandbox="${sandbox}"`}></iframe>`

/** Everything the page did that it must not do. */
async function visit(path: string, act: () => Promise<void>) {
  asked.length = 0
  outside.length = 0
  dialogs = 0
  await page.goto(origin + path)
  await act()
  const hacked = await page.evaluate(() => Number((window as { hacked?: number }).hacked ?? 0))
  const requests = [...asked, ...outside.filter((url) => !url.startsWith('data:'))]
  return { hacked, title: await page.title(), dialogs, requests }
}

const clean = { hacked: 0, title: 'Kith', dialogs: 0, requests: [] as string[] }

test('there are at least 60 hostile mails', () => expect(mails.length).toBeGreaterThanOrEqual(60))

test('the mails are hostile: without protection they run and load', async () => {
  const paths = mails.map(({ html: body }, index) => {
    pages.set(`/raw/${index}`, { type: html, body })
    return `/raw/${index}`
  })
  pages.set('/unprotected', { type: html, body: around(paths.map((path) => frame(path, null)).join('')) })
  const { hacked, requests } = await visit('/unprotected', () => page.waitForTimeout(500))
  expect(hacked).toBeGreaterThan(10)
  expect(requests.filter((url) => url.startsWith('/leak/')).length).toBeGreaterThan(10)
})

test('even what was not made safe runs nothing in the frame', async () => {
  const paths = mails.map(({ html: body }, index) => {
    pages.set(`/framed/${index}`, { type: html, body, policy: bodyPolicy })
    return `/framed/${index}`
  })
  pages.set('/framed', { type: html, body: around(paths.map((path) => frame(path, bodySandbox)).join('')) })
  const { hacked, title, dialogs } = await visit('/framed', () => page.waitForTimeout(500))
  expect({ hacked, title, dialogs }).toEqual({ hacked: 0, title: 'Kith', dialogs: 0 })
})

test.each(mails)('nothing runs, loads or leaves the frame: $name', async ({ name, html: given }) => {
  const safe = safeHtml(given)
  const folded = foldQuotes({ html: safe.html, earlier: [] })
  const body = bodyDocument(folded.html, { images: new Map(), remote: null, quote: 'folded' })
  const path = `/mail/${encodeURIComponent(name)}`
  pages.set(path, { type: html, body, policy: bodyPolicy })
  pages.set(`${path}/page`, { type: html, body: around(frame(path, bodySandbox)) })
  const seen = await visit(`${path}/page`, async () => {
    const found = await page.evaluate(whatIsInside)
    expect(found).toEqual({ foreign: [], events: [], links: [], placed: [], covered: [], wider: false, path })
    await page.mouse.move(300, 100)
    await page.mouse.click(40, 60)
    await page.waitForTimeout(20)
  })
  expect(seen).toEqual(clean)
})

/** Runs in the page around the frame, which may read it. */
function whatIsInside() {
  const inside = document.querySelector('iframe')!.contentDocument!
  const all = [...inside.querySelectorAll<HTMLElement>('main *')]
  const names =
    'script style iframe object embed form input button select textarea link meta base svg math template dialog'
  const isCovered = (id: string) => {
    const { x, y, width, height } = document.getElementById(id)!.getBoundingClientRect()
    return document.elementFromPoint(x + width / 2, y + height / 2)?.id !== id
  }
  return {
    foreign: all.map((node) => node.localName).filter((name) => names.split(' ').includes(name)),
    events: all.flatMap((node) =>
      node.getAttributeNames().filter((name) => /^on|^id$|^name$|^class$|^src(?:set|doc)$/.test(name)),
    ),
    links: all
      .flatMap((node) => node.getAttribute('href') ?? [])
      .filter((href) => !/^(?:https?:\/\/|mailto:|tel:)/.test(href)),
    placed: all
      .filter((node) => inside.defaultView!.getComputedStyle(node).position !== 'static')
      .map((node) => node.outerHTML),
    covered: ['above', 'below'].filter(isCovered),
    wider: document.documentElement.scrollWidth > window.innerWidth,
    path: inside.location.pathname,
  }
}
