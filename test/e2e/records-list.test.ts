import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { liveMessagesOf } from '../../server/jobs.ts'
import { createDispatcher } from '../../server/kernel/outbox.ts'
import { type Api, testApp } from '../app.ts'
import { expectUsable, testBrowser } from '../browser.ts'
import { phone } from '../chromium.ts'

const kith = await testApp()
kith.time.now = new Date()
const { visit: open, expectComplaint } = await testBrowser(kith)

/** What does not come soon does not come: the line that waited is told. */
async function visit(...given: Parameters<typeof open>) {
  const page = await open(...given)
  page.setDefaultTimeout(10_000)
  return page
}

async function company() {
  const owner = await kith.given.company({ name: 'Acme Industries', adminName: 'Ada Lovelace' })
  const token = await kith.given.session(owner)
  return { owner, token, api: kith.withSession(token) }
}

type People = { count?: number; values?: (n: number) => Record<string, unknown> }

/** Person 0 is the oldest, so it stands last where nothing else is said. */
async function people(api: Api, { count = 3, values = () => ({}) }: People = {}) {
  const made: { id: string; version: number }[] = []
  for (let from = 0; from < count; from += 100) {
    const some = Array.from({ length: Math.min(100, count - from) }, (_, i) => from + i)
    const records = some.map((n) => ({ first_name: 'Person', last_name: String(n).padStart(3, '0'), ...values(n) }))
    made.push(...(await api.createRecords({ object: 'people', records })).records)
  }
  return made
}

const grid = (page: Page) => page.getByRole('grid')
const row = (page: Page, name: string) => grid(page).getByRole('row').filter({ hasText: name })
const cell = (page: Page, name: string, column: number) => row(page, name).locator(`[aria-colindex="${column}"]`)
const firstRow = (page: Page) => grid(page).locator('[aria-rowindex="2"]')
const head = (page: Page, name: string) => grid(page).getByRole('columnheader', { name })
const matches = (page: Page) => page.getByText(/records? match/).locator('..')
const activeCell = (page: Page) =>
  page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-activedescendant')
    return id ? (document.getElementById(id)?.textContent ?? null) : null
  })
/** The number of the column, as the grid counts. */
const place = async (page: Page, name: string) => Number(await head(page, name).getAttribute('aria-colindex'))

test('the address holds sort, filter and columns, so that a link shows the same list', async () => {
  const { token, api } = await company()
  await people(api, { count: 6, values: (n) => ({ city: n % 2 ? 'Berlin' : 'Wien', score: n * 10 }) })
  const page = await visit('/records', { token })
  await page.waitForURL('**/records/people')
  await row(page, 'Person 005').waitFor()
  expect(await matches(page).textContent()).toContain('6')
  await head(page, 'City').getByRole('button', { name: 'City', exact: true }).click()
  await head(page, 'Score')
    .getByRole('button', { name: 'Score', exact: true })
    .click({ modifiers: ['Shift'] })
  await head(page, 'Score')
    .getByRole('button', { name: /^Score/ })
    .first()
    .click({ modifiers: ['Shift'] })
  await firstRow(page).filter({ hasText: 'Person 005' }).waitFor()
  expect(await head(page, 'Score').getAttribute('aria-sort')).toBe('descending')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Phones' }).uncheck()
  await page.keyboard.press('Escape')
  await head(page, 'Phones').waitFor({ state: 'detached' })

  const link = new URL(page.url())
  link.searchParams.set('filter', 'city = Wien')
  const other = await visit(link.pathname + link.search, { token })
  await firstRow(other).filter({ hasText: 'Person 004' }).waitFor()
  expect(await matches(other).textContent()).toContain('3')
  expect(await head(other, 'Phones').count()).toBe(0)
  expect(await head(other, 'Score').getAttribute('aria-sort')).toBe('descending')
  await other.goBack()
})

test('a list of hundreds is fetched as one scrolls, End jumps to its end and Home back', async () => {
  const { token, api } = await company()
  await people(api, { count: 450, values: (n) => (n < 300 ? { score: n } : {}) })
  const page = await visit('/records/people?sort=score', { token })
  await firstRow(page).filter({ hasText: 'Person 000' }).waitFor()
  await grid(page).focus()
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/records/people?') && asked.push(request.url()))
  await page.keyboard.press('End')
  // Those without a score come last, the newest of them first.
  const last = grid(page).locator('[aria-rowindex="451"]')
  await last.filter({ hasText: 'Person 300' }).waitFor()
  expect(asked.filter((url) => url.includes('backwards=true')).length).toBeLessThanOrEqual(3)
  expect(await activeCell(page)).toContain('Person 300')
  // Upwards from the end: every row once, in order, up to the first.
  for (let step = 0; step < 80 && !(await row(page, 'Person 000').count()); step++) await page.keyboard.press('PageUp')
  await row(page, 'Person 000').waitFor()
  await page.keyboard.press('Home')
  await expect.poll(() => activeCell(page)).toContain('Person 000')
  expect(await grid(page).evaluate((box) => box.scrollTop)).toBe(0)
  for (let step = 0; step < 6; step++) await page.keyboard.press('PageDown')
  expect(await activeCell(page)).toMatch(/Person 1\d\d/)
})

test('values of every type are edited in their cells by keyboard', async () => {
  const { owner, token, api } = await company()
  await kith.given.user(owner, { name: 'Grace Hopper' })
  await api.createObject({ key: 'projects', label: 'Project', label_plural: 'Projects' })
  const options = [{ label: 'Low' }, { label: 'High', color: 'red' as const }]
  const field = (key: string, type: string, more = {}) =>
    api.createField({ object: 'projects', key, label: `The ${key}`, type, ...more } as never)
  await field('size', 'number')
  await field('price', 'money')
  await field('urgency', 'select', { options })
  await field('labels', 'multi_select', { options })
  await field('mails', 'email', { is_multi: true })
  await field('site', 'url')
  await field('ready', 'boolean')
  await field('lead', 'user')
  await field('customer', 'relation', { to_objects: ['organizations'] })
  await field('due', 'date')
  await field('meeting', 'datetime')
  await field('text', 'long_text')
  await api.createRecords({ object: 'organizations', records: [{ name: 'Globex' }] })
  const { records } = await api.createRecords({ object: 'projects', records: [{ name: 'Apollo' }] })
  const columns = 'title,size,price,urgency,labels,mails,site,ready,lead,customer,due,meeting,text'
  const page = await visit(`/records/projects?columns=${columns}`, { token })
  await row(page, 'Apollo').waitFor()
  await page.keyboard.press('ArrowDown')

  await page.keyboard.press('F2')
  await page.keyboard.type('Apollo 11')
  await page.keyboard.press('Tab')
  await page.keyboard.type('12,5')
  await page.keyboard.press('Tab')
  await page.keyboard.type('1,250.75')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'High' }).waitFor()
  await page.keyboard.type('hi')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Low' }).click()
  await page.getByRole('option', { name: 'High' }).click()
  await page.keyboard.press('Tab')
  await page.keyboard.type('a@example.com')
  await page.keyboard.press('Enter')
  await page.keyboard.type('b@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.type('example.org')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter') // ready
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('gra')
  await page.getByRole('option', { name: 'Grace Hopper' }).click()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('glo')
  await page.getByRole('option', { name: 'Globex' }).click()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'The due' }).fill('2026-06-15')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('2026-06-16 2:30 pm')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.keyboard.type('One line')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('and another')
  await page.keyboard.press('Enter')
  await page.getByText('The text of Apollo 11 changed.').waitFor()

  const id = records[0]!.id
  await expect
    .poll(() => api.getRecord({ object: 'projects', id }))
    .toMatchObject({
      name: 'Apollo 11',
      size: 12.5,
      price: { amount: '1250.75', currency: 'USD' },
      urgency: 'high',
      labels: ['low', 'high'],
      mails: ['a@example.com', 'b@example.com'],
      site: 'https://example.org',
      ready: true,
      due: '2026-06-15',
      meeting: '2026-06-16T14:30:00.000Z',
      text: 'One line\nand another',
    })
  await row(page, 'Globex').filter({ hasText: 'Grace Hopper' }).waitFor()
})

test('what does not fit is said in the cell and kept, Escape gives it up, and a change can be undone', async () => {
  expectComplaint(/409|422/)
  const { token, api } = await company()
  const [, , third] = await people(api, { values: (n) => ({ emails: [`p${n}@example.com`], score: n }) })
  const page = await visit('/records/people', { token })
  await row(page, 'Person 002').waitFor()
  const score = await place(page, 'Score')
  await cell(page, 'Person 002', score).click()
  await page.keyboard.type('many')
  await page.keyboard.press('Enter')
  await page.getByText('This must be a number').waitFor()
  expect(await page.getByRole('textbox', { name: 'Score' }).inputValue()).toBe('many')
  await page.keyboard.press('Escape')
  await expect.poll(() => cell(page, 'Person 002', score).textContent()).toBe('2')

  await page.keyboard.type('77')
  await page.keyboard.press('Enter')
  const toast = page.getByText('Score of Person 002 changed.').locator('..')
  await expect.poll(async () => (await api.getRecord({ object: 'people', id: third!.id })).score).toBe(77)
  await toast.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  await expect.poll(() => cell(page, 'Person 002', score).textContent()).toBe('2')

  // Only the server knows that the address is taken: the cell shows the old value with what was typed marked.
  const emails = await place(page, 'Emails')
  await cell(page, 'Person 002', emails).click()
  await page.keyboard.press('F2')
  await page.keyboard.type('p0@example.com')
  await page.keyboard.press('Tab')
  const refused = cell(page, 'Person 002', emails)
  await refused.getByRole('img', { name: /Not saved: .*p0@example.com is taken/ }).waitFor()
  expect(await refused.textContent()).toContain('p0@example.com')
  await refused.click({ position: { x: 5, y: 5 } })
  await page.keyboard.press('Escape')
  await expect.poll(() => cell(page, 'Person 002', emails).textContent()).toBe('p2@example.com')
})

test('what is typed or pasted is read as it was meant or refused, and opening a cell selects what stands there', async () => {
  const { owner, token, api } = await company()
  await kith.given.user(owner, { name: 'Pia Berg' })
  await api.createObject({ key: 'projects', label: 'Project', label_plural: 'Projects' })
  const field = (key: string, type: string, more = {}) =>
    api.createField({ object: 'projects', key, label: `The ${key}`, type, ...more } as never)
  await field('due', 'date')
  await field('lead', 'user')
  await field('urgency', 'select', { options: [{ label: 'Very high' }] })
  await field('size', 'number')
  await field('price', 'money')
  const { records } = await api.createRecords({
    object: 'projects',
    records: [{ name: 'Apollo', due: '2026-06-15', lead: owner.user_id }],
  })
  const saved = () => api.getRecord({ object: 'projects', id: records[0]!.id })
  const page = await visit('/records/projects?columns=title,due,lead,urgency,size,price', { token })
  const due = cell(page, 'Apollo', 3)
  const input = page.getByRole('textbox', { name: 'The due' })
  await due.click()
  await page.keyboard.press('Enter')
  await input.waitFor()
  await page.keyboard.type('Feb 3, 1980')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await saved()).due).toBe('1980-02-03')
  for (const wrong of ['hello', '1980-02-30', '3.2.1980']) {
    await due.click()
    await page.keyboard.press('F2')
    await input.waitFor()
    await page.keyboard.type(wrong)
    await page.keyboard.press('Enter')
    await page.getByText('Enter a date such as Feb 3, 1980').waitFor()
    expect(await input.inputValue()).toBe(wrong)
    await page.keyboard.press('Escape')
  }
  expect((await saved()).due).toBe('1980-02-03')

  await cell(page, 'Apollo', 4).dblclick()
  const lead = page.getByRole('combobox', { name: 'The lead' })
  await expect.poll(() => lead.inputValue()).toBe('Ada Lovelace')
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe('Ada Lovelace')
  await page.keyboard.type('pia')
  await page.getByRole('option', { name: 'Pia Berg' }).click()
  await row(page, 'Pia Berg').waitFor()

  const paste = async (column: number, text: string) => {
    await cell(page, 'Apollo', column).click()
    await grid(page).evaluate((box, given) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', given)
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, text)
  }
  // Copied from elsewhere, as if it had been typed and entered.
  await paste(3, 'Feb 4, 1980')
  await paste(4, 'ada lovelace')
  await row(page, 'Ada Lovelace').waitFor()
  await paste(5, 'very high')
  await paste(6, '1,250')
  await paste(7, '€1,250.00')
  await expect
    .poll(() => api.getRecord({ object: 'projects', id: records[0]!.id }))
    .toMatchObject({
      due: '1980-02-04',
      urgency: 'very_high',
      size: 1250,
      price: { amount: '1250.00', currency: 'EUR' },
    })
  await paste(5, 'blue')
  await page.getByText('“blue” is no option of The urgency').waitFor()
  await paste(3, 'someday')
  await page.getByText('Enter a date such as').waitFor()
  expect(await page.getByRole('textbox', { name: 'The due' }).inputValue()).toBe('someday')
  await page.keyboard.press('Escape')
})

test('a click on an address goes to its cell, a double click edits it, and a wrong one is no value', async () => {
  const { token, api } = await company()
  const [person] = await people(api, { count: 1, values: () => ({ emails: ['a@example.com'], phones: ['+4312345'] }) })
  const page = await visit('/records/people', { token })
  await page.getByText('a@example.com').dblclick()
  const input = page
    .getByRole('combobox', { name: 'Emails' })
    .or(page.getByRole('textbox', { name: 'Emails' }))
    .first()
  await input.waitFor()
  await page.keyboard.type('nobody')
  await page.keyboard.press('Enter')
  await page.getByText('Enter an e-mail address such as').waitFor()
  expect(await input.inputValue()).toBe('nobody')
  await page.keyboard.type('@example.com')
  await page.keyboard.press('Tab')
  await expect
    .poll(async () => (await api.getRecord({ object: 'people', id: person!.id })).emails)
    .toEqual(['a@example.com', 'nobody@example.com'])
})

test('End works before anything was clicked, and Escape takes away what the box of the headings marked', async () => {
  const { token, api } = await company()
  await people(api, { count: 60 })
  const page = await visit('/records/people', { token })
  await row(page, 'Person 059').waitFor()
  await page.keyboard.press('End')
  await expect.poll(() => activeCell(page)).toContain('Person 000')
  await grid(page).getByRole('checkbox', { name: 'Select all rows' }).click()
  const bar = page.getByRole('region', { name: 'Selection' })
  await bar.getByText('60 selected').waitFor()
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'hidden' })
})

test('when somebody else changed the same value, both are shown and one is chosen', async () => {
  expectComplaint(/409/)
  const { token, api } = await company()
  const [person] = await people(api, { count: 1, values: () => ({ city: 'Wien', job_title: 'CTO' }) })
  const page = await visit('/records/people', { token })
  const city = await place(page, 'City').catch(() => 0)
  await row(page, 'Person 000').waitFor()
  const theirs = { id: person!.id, values: { city: 'Paris' } }
  await api.updateRecords({ object: 'people', records: [theirs] })
  await cell(page, 'Person 000', city || (await place(page, 'City'))).click()
  await page.keyboard.type('Berlin')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Somebody changed this meanwhile' })
  await dialog.getByText('Paris').waitFor()
  await dialog.getByText('Berlin').waitFor()
  await expectUsable(page)
  await dialog.getByRole('button', { name: 'Save what is chosen' }).click()
  await expect.poll(async () => (await api.getRecord({ object: 'people', id: person!.id })).city).toBe('Berlin')

  // A change of another field is no contradiction.
  await api.updateRecords({ object: 'people', records: [{ id: person!.id, values: { job_title: 'CEO' } }] })
  await cell(page, 'Person 000', await place(page, 'City')).click()
  await page.keyboard.type('Rom')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => api.getRecord({ object: 'people', id: person!.id }))
    .toMatchObject({ city: 'Rom', job_title: 'CEO' })
  expect(await dialog.count()).toBe(0)
})

test('several are marked, changed and deleted together, and brought back by one click', async () => {
  const { token, api } = await company()
  await people(api, { count: 130 })
  const page = await visit('/records/people', { token })
  await row(page, 'Person 129').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press(' ')
  await row(page, 'Person 126')
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] })
  const bar = page.getByRole('region', { name: 'Selection' })
  await bar.getByText('4 selected').waitFor()
  await bar.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Field' }).fill('cit')
  await page.getByRole('option', { name: 'City' }).waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByRole('textbox', { name: 'New value' }).fill('Oslo')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const said = page.getByRole('alert').filter({ hasText: '4 people changed.' })
  await said.waitFor()
  const [toastBox, barBox] = await Promise.all([said.boundingBox(), bar.boundingBox()])
  expect(toastBox!.y + toastBox!.height, 'the notice stands above the bar').toBeLessThanOrEqual(barBox!.y)
  await row(page, 'Person 126').filter({ hasText: 'Oslo' }).waitFor()

  await grid(page).focus()
  await page.keyboard.press('Control+a')
  await bar
    .getByRole('button', { name: /Select all/ })
    .or(bar.getByText('130 selected'))
    .first()
    .waitFor()
  if (await bar.getByRole('button', { name: /Select all/ }).count())
    await bar.getByRole('button', { name: /Select all/ }).click()
  await bar.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  const toast = page.getByText('130 people moved to the trash.').locator('..')
  await toast.waitFor()
  await page.getByText('No people yet').waitFor()
  await toast.getByRole('button', { name: 'Undo' }).click()
  await row(page, 'Person 129').waitFor()
  expect(await api.countRecords({ object: 'people' })).toMatchObject({ count: 130 })
})

test('columns are moved, pinned, made wider and hidden by menu and by mouse', async () => {
  const { token, api } = await company()
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
  await expect.poll(() => page.url()).toContain('status%3A180')
  await choose('Status', 'Pin')
  await expect.poll(order).toEqual(['', 'Status', 'Person', 'Emails', 'City'])

  const edge = async (name: string) => {
    const box = (await head(page, name).boundingBox())!
    return { x: box.x + box.width, y: box.y + box.height / 2 }
  }
  const { x, y } = await edge('City')
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 60, y, { steps: 4 })
  await page.mouse.up()
  await expect.poll(() => page.url()).toContain('city%3A220')

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

test('a view keeps filter, sort and columns, for oneself or for all', async () => {
  const { owner, token, api } = await company()
  await people(api, { count: 4, values: (n) => ({ city: n % 2 ? 'Oslo' : 'Rom' }) })
  const page = await visit('/records/people?filter=city+%3D+Oslo&sort=last_name', { token })
  await firstRow(page).filter({ hasText: 'Person 001' }).waitFor()
  await page.getByRole('button', { name: 'Save as view' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await dialog.getByText('Enter a name').waitFor()
  await dialog.getByLabel('Name').fill('People of Oslo')
  await dialog.getByRole('switch', { name: 'Share with the company' }).click()
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await page.waitForURL(/view=/)
  await page.getByRole('link', { name: 'People of Oslo' }).waitFor()

  const member = await kith.given.user(owner, { name: 'Mia Member' })
  const hers = await visit('/records/people', { token: await kith.given.session(member) })
  await row(hers, 'Person 000').waitFor()
  await hers.getByRole('link', { name: 'People of Oslo' }).click()
  await row(hers, 'Person 000').waitFor({ state: 'detached' })
  await firstRow(hers).filter({ hasText: 'Person 001' }).waitFor()
  expect(await hers.getByRole('button', { name: 'Actions for People of Oslo' }).count()).toBe(0)
  const personal = await api.createView({ object: 'people', name: 'Mine', filter: 'city = Oslo' } as never)
  await hers.goto(hers.url().replace(/view=.*/, `view=${personal.id}`))
  await hers.getByText('This view is not shared with you. You see all people.').waitFor()
  await hers.waitForURL((url) => !url.search.includes('view='))

  await head(page, 'City').getByRole('button', { name: 'City', exact: true }).click()
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('menuitem', { name: /Save to/ }).click()
  await page.getByText('View saved.').waitFor()
  await page.getByRole('button', { name: 'Actions for People of Oslo' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click()
  await page.waitForURL((url) => !url.search.includes('view='))
  await row(page, 'Person 000').waitFor()
})

test('what others do appears by itself and leaves what one looks at where it is', async () => {
  const { token, api } = await company()
  await people(api, { count: 150 })
  const log = { error() {} } as never
  const dispatcher = createDispatcher(kith.db, {}, async () => {}, liveMessagesOf, log)
  await dispatcher.wake()
  const opened = new Promise<void>((done) => setTimeout(done, 0))
  const page = await visit('/records/people', { token })
  await opened
  await row(page, 'Person 149').waitFor()
  await grid(page).evaluate((box) => box.scrollTo(0, 2000))
  await row(page, 'Person 098').waitFor()
  const top = () => row(page, 'Person 098').evaluate((one) => one.getBoundingClientRect().top)
  const before = await top()
  await page.waitForTimeout(300)
  await api.createRecords({ object: 'people', records: [{ first_name: 'New', last_name: 'Comer' }] })
  await dispatcher.wake()
  await expect.poll(() => matches(page).textContent()).toContain('151')
  await page.waitForTimeout(500)
  expect(Math.abs((await top()) - before)).toBeLessThan(2)
  await grid(page).focus()
  await page.keyboard.press('Home')
  await row(page, 'New Comer').waitFor()
  await dispatcher.stop()
})

test('without a connection a banner says so, and what was entered is saved when it is back', async () => {
  expectComplaint(/ERR_INTERNET_DISCONNECTED|Failed to load|Unable to preload|could not be fetched/)
  const { token, api } = await company()
  const [person] = await people(api, { count: 1, values: () => ({ city: 'Wien' }) })
  const page = await visit('/records/people', { token })
  await row(page, 'Person 000').waitFor()
  const city = await place(page, 'City')
  await page.context().setOffline(true)
  await page.getByText('You are offline.').waitFor()
  await cell(page, 'Person 000', city).click()
  await page.keyboard.type('Tokyo')
  await page.keyboard.press('Enter')
  await page.getByText('One change is kept here and not saved yet.').waitFor()
  expect(await cell(page, 'Person 000', city).textContent()).toContain('Tokyo')
  await page.context().setOffline(false)
  await expect.poll(async () => (await api.getRecord({ object: 'people', id: person!.id })).city).toBe('Tokyo')
  await page.getByText('You are offline.').waitFor({ state: 'detached' })
})

test('the grid and its empty states can be used in both schemes, and by those who may only read', async () => {
  const { owner, token, api } = await company()
  const page = await visit('/records/people', { token, colorScheme: 'dark' })
  await page.getByText('No people yet').waitFor()
  await people(api, { count: 20, values: (n) => ({ status: 'active', score: n, emails: [`p${n}@example.com`] }) })
  await page.reload()
  await row(page, 'Person 019').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press(' ')
  await expectUsable(page)
  await page.goto('/records/people?filter=score+%3E+100')
  await page.getByText('No people match').waitFor()
  await page.goto('/records/people?sort=nothing')
  expectComplaint(/422|400/)
  await page.getByText('This list cannot be shown as asked').waitFor()
  await page.goto('/records/unicorns')
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

test('on a phone the records are cards, to be found, marked and opened', async () => {
  const { token, api } = await company()
  await people(api, { count: 120, values: (n) => ({ city: n % 2 ? 'Oslo' : 'Rom', emails: [`p${n}@example.com`] }) })
  const page = await visit('/records/people', { token, viewport: phone })
  const cards = page.getByRole('list', { name: 'People' })
  await cards.getByRole('link', { name: 'Person 119' }).waitFor()
  expect(await grid(page).count()).toBe(0)
  await cards.getByRole('checkbox', { name: 'Select Person 118' }).check()
  await page.getByText('1 selected').waitFor()
  await expectUsable(page)
  await page.getByRole('button', { name: 'Sort' }).click()
  await page.getByRole('button', { name: 'Add a field' }).click()
  await page.keyboard.press('Escape')
  await cards.getByRole('link', { name: 'Person 000' }).click()
  await page.waitForURL(/\/records\/people\/[0-9a-f-]{36}/)
})
