// Covers: web/frame web/screens/request-inspector
import { expect, test } from 'vitest'
import { hashPassword } from '../../server/accounts/credentials/passwords.ts'
import { testApp } from '../app.ts'
import { expectUsable, testBrowser } from '../browser.ts'
import { phone } from '../chromium.ts'
import { navigation } from './frame-page.ts'

const kith = await testApp()
const { visit, expectComplaint } = await testBrowser(kith)
const admin = await kith.given.company({ name: 'Acme Industries', adminName: 'Ada Lovelace' })
const token = await kith.given.session(admin)

test('nothing is hidden behind the bar of a phone', async () => {
  const page = await visit('/company', { token, viewport: phone })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  const bar = (await page.getByRole('navigation', { name: 'Quick navigation' }).boundingBox())!
  const last = (await page.getByRole('main').getByRole('button').last().boundingBox())!
  expect(last.y + last.height).toBeLessThanOrEqual(bar.y)
})

test('on a low screen the foot of the sidebar stays visible and the middle scrolls', async () => {
  const page = await visit('/records/deals', { token, viewport: { width: 1280, height: 480 } })
  const box = (await navigation(page).getByRole('link', { name: 'API', exact: true }).boundingBox())!
  expect(box.y + box.height).toBeLessThan(480)
  await navigation(page).getByRole('link', { name: 'Background jobs' }).click()
  await page.waitForURL('**/jobs')
})

test('the developer links collapse by keyboard and stay collapsed in this browser', async () => {
  const page = await visit('/records/deals', { token })
  const toggle = navigation(page).getByRole('button', { name: 'Developers' })
  const link = navigation(page).getByRole('link', { name: 'API Keys' })
  await link.waitFor()
  expect(await toggle.getAttribute('aria-expanded')).toBe('true')
  await toggle.press('Enter')
  await link.waitFor({ state: 'detached' })
  await page.reload()
  await toggle.waitFor()
  expect(await toggle.getAttribute('aria-expanded')).toBe('false')
  expect(await link.count()).toBe(0)
  await toggle.press('Space')
  await link.waitFor()
})

test('the theme is stored in the browser and for the account', async () => {
  const page = await visit('/dashboard', { token, colorScheme: 'light' })
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  await expect.poll(async () => (await kith.withSession(token).whoami({})).theme).toBe('dark')
  await page.reload()
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  const elsewhere = await visit('/dashboard', { token, colorScheme: 'light' })
  await elsewhere.locator('html[data-mantine-color-scheme=dark]').waitFor()
  await kith.withSession(token).updateMe({ theme: 'system' })
})

test('changing the password asks for the current one, and signing out everywhere ends the session', async () => {
  const own = await kith.given.company({ password_hash: await hashPassword('correct horse') })
  const page = await visit('/profile/security', { token: await kith.given.session(own) })
  await page.getByLabel('Current password').fill('not it')
  await page.getByLabel('New password').fill('a better horse')
  expectComplaint(/422/)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('This is not your current password').waitFor()
  expect(await page.getByLabel('New password').inputValue()).toBe('a better horse')
  await page.getByLabel('Current password').fill('correct horse')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed').waitFor()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.waitForURL('**/sign-in*')
  expect((await kith.visitor.signIn({ email: own.email, password: 'a better horse' })).state).toBe('signed_in')
})

test('the request inspector finds a request by its id', async () => {
  const key = await kith.given.key(admin)
  const answer = await kith.send('/api/v1/company', { headers: { 'x-api-key': key } })
  await kith.requests.flush()
  const page = await visit('/_profiler/', { token })
  await page.getByLabel('Request or trace ID').fill(answer.headers.get('x-request-id')!)
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  expect(await page.getByRole('row').last().textContent()).toContain('getCompany')
  await expectUsable(page)
})

test('a session that ended elsewhere redirects to sign-in and back', async () => {
  const own = await kith.given.company()
  const mine = await kith.given.session(own)
  const page = await visit('/dashboard', { token: mine })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await kith.withSession(mine).signOut({})
  await page.reload()
  await page.waitForURL('**/sign-in?next=*dashboard')
})
