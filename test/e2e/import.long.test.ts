// Covers: web/screens/import server/engine/csv
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { testWorker } from '../worker.ts'
import { people, row } from './grid.ts'
import { button, choose, csv } from './import-page.ts'

const { kith, ada, visit } = await testWeb({ own: true })
await testWorker(kith)

test('full names are imported as suggested, and what was checked is imported once, whatever was chosen since', async () => {
  const { token, api } = await ada()
  const page = await visit('/import/people', { token })
  await page.locator('input[type=file]').setInputFiles(csv('Name,City\nGrace Hopper,Arlington\n'))
  await page.getByRole('heading', { name: 'Columns' }).waitFor()
  expect(await page.getByRole('combobox', { name: 'Field for Name' }).inputValue()).toBe('Full name')
  await button(page, 'Continue').click()
  await button(page, 'Check the file').click()
  await page.getByRole('heading', { name: 'Check result' }).waitFor()
  await button(page, 'Back').click()
  await button(page, 'Back').click()
  await choose(page, 'City', 'Job title')
  for (const heading of ['Matching', 'Check result']) {
    await page.goBack()
    await page.getByRole('heading', { name: heading }).waitFor()
  }
  await button(page, 'Import 1 person').click()
  await page.getByRole('heading', { name: 'Imported 1 person' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Already imported' }).waitFor()
  await button(page, 'Show the import').click()
  await page.getByRole('heading', { name: 'Imported 1 person' }).waitFor()
  const { records } = await api.listRecords({ object: 'people' })
  expect(records).toMatchObject([{ first_name: 'Grace', last_name: 'Hopper', city: 'Arlington' }])
})

test('a reload loses nothing, and leaving the page does not stop the import', async () => {
  const { token, api } = await ada()
  const page = await visit('/import/people', { token })
  const rows = Array.from({ length: 150 }, (_, n) => `Person ${n},${n}`)
  await page.locator('input[type=file]').setInputFiles(csv(['Given name,Number', ...rows].join('\n')))
  await choose(page, 'Given name', 'First name')
  await choose(page, 'Number', 'Score')
  await page.reload()
  await page.getByRole('heading', { name: 'Columns' }).waitFor()
  expect(await page.getByRole('combobox', { name: 'Field for Number' }).inputValue()).toBe('Score')
  await button(page, 'Continue').click()
  await button(page, 'Check the file').click()
  await button(page, 'Import 150 people').click()
  await page.getByRole('link', { name: 'Agent activity' }).click()
  await page.getByRole('button', { name: /^Background jobs: Imported 150 people/ }).waitFor()
  expect((await api.countRecords({ object: 'people' })).count).toBe(150)
})

test('a field is made while columns are matched, values show as they are read, and the next such file starts alike', async () => {
  const { token, api } = await ada()
  const page = await visit('/import/people', { token })
  const file = (name: string) => csv(`Who,Seats,Joined\n${name},"1,200",3/14/2026\n`)
  await page.locator('input[type=file]').setInputFiles(file('Grace'))
  await page.getByText('No column goes into a name').waitFor()
  await choose(page, 'Who', 'First name')
  expect(await page.getByText('No column goes into a name').count()).toBe(0)
  await choose(page, 'Seats', 'New field…')
  const dialog = page.getByRole('dialog', { name: 'New field' })
  expect(await dialog.getByLabel('Label').inputValue()).toBe('Seats')
  expect(await dialog.getByRole('combobox', { name: 'Type' }).inputValue()).toBe('Number')
  await expectUsable(page)
  await dialog.getByRole('button', { name: 'Add field' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Read as Mar 14, 2026').or(page.getByText('Read as 14 Mar 2026')).waitFor()
  await button(page, 'Continue').click()
  await button(page, 'Check the file').click()
  await button(page, 'Import 1 person').click()
  await page.getByRole('heading', { name: 'Imported 1 person' }).waitFor()
  await button(page, 'Import another file').click()
  await page.locator('input[type=file]').setInputFiles(file('Ada'))
  await page.getByText('A file with the same columns was imported before').waitFor()
  expect(await page.getByRole('combobox', { name: 'Field for Seats' }).inputValue()).toBe('Seats')
  expect(await page.getByRole('combobox', { name: 'Field for Joined' }).inputValue()).toBe('Birthday')
  const { records } = await api.listRecords({ object: 'people' })
  expect(records).toMatchObject([{ first_name: 'Grace', seats: 1200, birthday: '2026-03-14' }])
})

test('a file that is no table is refused in words, and another one can be chosen', async () => {
  const { token } = await ada()
  const page = await visit('/import/people', { token })
  await page.locator('input[type=file]').setInputFiles(csv('x', 'people.ods'))
  await page.getByText('Save this spreadsheet as .xlsx or CSV first').waitFor()
  await page.locator('input[type=file]').setInputFiles(csv(''))
  await page.getByText('This file is empty').waitFor()
})

test('an export has the rows and columns of the list, and only those with the right are offered it', async () => {
  const { owner, token, api } = await ada()
  await people(api, { count: 5, values: (n) => ({ city: n % 2 ? 'Berlin' : 'Wien', score: n }) })
  const page = await visit('/records/people?filter=city %3D Wien&sort=score&columns=title,score', { token })
  await row(page, 'Person 004').waitFor()
  await page.getByRole('button', { name: 'Import and export' }).click()
  await page.getByRole('menuitem', { name: 'Export…' }).click()
  await page.getByRole('dialog').getByText('Export 3 people').waitFor()
  await expectUsable(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('link', { name: 'Download' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(
    text
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => line.replace(/^[^,]*,/, '')),
  ).toEqual(['Person 000,0', 'Person 002,2', 'Person 004,4'])
  const reader = await kith.given.user(owner, { grants: ['messages.send'] })
  const hers = await visit('/records/people', { token: await kith.given.session(reader) })
  await hers.getByRole('button', { name: 'Import and export' }).click()
  await hers.getByRole('menuitem', { name: 'Import…' }).waitFor()
  expect(await hers.getByRole('menuitem', { name: 'Export…' }).count()).toBe(0)
})
