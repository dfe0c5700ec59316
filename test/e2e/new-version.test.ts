import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { offer } from './new-version-page.ts'

const webFolder = join(mkdtempSync(join(tmpdir(), 'kith-web-')), 'web')
cpSync(resolve('dist/web'), webFolder, { recursive: true })
afterAll(() => rmSync(join(webFolder, '..'), { recursive: true, force: true }))
const { at, expectComplaint } = await testWeb({ webFolder })

/** As a deployment does to the files of the build before it. */
function rename(from: RegExp, change: (name: string) => string) {
  const assets = join(webFolder, 'assets')
  for (const name of readdirSync(assets))
    if (from.test(name)) renameSync(join(assets, name), join(assets, change(name)))
}

test('when a page of this build is gone from the server, a new version is offered, and opening the page reloads once', async () => {
  const { page } = await at('/dashboard')
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  rename(/^jobs-/, (name) => `new-${name}`)
  expectComplaint(/404|Failed to fetch|dynamically imported|preload assets|style/)
  // A page is loaded ahead when the pointer is on its link.
  await page.getByRole('link', { name: 'Background jobs', exact: true }).hover()
  await page.getByText(offer).waitFor()
  expect(await page.getByText(/offline|cannot be reached/i).count()).toBe(0)
  await expectUsable(page)
  let loads = 0
  page.on('request', (request) => {
    if (!request.isNavigationRequest()) return
    loads++
    rename(/^new-/, (name) => name.replace('new-', ''))
  })
  await page.getByRole('link', { name: 'Background jobs', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Background jobs' }).waitFor()
  expect(loads).toBe(1)
  expect(await page.getByText(offer).count()).toBe(0)
})
