// Kith as `npm start` runs it, with many people, and a signed-in browser. RECORDS_FOLDER keeps the people.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { frugal } from '../scripts/frugal.mjs'
import { joinEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { browserFlags, desktop, findBrowser } from '../test/chromium.ts'
import { givenPassword } from '../test/given.ts'
import { installMissing } from '../test/packages.ts'
import { prepare } from './records-place.ts'

const port = process.env.PORT ?? '3919'
const baseURL = `http://localhost:${port}`
type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>
export type WebPlace = Awaited<ReturnType<typeof openWeb>>

export async function openWeb(size: number) {
  await using building = new AsyncDisposableStack()
  const folder = await peopleIn(building, size)
  building.defer(await startKith(folder))
  await installMissing()
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags })
  building.defer(() => browser.close())

  /** A browser with an empty cache. */
  const visitor = async (cookies: Cookies = []) => {
    const context = await browser.newContext({ baseURL, viewport: desktop })
    await context.addCookies(cookies)
    const page = await context.newPage()
    page.on('pageerror', (error) => console.log(`  the page failed: ${error.message}`))
    return page
  }
  /** An almost empty page on the same origin, as the lower bound. */
  const barePage = async (body: string) => {
    const page = await visitor(cookies)
    const html = `<!doctype html><title>Bare</title><style>body{font:13px sans-serif}</style>${body}`
    await page.route('**/bare', (route) => route.fulfill({ contentType: 'text/html', body: html }))
    await page.goto('/bare')
    await page.unrouteAll()
    return page
  }
  const first = await visitor()
  await signIn(first, await emailIn(folder))
  const cookies = await first.context().cookies()
  await first.context().close()
  const running = building.move()
  return { browser, visitor, barePage, cookies, stop: () => running.disposeAsync() }
}

/** Creates the people with the code of `bench/records.ts`, whose servers are not needed. */
async function peopleIn(building: AsyncDisposableStack, size: number) {
  if (!process.env.RECORDS_FOLDER) {
    const made = mkdtempSync(join(tmpdir(), 'kith-bench-web-'))
    building.defer(() => rmSync(made, { recursive: true, force: true }))
    process.env.RECORDS_FOLDER = made
  }
  const { stop } = await prepare(size)
  await stop()
  return join(process.env.RECORDS_FOLDER, String(size))
}

async function startKith(folder: string) {
  const child = spawn(process.execPath, [...frugal.execArgv, join('server', 'main.ts')], {
    env: { ...frugal.env, PORT: port, DATA_DIR: folder, LOG: 'off' },
    // Kith stops when this channel closes, even if we crash.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  // A browser rarely runs on the same machine as the server. Here it does, so the server gets a lower priority.
  setPriority(child.pid!, constants.priority.PRIORITY_LOW)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let isReady = false
  for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false })) {
    isReady = String(chunk).includes('Kith is ready')
    if (isReady) break
  }
  if (!isReady) throw new Error('Kith did not start. See its error above.')
  child.stdout!.resume()
  return async () => {
    child.disconnect()
    await ended
  }
}

async function emailIn(folder: string) {
  const database = await joinEmbeddedPostgres(folder)
  const client = new pg.Client(database.connection)
  await client.connect()
  const { rows } = await client.query<{ email: string }>('select email from users limit 1')
  await client.end()
  await database.stop()
  return rows[0]!.email
}

async function signIn(page: Page, email: string) {
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(givenPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/dashboard')
}
