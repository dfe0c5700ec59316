// Covers: web/screens/list web/records
import { expect, test } from 'vitest'
import { createDispatcher } from '../../server/kernel/outbox.ts'
import { liveMessagesOf } from '../../server/live-messages.ts'
import { isListening, testWeb } from '../browser.ts'
import { cell, people, place, row } from './grid.ts'

const { kith, ada, visit, expectComplaint } = await testWeb()

test('typed or pasted text is interpreted correctly or refused, and opening a cell selects its content', async () => {
  const { owner, token, api } = await ada()
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
    await page.getByText('Enter a date such as').waitFor()
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

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const paste = async (column: number, text: string) => {
    await page.evaluate((given) => navigator.clipboard.writeText(given), text)
    await cell(page, 'Apollo', column).click()
    await page.keyboard.press('Control+v')
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
  await page.getByText('“blue” is not an option of The urgency').waitFor()
  await paste(3, 'someday')
  const error = page.getByText('Enter a date such as')
  await error.waitFor()
  expect(await error.evaluate(lines), 'an error in a cell is no column of words').toBeLessThanOrEqual(2)
  expect(await page.getByRole('textbox', { name: 'The due' }).inputValue()).toBe('someday')
  await page.keyboard.press('Escape')
})

const lines = (text: Element) => Math.round(text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight))

test('a click on an address selects its cell, a double click edits it, and an invalid one is refused', async () => {
  const { token, api } = await ada()
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
  await page.getByText('Enter an email address such as').waitFor()
  expect(await input.inputValue()).toBe('nobody')
  const colors = await input.evaluate((element) => [
    getComputedStyle(element, '::placeholder').color,
    getComputedStyle(document.querySelector('.mantine-InputWrapper-error')!).color,
  ])
  expect(colors[0], 'only the error is red').not.toBe(colors[1])
  await page.keyboard.type('@example.com')
  await page.keyboard.press('Tab')
  await expect
    .poll(async () => (await api.getRecord({ object: 'people', id: person!.id })).emails)
    .toEqual(['a@example.com', 'nobody@example.com'])
})

test('leaving right after an edit while the server is away loses nothing', async () => {
  expectComplaint(/ERR_FAILED/)
  const { token, api } = await ada()
  const [person] = await people(api, { count: 1, values: () => ({ city: 'Wien' }) })
  const page = await visit('/records/people', { token })
  await row(page, 'Person 000').waitFor()
  const all = /\/app\/api\/records|\/readyz/
  await page.route(all, (route) => route.abort())
  await cell(page, 'Person 000', await place(page, 'City')).click()
  await page.keyboard.type('Lima')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Filter Syntax' }).click()
  await page.getByRole('dialog').getByText('Leave without saving?').waitFor()
  expect(page.url()).toContain('/records/people')
  const closing = page.waitForEvent('dialog')
  await Promise.all([page.close({ runBeforeUnload: true }), closing.then((asked) => asked.dismiss())])
  await page.unroute(all)
  // Saved by itself, and then nothing is left to ask.
  await page.waitForURL('**/filter-syntax')
  expect((await api.getRecord({ object: 'people', id: person!.id })).city).toBe('Lima')
})

test('an edit that had to wait never overwrites a newer value silently', async () => {
  expectComplaint(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|409/)
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
  await api.updateRecords({ object: 'people', records: [{ id: person!.id, values: { city: 'Paris' } }] })
  await page.context().setOffline(false)
  const dialog = page.getByRole('dialog', { name: /changed this too$/ })
  await dialog.getByText('Paris').waitFor()
  await dialog.getByText('Tokyo').waitFor()
  expect((await api.getRecord({ object: 'people', id: person!.id })).city).toBe('Paris')
  await dialog.getByRole('button', { name: 'Keep theirs' }).click()
  await expect.poll(() => cell(page, 'Person 000', city).textContent()).toBe('Paris')

  // Only the edit does not get through, and the list has the newer value before it is sent.
  const edits = /\/app\/api\/records\/people$/
  await page.route(edits, (route) => route.abort())
  await cell(page, 'Person 000', city).click()
  await page.keyboard.type('Lima')
  await page.keyboard.press('Enter')
  await cell(page, 'Person 000', city).getByRole('img', { name: 'Not saved: Waiting for a connection' }).waitFor()
  await api.updateRecords({ object: 'people', records: [{ id: person!.id, values: { city: 'Rom' } }] })
  const reloaded = page.waitForResponse(/\/records\/people\?/)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await reloaded
  await page.unroute(edits)
  await dialog.getByText('Rom').waitFor()
  await dialog.getByText('Lima').waitFor()
  expect((await api.getRecord({ object: 'people', id: person!.id })).city).toBe('Rom')
})

test('an edit reloads the list once, also when the server reports it', async () => {
  const { token, api } = await ada()
  const [person] = await people(api, { count: 1, values: () => ({ city: 'Wien' }) })
  const log = { error() {} } as never
  const dispatcher = createDispatcher(kith.db, {}, async () => {}, { liveMessagesOf, heard() {} }, log)
  await dispatcher.wake()
  const page = await visit('/records/people', { token, isAlone: true })
  await row(page, 'Person 000').waitFor()
  const city = await place(page, 'City')
  await isListening(page)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const heard = new Promise((done) => devtools.once('Network.eventSourceMessageReceived', done))
  // Changes are gathered for less than half a second, which the clock of the page decides, not this machine.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1000)
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/records/people?') && asked.push(request.url()))
  await cell(page, 'Person 000', city).click()
  await page.keyboard.type('Lima')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await api.getRecord({ object: 'people', id: person!.id })).city).toBe('Lima')
  await dispatcher.wake()
  await heard
  await page.clock.runFor(2000)
  await expect.poll(() => asked.length).toBe(1)
  await page.clock.runFor(2000)
  // What the page asked for before this is known after it.
  await page.evaluate(() => fetch('/livez'))
  expect(asked).toHaveLength(1)
  await dispatcher.stop()
})
