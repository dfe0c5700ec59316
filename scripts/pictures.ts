// Takes the pictures of the README from the running product.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { readConfig } from '../server/kernel/config.ts'
import { startKith } from '../server/start.ts'
import { browserFlags, desktop, findBrowser, phone } from '../test/chromium.ts'

const folder = mkdtempSync(join(tmpdir(), 'kith-pictures-'))
const port = '3918'
const kith = await startKith(readConfig({ PORT: port, DATA_DIR: folder, LOG: 'off', DEMO: '1' }), () => {})
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags })
const open = async (viewport: typeof desktop, colorScheme: 'light' | 'dark') => {
  const context = await browser.newContext({ baseURL: `http://localhost:${port}`, viewport, colorScheme })
  return context.newPage()
}
const take = async (page: Page, name: string) => {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForTimeout(500)
  await page.screenshot({ path: join('docs', 'pictures', `${name}.png`) })
}

const first = await open(desktop, 'light')
await first.goto('/')
await first.getByLabel('Company name').fill('Northwind Trading')
await first.getByLabel('Your name').fill('Ada Lovelace')
await first.getByLabel('Email').fill('ada@northwind.example')
await first.getByLabel('Password', { exact: true }).fill('correct horse battery')
await take(first, 'set-up')
await first.getByRole('button', { name: 'Create company' }).click()
await first.waitForURL('**/dashboard')
await take(first, 'dashboard')
const cookies = await first.context().cookies()

await first.goto('/profile/api-connectors')
await first.getByRole('button', { name: 'Add' }).click()
await first.getByLabel('Name').fill('Claude Code')
await first.getByRole('button', { name: 'Create key' }).click()
// No key's value is ever committed, not even in a picture.
await first
  .getByRole('region', { name: 'Your new key' })
  .locator('code')
  .evaluate((shown) => {
    shown.textContent = `Kith${'•'.repeat(60)}`
  })
await take(first, 'new-key')

// The demo data is filled in behind the set-up.
await first.goto('/company/roles')
await first.getByRole('link', { name: 'Sales rep' }).waitFor()
await first.getByRole('link', { name: 'Sales rep' }).click()
await first.waitForURL('**/company/roles/*')
await take(first, 'role')

for (const [name, viewport, scheme, path] of [
  ['members', desktop, 'light', '/company/members'],
  ['members-phone-dark', phone, 'dark', '/company/members'],
  ['audit-log-dark', desktop, 'dark', '/company/audit-log'],
  ['security', desktop, 'light', '/profile/security'],
  ['security-phone', phone, 'light', '/profile/security'],
  ['dashboard-dark', desktop, 'dark', '/dashboard'],
  ['request-inspector-dark', desktop, 'dark', '/_profiler/'],
  ['dashboard-phone', phone, 'light', '/dashboard'],
  ['company-phone-dark', phone, 'dark', '/company'],
] as const) {
  const page = await open(viewport, scheme)
  await page.context().addCookies(cookies)
  await page.goto(path)
  await take(page, name)
}
await browser.close()
await kith.stop()
rmSync(folder, { recursive: true })
