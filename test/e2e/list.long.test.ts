// Covers: web/screens/list web/client
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { activeCell, firstRow, grid, head, people, place, row } from './grid.ts'
import { goTo } from './navigate.ts'

const { kith, ada, visit, expectComplaint } = await testWeb()

test('new results fill the visible list, and two quick changes both apply', async () => {
  const { token, api } = await ada()
  await people(api, { count: 120, values: (n) => ({ city: n % 2 ? 'Berlin' : 'Wien' }) })
  const page = await visit('/records/people', { token })
  await row(page, 'Person 119').waitFor()
  await page.evaluate(() => {
    const press = (name: string) => {
      const buttons = [...document.querySelectorAll<HTMLElement>('button')]
      buttons.find((one) => one.ariaLabel === name || one.textContent === name)!.click()
    }
    press('City')
    press('Compact rows')
  })
  await page.waitForURL(/sort=city/)
  expect(page.url()).toContain('layout=compact')
  await firstRow(page).filter({ hasText: 'Berlin' }).waitFor()
  expect(await head(page, 'City').getAttribute('aria-sort')).toBe('ascending')
  const drawnTo = () =>
    grid(page).evaluate((box) => {
      const rows = [...box.querySelectorAll('[role="row"]')].map((one) => one.getBoundingClientRect().bottom)
      return Math.max(...rows) >= box.getBoundingClientRect().bottom
    })
  await expect.poll(drawnTo).toBe(true)
  // Scrolling by keyboard loads it a few rows at a time, but all of it.
  await page.getByRole('button', { name: 'Edit as text' }).click()
  await page.getByRole('textbox', { name: 'Filter', exact: true }).fill('city = Wien')
  await page.keyboard.press('Enter')
  await firstRow(page).filter({ hasText: 'Wien' }).waitFor()
  await expect.poll(drawnTo).toBe(true)
})

test('keys work before anything was clicked, letters edit the active cell, and Escape clears the selection', async () => {
  const { token, api } = await ada()
  await people(api, { count: 60 })
  const page = await visit('/records/people', { token })
  await row(page, 'Person 059').waitFor()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => activeCell(page)).toContain('Person 059')
  for (let step = 2; step < (await place(page, 'Job title')); step++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('c')
  expect(await page.getByRole('textbox', { name: 'Job title' }).inputValue()).toBe('c')
  await page.keyboard.press('Escape')
  await page.reload()
  await row(page, 'Person 059').waitFor()
  await page.keyboard.press('c')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('End')
  await expect.poll(() => activeCell(page)).toContain('Person 000')
  await grid(page).getByRole('checkbox', { name: 'Select all rows' }).click()
  const bar = page.getByRole('region', { name: 'Selection' })
  await bar.getByText('60 selected').waitFor()
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'hidden' })
})

test('columns are moved, pinned, resized and hidden by menu and by mouse', async () => {
  const { token, api } = await ada()
  await people(api)
  const page = await visit('/records/people?columns=title,emails,city,status', { token })
  await row(page, 'Person 002').waitFor()
  const order = () => grid(page).getByRole('columnheader').allTextContents()
  const choose = async (column: string, action: string) => {
    await page.keyboard.press('Alt+ArrowDown')
    await page
      .getByRole('menu', { name: `Column ${column}` })
      .getByRole('menuitem', { name: action })
      .click()
  }
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight')
  await choose('Status', 'Move left')
  await expect.poll(order).toEqual(['', 'Person', 'Emails', 'Status', 'City'])
  await page.keyboard.press('Control+Shift+ArrowLeft')
  await expect.poll(order).toEqual(['', 'Person', 'Status', 'Emails', 'City'])
  await choose('Status', 'Wider')
  await expect.poll(() => page.url()).toContain('status%3A144')
  await choose('Status', 'Pin')
  await expect.poll(order).toEqual(['', 'Status', 'Person', 'Emails', 'City'])

  const edge = async (name: string) => {
    const box = (await head(page, name).boundingBox())!
    return { x: box.x + box.width, y: box.y + box.height / 2 }
  }
  const pull = async (name: string, by: number) => {
    const { x, y } = await edge(name)
    await page.mouse.move(x - 2, y)
    await page.mouse.down()
    await page.mouse.move(x - 2 + by, y, { steps: 4 })
    await page.mouse.up()
  }
  await pull('City', 60)
  await expect.poll(() => page.url()).toContain('city%3A220')
  await pull('Emails', -100)
  await expect.poll(() => page.url()).toContain('emails%3A136')
  expect(await order()).toEqual(['', 'Status', 'Person', 'Emails', 'City'])
  const title = await edge('Person')
  await page.mouse.dblclick(title.x - 1, title.y)
  await expect.poll(() => page.url()).toMatch(/title%3A1[0-4]\d/)

  await head(page, 'City')
    .getByRole('button', { name: 'City', exact: true })
    .dragTo(head(page, 'Emails'), {
      targetPosition: { x: 10, y: 10 },
    })
  await expect.poll(order).toEqual(['', 'Status', 'Person', 'City', 'Emails'])
  await head(page, 'Emails').hover()
  await head(page, 'Emails').getByRole('button', { name: 'Column Emails' }).click()
  await page.getByRole('menuitem', { name: 'Hide' }).click()
  await expect.poll(order).toEqual(['', 'Status', 'Person', 'City'])
})

test('without live updates, a list shows what others did when one comes back to it', async () => {
  expectComplaint(/ERR_FAILED|EventSource/)
  const { token, api } = await ada()
  await people(api)
  const page = await visit('/filter-syntax', { token })
  await page.route(/\/app\/api\/live/, (route) => route.abort())
  await page.goto(new URL('/records/people', page.url()).href)
  await row(page, 'Person 002').waitFor()
  await api.createRecords({ object: 'people', records: [{ first_name: 'New', last_name: 'Comer' }] })
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await row(page, 'New Comer').waitFor()
})

test('a page that could not be loaded while scrolling says so, and Retry loads it', async () => {
  expectComplaint(/ERR_FAILED|400/)
  const { token, api } = await ada()
  await people(api, { count: 350 })
  const page = await visit('/filter-syntax', { token })
  const later = /\/records\/people\?.*cursor=/
  await page.route(later, (route) => route.fulfill({ status: 400, json: { status: 400, detail: 'Not now.' } }))
  await page.goto(new URL('/records/people', page.url()).href)
  await row(page, 'Person 349').waitFor()
  await grid(page).evaluate((box) => box.scrollTo(0, box.scrollHeight))
  await grid(page).getByRole('alert').getByText('More rows could not be loaded. Not now.').waitFor()
  await expectUsable(page)
  await page.unroute(later)
  await grid(page).getByRole('button', { name: 'Retry' }).click()
  await row(page, 'Person 249').waitFor()
  expect(await row(page, 'Person 250').count()).toBe(1)
  expect(await grid(page).getByRole('alert').count()).toBe(0)
})

test('the grid and its empty states are usable in both color schemes, and read-only', async () => {
  const { owner, token, api } = await ada()
  const page = await visit('/records/people', { token, colorScheme: 'dark' })
  await page.getByText('No people yet').waitFor()
  await people(api, { count: 20, values: (n) => ({ status: 'active', score: n, emails: [`p${n}@example.com`] }) })
  await page.reload()
  await row(page, 'Person 019').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press(' ')
  await expectUsable(page)
  await goTo(page, '/records/people?filter=score+%3E+100')
  await page.getByText('No people match').waitFor()
  await goTo(page, '/records/people?sort=nothing')
  expectComplaint(/422|400/)
  await page.getByText('This list cannot be shown').waitFor()
  await goTo(page, '/records/unicorns')
  await page.getByText('This kind of record does not exist').waitFor()

  const rights = { '*': { read: 'all', create: false, edit: 'none', delete: 'none' } } as const
  await api.createRole({ name: 'Reader', grants: [], records: rights } as never)
  const reader = await kith.given.user(owner, { role: 'Reader' })
  const hers = await visit('/records/people', { token: await kith.given.session(reader) })
  await row(hers, 'Person 019').waitFor()
  await hers.keyboard.press('ArrowDown')
  await hers.keyboard.press('ArrowRight')
  await hers.keyboard.press('F2')
  expect(await grid(hers).getByRole('textbox').count()).toBe(0)
  expect(await hers.getByRole('button', { name: 'New person' }).count()).toBe(0)
})

test('a view is shared with one member, who finds it among their views', async () => {
  const { owner, token, api } = await ada()
  await people(api, { count: 2, values: (n) => ({ city: n % 2 ? 'Oslo' : 'Rom' }) })
  const { id } = await api.createView({ object: 'people', name: 'People of Oslo', filter: 'city = Oslo' })
  const mia = await kith.given.user(owner, { name: 'Mia Member' })
  const page = await visit(`/records/people?view=${id}`, { token })
  await page.getByRole('button', { name: 'Actions for People of Oslo' }).click()
  await page.getByRole('menuitem', { name: 'Share with members' }).click()
  await page.getByRole('combobox', { name: 'Add member' }).click()
  await page.getByRole('option', { name: 'Mia Member' }).click()
  await page.getByRole('button', { name: 'Remove Mia Member' }).waitFor()
  await expectUsable(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('Shared with 1 member.').waitFor()
  expect((await api.listViews({ object: 'people' })).items[0]!.shared_with).toEqual([mia.user_id])
  const hers = await visit('/records/people', { token: await kith.given.session(mia) })
  await hers.getByRole('link', { name: 'People of Oslo' }).click()
  await row(hers, 'Person 001').waitFor()
  await row(hers, 'Person 000').waitFor({ state: 'detached' })
})
