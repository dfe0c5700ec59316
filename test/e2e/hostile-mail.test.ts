import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyDocument, bodyPolicy, bodySandbox } from '../../server/inbox/content/body-document.ts'
import { foldQuotes } from '../../server/inbox/content/quotes.ts'
import { safeHtml } from '../../server/inbox/content/safe-html.ts'
import { browserOfWorker } from '../browser.ts'
import { hostileMails } from '../mails/hostile.ts'

// Shows every hostile mail in a frame, as the inbox does, and watches the page around it. All of them are in one page,
// because a load for each took most of the time.
const pages = new Map<string, { body: string; policy?: string }>()
const asked: string[] = []
const server = createServer((request, response) => {
  const found = pages.get(request.url!)
  if (!found) asked.push(request.url!)
  response.statusCode = found ? 200 : 404
  if (found?.policy) response.setHeader('content-security-policy', found.policy)
  response.setHeader('content-type', found ? 'text/html; charset=utf-8' : 'text/plain')
  response.end(found?.body ?? '')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const mails = hostileMails(`${origin}/leak`)

let context: BrowserContext
let page: Page
let dialogs = 0
const outside: string[] = []
beforeAll(async () => {
  context = await (await browserOfWorker()).newContext({ viewport: { width: 1000, height: 800 } })
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
  await context.close()
  server.close()
})

type Shown = { path: string; body: string; policy?: string; sandbox: string | null }

/** Each frame between two buttons, which it must not cover. */
function around(shown: Shown[]) {
  const frames = shown.map(({ path, body, policy, sandbox }, index) => {
    pages.set(path, { body, policy })
    const attributes = sandbox === null ? '' : `sandbox="${sandbox}"`
    return `<div><button id="above-${index}">Above</button><br><iframe src="${path}" width=600 height=200 ${attributes}></iframe><br><button id="below-${index}">Below</button></div>`
  })
  return `<!doctype html><title>Kith</title><link rel=icon href="data:,">${frames.join('')}`
}

/** Everything the page did that it must not do. */
async function visit(path: string, shown: Shown[], act = async () => {}) {
  asked.length = 0
  outside.length = 0
  dialogs = 0
  pages.set(path, { body: around(shown) })
  pages.set('/later', { body: '' })
  await page.goto(origin + path)
  await act()
  // What was asked for before this is known after it.
  await page.evaluate(() => fetch('/later'))
  return { ...(await ran()), dialogs, requests: [...asked, ...outside.filter((url) => !url.startsWith('data:'))] }
}

const ran = async () => ({
  hacked: await page.evaluate(() => Number((window as { hacked?: number }).hacked ?? 0)),
  title: await page.title(),
})

test('there are at least 60 hostile mails', () => expect(mails.length).toBeGreaterThanOrEqual(60))

test('the mails are hostile: without protection they run and load', async () => {
  const raw = mails.map(({ html: body }, index) => ({ path: `/raw/${index}`, body, sandbox: null }))
  await visit('/unprotected', raw, async () => {
    await expect.poll(async () => (await ran()).hacked).toBeGreaterThan(10)
    await expect.poll(() => asked.filter((url) => url.startsWith('/leak/')).length).toBeGreaterThan(10)
  })
})

test('even what was not made safe runs nothing in the frame', async () => {
  const framed = mails.map(({ html: body }, index) => ({
    path: `/framed/${index}`,
    body,
    policy: bodyPolicy,
    sandbox: bodySandbox,
  }))
  const { hacked, title, dialogs } = await visit('/framed', framed)
  expect({ hacked, title, dialogs }).toEqual({ hacked: 0, title: 'Kith', dialogs: 0 })
})

const pathOf = (name: string) => `/mail/${encodeURIComponent(name)}`
let found: ReturnType<typeof whatIsInside> = []
let seen: Awaited<ReturnType<typeof visit>>

beforeAll(async () => {
  const safe = mails.map(({ name, html }) => {
    const folded = foldQuotes({ html: safeHtml(html).html, earlier: [] })
    const body = bodyDocument(folded.html, { images: new Map(), remote: null, quote: 'folded' })
    return { path: pathOf(name), body, policy: bodyPolicy, sandbox: bodySandbox }
  })
  seen = await visit('/safe', safe, async () => {
    for (let index = 0; index < mails.length; index++) {
      const { x, y } = await page.evaluate(intoView, index)
      await page.mouse.move(x + 290, y + 70)
      await page.mouse.click(x + 32, y + 30)
    }
    found = await page.evaluate(whatIsInside)
  })
})

test('nothing runs and nothing is asked for when mails are shown and clicked', () =>
  expect(seen).toEqual({ hacked: 0, title: 'Kith', dialogs: 0, requests: [] }))

test.each(mails)('nothing is left that runs, loads or leaves the frame: $name', ({ name }) => {
  const fine = { foreign: [], events: [], links: [], placed: [], covered: [], wider: false }
  expect(found[mails.findIndex((mail) => mail.name === name)]).toEqual({ ...fine, path: pathOf(name) })
})

/** Runs in the page. */
function intoView(index: number) {
  const frame = document.querySelectorAll('iframe')[index]!
  frame.scrollIntoView({ block: 'center' })
  const { x, y } = frame.getBoundingClientRect()
  return { x, y }
}

/** Runs in the page around the frames, which may read them. */
function whatIsInside() {
  const names =
    'script style iframe object embed form input button select textarea link meta base svg math template dialog'
  const isCovered = (id: string) => {
    const button = document.getElementById(id)!
    button.scrollIntoView({ block: 'center' })
    const { x, y, width, height } = button.getBoundingClientRect()
    return document.elementFromPoint(x + width / 2, y + height / 2)?.id !== id
  }
  return [...document.querySelectorAll('iframe')].map((frame, index) => {
    const inside = frame.contentDocument!
    const all = [...inside.querySelectorAll<HTMLElement>('main *')]
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
      covered: ['above', 'below'].map((side) => `${side}-${index}`).filter(isCovered),
      wider: document.documentElement.scrollWidth > window.innerWidth,
      path: inside.location.pathname,
    }
  })
}
