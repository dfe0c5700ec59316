import { expect, test } from 'vitest'
import { hashPassword } from '../../server/accounts/credentials/passwords.ts'
import { testApp } from '../app.ts'
import { expectUsable, expectUsableSomewhere, testBrowser } from '../browser.ts'
import { phone } from '../chromium.ts'
import { navigation } from './frame-page.ts'
import { goTo } from './navigate.ts'

const objects = ['Deals', 'People', 'Organizations', 'Leads', 'Tasks', 'Notes', 'Activities', 'Products']
const areas = [
  'Dashboard',
  'Inbox',
  'My tasks',
  'Records',
  ...objects,
  'Lead sending',
  'Agent activity',
  'Background jobs',
  'Trash',
  'Company',
  'Profile',
  'API Keys',
  'Filter Syntax',
  'API',
]
/** The pages of Company, Profile and API Keys are looked at by their own tests. */
const paths = [
  '/dashboard',
  '/inbox',
  '/records',
  '/activity',
  '/jobs',
  '/lead-sending',
  '/filter-syntax',
  '/_profiler/',
  '/records/people',
  '/records/people/1',
  '/records/nothing',
  '/trash/people',
  '/inbox/1',
  '/profile/nothing',
]
const kith = await testApp()
const { visit, expectComplaint } = await testBrowser(kith)
const admin = await kith.given.company({ name: 'Acme Industries', adminName: 'Ada Lovelace' })
const token = await kith.given.session(admin)

test('the sidebar links to every object and area that works, in order, and each has its heading and title', async () => {
  const page = await visit('/', { token })
  await page.waitForURL('**/dashboard')
  const links = navigation(page).getByRole('link')
  await links.first().waitFor()
  expect(await links.allTextContents()).toEqual(areas)
  for (const area of areas) {
    const link = navigation(page).getByRole('link', { name: area, exact: true })
    await link.click()
    await page.waitForFunction((name) => document.title.startsWith(name), area)
    expect(await link.getAttribute('aria-current')).toBe('page')
  }
})

test('every page is usable', async () => {
  const page = await visit('/dashboard', { token, colorScheme: 'light' })
  for (const [index, path] of paths.entries()) {
    await goTo(page, path)
    await expectUsableSomewhere(page, index)
  }
})

test('on a phone a bar below leads to inbox, deals, people and tasks, the one above to the dashboard, and More opens the sidebar as a sheet', async () => {
  const page = await visit('/records/deals', { token, viewport: phone })
  const bar = page.getByRole('navigation', { name: 'Quick navigation' })
  await bar.getByRole('link', { name: 'People' }).click()
  await page.waitForURL('**/records/people')
  await bar.getByRole('link', { name: 'Inbox' }).click()
  await page.waitForURL('**/inbox')
  const top = page.getByRole('region', { name: 'Top bar' })
  await top.getByRole('link', { name: 'Dashboard' }).click()
  await page.waitForURL('**/dashboard')
  await top.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('dialog', { name: 'Search and commands' }).waitFor()
  await page.keyboard.type('my tasks')
  await page.getByRole('option', { name: /^My tasks/ }).waitFor()
  await page.keyboard.press('Escape')
  for (const entry of await bar.getByRole('link').or(bar.getByRole('button')).all()) {
    const { width, height } = (await entry.boundingBox())!
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
  }
  await bar.getByRole('link', { name: 'Tasks' }).click()
  await page.getByRole('heading', { name: 'My tasks' }).waitFor()
  await page.getByRole('link', { name: 'All tasks' }).click()
  await page.waitForURL('**/records/tasks')
  const more = bar.getByRole('button', { name: 'More' })
  await more.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('link', { name: 'Organizations' }).waitFor()
  await expectUsable(page)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await more.click()
  await page.getByRole('dialog').getByRole('link', { name: 'Company', exact: true }).click()
  await page.waitForURL('**/company')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})

test('an address that does not exist says so inside the app, and leads back', async () => {
  expectComplaint(/404/)
  const page = await visit('/nonsense/here', { token })
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
  await page.getByText('This page does not exist').waitFor()
  await page.getByRole('link', { name: 'Back to Records' }).click()
  await page.getByRole('heading', { level: 1, name: 'Records' }).waitFor()
  await page.goto('/deals?q=pilot')
  await page.waitForURL('**/records/deals?q=pilot')
})

test('g and a letter go to an area, ? lists the shortcuts, and neither acts while typing', async () => {
  const page = await visit('/dashboard', { token })
  await page.getByRole('heading', { level: 1 }).waitFor()
  for (const [letter, path] of Object.entries({
    d: 'records/deals',
    p: 'records/people',
    t: 'records/tasks',
    a: 'activity',
  })) {
    await page.keyboard.press('g')
    await page.keyboard.press(letter)
    await page.waitForURL(`**/${path}`)
    // The second key has to follow soon, which a page that is still being drawn may prevent.
    await page.waitForFunction(() => document.activeElement?.localName === 'h1')
  }
  await page.keyboard.press('?')
  await page.getByRole('dialog').getByText('Create a record, unless a cell is active').waitFor()
  await page.keyboard.press('Escape')
  await goTo(page, '/profile')
  await page.getByLabel('Single-key shortcuts').focus()
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  const name = page.getByLabel('Your name')
  await name.fill('')
  await name.pressSequentially('gd?')
  expect(await name.inputValue()).toBe('gd?')
  expect(page.url()).toContain('/profile')
})

test('what was typed survives the end of the session', async () => {
  const own = await kith.given.company({ password_hash: await hashPassword('correct horse') })
  const mine = await kith.given.session(own)
  const page = await visit('/profile', { token: mine })
  await page.getByLabel('Your name').fill('Typed but not saved')
  // As when it expires: nothing tells the page.
  await kith.db.deleteFrom('sessions').where('user_id', '=', own.user_id).execute()
  expectComplaint(/401/)
  await page.getByRole('button', { name: 'Save your name' }).click()
  await page.getByText('Your session has ended. Sign in again in a new tab').waitFor()
  expect(await page.getByLabel('Your name').inputValue()).toBe('Typed but not saved')
  const tab = await page.context().newPage()
  await tab.goto('/sign-in')
  await tab.getByLabel('Email').fill(own.email)
  await tab.getByLabel('Password', { exact: true }).fill('correct horse')
  await tab.keyboard.press('Enter')
  await tab.waitForURL('**/dashboard')
  await page.getByRole('button', { name: 'Save your name' }).click()
  await page.getByText('Your name saved').waitFor()
  expect((await kith.withKey(await kith.given.key(own)).whoami({})).name).toBe('Typed but not saved')
})

test('when the server is unreachable, the page says so and retries', async () => {
  expectComplaint(/ERR_|Failed to load/)
  const page = await visit('/sign-in')
  await page.route('**/app/api/**', (route) => route.abort())
  await page.goto('/dashboard')
  const retry = page.getByRole('button', { name: /try again|retry/i })
  await retry.waitFor()
  await expectUsable(page)
  await page.unroute('**/app/api/**')
  await retry.click()
  await page.waitForURL('**/sign-in*')
})
