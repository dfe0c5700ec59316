import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { cell, people, place, row } from './grid.ts'

const { kith, ada, visit, expectComplaint } = await testWeb()

test('values of every type are edited in their cells by keyboard', async () => {
  const { owner, token, api } = await ada()
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
  await field('land', 'country')
  await field('lead', 'user')
  await field('customer', 'relation', { to_objects: ['organizations'] })
  await field('due', 'date')
  await field('meeting', 'datetime')
  await field('text', 'long_text')
  await api.createRecords({ object: 'organizations', records: [{ name: 'Globex' }] })
  const { records } = await api.createRecords({ object: 'projects', records: [{ name: 'Apollo' }] })
  const columns = 'title,size,price,urgency,labels,mails,site,ready,land,lead,customer,due,meeting,text'
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
  await page.keyboard.type('nethe')
  await page.getByRole('option', { name: 'Netherlands', exact: true }).waitFor()
  await page.keyboard.press('Tab')
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
      land: 'NL',
      due: '2026-06-15',
      meeting: '2026-06-16T14:30:00.000Z',
      text: 'One line\nand another',
    })
  await row(page, 'Globex').filter({ hasText: 'Grace Hopper' }).waitFor()
})

test('an invalid value is kept in the cell with the error, Escape discards it, and a change can be undone', async () => {
  expectComplaint(/409|422/)
  const { token, api } = await ada()
  const [, , third] = await people(api, { values: (n) => ({ emails: [`p${n}@example.com`], score: n }) })
  const page = await visit('/records/people', { token })
  await row(page, 'Person 002').waitFor()
  const score = await place(page, 'Score')
  await cell(page, 'Person 002', score).click()
  await page.keyboard.type('many')
  await page.keyboard.press('Enter')
  await page.getByText('Enter a number such as').waitFor()
  expect(await page.getByRole('textbox', { name: 'Score' }).inputValue()).toBe('many')
  await page.keyboard.press('Escape')
  await expect.poll(() => cell(page, 'Person 002', score).textContent()).toBe('2')

  await page.keyboard.type('77')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await api.getRecord({ object: 'people', id: third!.id })).score).toBe(77)
  expect(await page.getByRole('alert').count(), 'the change is before your eyes').toBe(0)
  await page.keyboard.press('Control+z')
  await page.getByText('Undone: Score of Person 002 changed.').waitFor()
  await expect.poll(() => cell(page, 'Person 002', score).textContent()).toBe('2')

  // Only the server knows that the address is taken: the cell shows the old value with what was typed marked.
  const emails = await place(page, 'Emails')
  await cell(page, 'Person 002', emails).click()
  await page.keyboard.press('F2')
  await page.keyboard.type('p0@example.com')
  await page.keyboard.press('Tab')
  const refused = cell(page, 'Person 002', emails)
  await refused.getByRole('img', { name: /Not saved: .*p0@example.com is already used/ }).waitFor()
  expect(await refused.textContent()).toContain('p0@example.com')
  await refused.click({ position: { x: 5, y: 5 } })
  await page.keyboard.press('Escape')
  await expect.poll(() => cell(page, 'Person 002', emails).textContent()).toBe('p2@example.com')
})

test('when someone else changed the same value, you choose between both', async () => {
  expectComplaint(/409/)
  const { token, api } = await ada()
  const [person] = await people(api, { count: 1, values: () => ({ city: 'Wien', job_title: 'CTO' }) })
  const page = await visit('/records/people', { token })
  const city = await place(page, 'City').catch(() => 0)
  await row(page, 'Person 000').waitFor()
  const theirs = { id: person!.id, values: { city: 'Paris' } }
  await api.updateRecords({ object: 'people', records: [theirs] })
  await cell(page, 'Person 000', city || (await place(page, 'City'))).click()
  await page.keyboard.type('Berlin')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: /changed this too$/ })
  await dialog.getByText('Paris').waitFor()
  await dialog.getByText('Berlin').waitFor()
  await expectUsable(page)
  await dialog.getByRole('button', { name: 'Save selected values' }).click()
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

test('offline, a banner says so, and edits are saved once the connection is back', async () => {
  expectComplaint(/ERR_INTERNET_DISCONNECTED|Failed to load|Unable to preload|could not be fetched/)
  const { token, api } = await ada()
  const [person] = await people(api, { count: 1, values: () => ({ city: 'Wien' }) })
  const page = await visit('/records/people', { token, isAlone: true })
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

  // What someone else saved meanwhile is never overwritten unasked.
  expectComplaint(/409/)
  await page.context().setOffline(true)
  await page.getByText('You are offline.').waitFor()
  await cell(page, 'Person 000', city).click()
  await page.keyboard.type('Oslo')
  await page.keyboard.press('Enter')
  await page.getByText('One change is kept here and not saved yet.').waitFor()
  await api.updateRecords({ object: 'people', records: [{ id: person!.id, values: { city: 'Rom' } }] })
  await page.context().setOffline(false)
  const question = page.getByRole('dialog').filter({ hasText: 'Rom' })
  await question.getByRole('button', { name: 'Save selected values' }).click()
  await expect.poll(async () => (await api.getRecord({ object: 'people', id: person!.id })).city).toBe('Oslo')

  // The network is there, the server is not: no event reports that it is back.
  expectComplaint(/ERR_FAILED/)
  const all = /\/app\/api\/|\/readyz/
  await page.route(all, (route) => route.abort())
  await cell(page, 'Person 000', city).click()
  await page.keyboard.type('Lima')
  await page.keyboard.press('Enter')
  await page.getByText('The server cannot be reached. One change is kept here').waitFor()
  await page.unroute(all)
  await expect.poll(async () => (await api.getRecord({ object: 'people', id: person!.id })).city).toBe('Lima')
  await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' })
})
