// The gzipped size of the scripts that a page loads, and of those that only other pages load.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'
import type { WebPlace } from './web-place.ts'

const assets = join(import.meta.dirname, '..', 'dist', 'web', 'assets')

export const sizeOf = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + statSync(join(assets, `${file}.gz`)).size, 0)
export const allScripts = () => readdirSync(assets).filter((file) => file.endsWith('.js'))

/** The scripts that each step of a first visit loads in addition. */
export async function countScripts({ visitor, cookies }: WebPlace) {
  const [stranger, page] = [await visitor(), await visitor(cookies)]
  const signIn = await during(stranger, async () => {
    await stranger.goto('/sign-in', { waitUntil: 'networkidle' })
  })
  const dashboard = await during(page, async () => {
    await page.goto('/dashboard', { waitUntil: 'networkidle' })
  })
  const list = await during(page, async () => {
    await page.getByRole('link', { name: 'Records', exact: true }).click()
    await page.locator('[aria-rowindex="2"]').waitFor()
    await page.waitForTimeout(300)
  })
  const filterBox = await during(page, async () => {
    await page.getByRole('button', { name: 'Edit as text' }).click()
    await page.getByRole('textbox', { name: 'Filter', exact: true }).waitFor()
  })
  for (const one of [stranger, page]) await one.context().close()
  return { signIn, dashboard, list, filterBox }
}

async function during(page: Page, act: () => Promise<void>) {
  const asked = new Set<string>()
  const note = (request: Request) => {
    const file = /\/assets\/([^/]+\.js)$/.exec(request.url())?.[1]
    if (file) asked.add(file)
  }
  page.on('request', note)
  await act()
  page.off('request', note)
  return asked
}
