// Covers: web/client web/history web/records web/screens/activity web/screens/profile web/screens/request-inspector
// Mistakes that reviews found and that are fixed: each test fails if one comes back.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { testWeb } from '../browser.ts'
import { matches, row } from './grid.ts'
import { goTo } from './navigate.ts'
import { create, dialog, heading } from './record-page.ts'
import { shown } from './sidebar-page.ts'

const { kith, ada, at, visit, expectComplaint } = await testWeb()

/** As behind a proxy that lets no event stream through. */
async function withoutLiveUpdates(page: Page) {
  expectComplaint(/ERR_FAILED|EventSource/)
  await page.route('**/app/api/live?*', (route) => route.abort())
  await page.reload()
}

test('an undo in Agent activity shows in a list that was open before, without live updates', async () => {
  const { token, api } = await ada()
  const { value } = await api.createApiKey({ name: 'Nightly run' })
  const agent = kith.withKey(value)
  const { id } = await create(api, 'people', { first_name: 'Grace', score: 10 })
  await agent.updateRecords({ object: 'people', records: [{ id, values: { score: 20 } }] })
  const page = await visit('/records/people?columns=title,score', { token })
  await withoutLiveUpdates(page)
  await row(page, 'Grace').getByText('20').waitFor()
  await page.getByRole('link', { name: 'Agent activity' }).click()
  const change = page.getByRole('listitem').filter({ hasText: 'Changed person Grace' })
  await change.getByRole('button', { name: /^Undo/ }).click()
  await page.getByText('1 record reverted').waitFor()
  await page.goBack()
  await row(page, 'Grace').getByText('10').waitFor()
})

test('the request inspector says how long requests are kept, as the company chose', async () => {
  const { token, api } = await ada()
  await api.updateRetentionSettings({ request_days: 3 })
  const page = await visit('/_profiler/', { token })
  await page.getByRole('textbox').first().fill('01890000-0000-7000-8000-000000000000')
  await page.getByText('Requests are kept for 3 days.').waitFor()
})

test('a choice that is refused takes back only itself', async () => {
  const { page, api } = await at('/profile')
  const language = page.getByRole('combobox', { name: 'Language' })
  const zone = page.getByRole('combobox', { name: 'Time zone' })
  const before = await zone.inputValue()
  let refuse = () => {}
  const held = new Promise<void>((resolve) => {
    refuse = resolve
  })
  expectComplaint(/503/)
  await page.route('**/app/api/me', async (route) => {
    if (!route.request().postData()?.includes('time_zone')) return route.continue()
    await held
    await route.fulfill({
      status: 503,
      json: { type: 'about:blank', title: 'Busy', status: 503, detail: 'Busy', code: 'unavailable' },
    })
  })
  await zone.fill('tokyo')
  await page.getByRole('option', { name: /Asia\/Tokyo/ }).click()
  await language.click()
  await page.getByRole('option', { name: 'German (Austria)' }).click()
  await expect.poll(async () => (await api.whoami({})).language).toBe('de-AT')
  refuse()
  await page.getByText('Your choice was not saved').waitFor()
  expect(await zone.inputValue()).toBe(before)
  expect(await language.inputValue()).toContain('German (Austria)')
})

test('a user outside the first hundred is named in filters and in the audit log', async () => {
  const { token, owner, api } = await ada()
  const pia = await kith.given.user(owner, { name: 'Pia Berg' })
  await api.updateUserRole({ id: pia.user_id, role: 'Admin' })
  const page = await visit('/dashboard', { token })
  await page.route(/\/app\/api\/users\?/, (route) => route.fulfill({ json: { items: [], next_cursor: null } }))
  await page.goto(`/activity?by=${pia.user_id}`)
  await expect.poll(() => page.getByRole('combobox', { name: 'Acting as' }).inputValue()).toBe('Pia Berg')
  await page.goto('/company/audit-log')
  await page.getByText("Ada Lovelace changed Pia Berg's role from Member to Admin").waitFor()
})

test('Agent activity keeps what it shows while the answer to another filter is on its way', async () => {
  const { token, api } = await ada()
  const { value } = await api.createApiKey({ name: 'Nightly run' })
  await kith.withKey(value).createRecords({ object: 'people', records: [{ first_name: 'Grace' }] })
  const page = await visit('/activity', { token })
  await page.getByRole('article').waitFor()
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let asked = 0
  await page.route(/\/app\/api\/changes\?.*client=/, async (route) => {
    asked++
    await held
    await route.continue()
  })
  await page.getByLabel('Client').fill('nobody')
  await expect.poll(() => asked).toBeGreaterThan(0)
  expect(await page.getByRole('article').count(), 'still there').toBe(1)
  release()
  await page.getByText('No matches').waitFor()
})

test('the word between two conditions explains itself to the keyboard, and the count is announced after Enter only', async () => {
  const { token, api } = await ada()
  await create(api, 'people', { first_name: 'Grace', score: 10 })
  const filter = encodeURIComponent('score > 5 and first_name = Grace')
  const page = await visit(`/records/people?filter=${filter}`, { token, isAlone: true })
  await heading(page, 'People').waitFor()
  await page.clock.install()
  const joiner = page.getByRole('button', { name: 'and', exact: true })
  await joiner.focus()
  await page
    .getByRole('tooltip', { name: 'All conditions must match' })
    .or(page.getByText('All conditions must match. Switch to or'))
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Edit as text' }).click()
  expect(await matches(page).textContent()).toMatch(/^1 /)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('score > 50')
  // Longer than any pause after which something was asked while typing.
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/records/') && asked.push(request.url()))
  await page.clock.runFor(5000)
  // What the page asked for before this is known after it.
  await page.evaluate(() => fetch('/livez'))
  expect(asked).toEqual([])
  expect(await matches(page).textContent()).toMatch(/^1 /)
  await page.keyboard.press('Enter')
  await expect.poll(() => matches(page).textContent()).toMatch(/^0 /)
})

test('what cannot be saved goes back to where it was, also while nothing can be loaded again', async () => {
  const { token, api } = await ada()
  await create(api, 'people', { first_name: 'Grace' })
  const page = await visit('/records/people', { token })
  expectComplaint(/ERR_FAILED/)
  const calls = /\/app\/api\/(?!live)/
  const lose = () => page.route(calls, (route) => route.abort())
  await row(page, 'Grace').getByRole('link', { name: 'Grace' }).click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await lose()
  await page.getByRole('menuitem', { name: 'Move to the trash' }).click()
  await page.getByText('Nothing was deleted').waitFor()
  await row(page, 'Grace').waitFor()

  await page.unroute(calls)
  const before = await shown(page)
  await page.getByRole('button', { name: 'Sidebar options' }).click()
  await page.getByRole('menuitem', { name: 'Customize sidebar' }).click()
  await lose()
  await dialog(page).getByRole('button', { name: 'Move People' }).press('ArrowUp')
  await page.getByText('The sidebar could not be saved').waitFor()
  expect(await shown(page)).toEqual(before)
  await dialog(page).getByRole('button', { name: 'Done' }).click()

  await page.unroute(calls)
  await goTo(page, '/company/objects')
  const objects = page.getByRole('list', { name: 'Objects', exact: true }).last().getByRole('link')
  const second = page.getByRole('button', { name: 'Move Organizations' })
  await second.waitFor()
  const order = await objects.allInnerTexts()
  await lose()
  await second.press('ArrowUp')
  await page.getByText('The order could not be saved').waitFor()
  expect(await objects.allInnerTexts()).toEqual(order)

  await page.unroute(calls)
  await goTo(page, '/profile/notifications')
  const choice = page.getByRole('table', { name: 'Notifications' }).getByRole('checkbox').first()
  const isChecked = await choice.isChecked()
  await lose()
  await choice.click()
  await page.getByText('Your choice was not saved').waitFor()
  expect(await choice.isChecked()).toBe(isChecked)
})
