import { expect, test } from 'vitest'
import { expectUsableEverywhere, isListening, testWeb } from '../browser.ts'
import { soon, testWorker } from '../worker.ts'
import { createFound, grace, group, nils, notice, stone, undo } from './duplicates-page.ts'
import { row } from './grid.ts'
import { dialog, heading } from './record-page.ts'

const { kith, ada, visit, expectComplaint } = await testWeb({ own: true })
await testWorker(kith)

test('selected records are merged from their list', async () => {
  const { token, api } = await ada()
  await api.createRecords({ object: 'people', records: [...grace, ...stone] })
  const page = await visit('/records/people', { token })
  for (const name of ['Jo Stone', 'Joe Stone']) await row(page, name).getByRole('checkbox').check()
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Merge' }).click()
  await dialog(page).getByRole('radio', { name: 'First name Joe' }).check()
  await expectUsableEverywhere(page)
  await dialog(page).getByRole('button', { name: 'Merge 2 people' }).click()
  await notice(page, '2 people merged into Joe Stone.').waitFor()
  await row(page, 'Jo Stone').waitFor({ state: 'detached' })
  expect(await page.getByRole('region', { name: 'Selection' }).count()).toBe(0)
  await undo(page, 'merged into Joe Stone').click()
  await row(page, 'Jo Stone').waitFor()
})

test('a record is merged with one that is found, or with any other, from its menu and from the palette', async () => {
  const { token, api } = await ada()
  const [[first] = []] = await createFound(api, [grace])
  await api.createRecords({ object: 'people', records: stone })
  const page = await visit(`/records/people/${first}`, { token })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Merge with…' }).click()
  await dialog(page).getByRole('option', { name: 'Grace Hopper The same mailbox' }).waitFor()
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('radio', { name: 'City Hamburg' }).waitFor()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('merge this')
  await page.getByRole('option', { name: 'Merge this person with…' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Merge Grace Hopper with…' }).getByRole('combobox').fill('Joe St')
  await dialog(page).getByRole('option', { name: 'Joe Stone' }).click()
  await dialog(page).getByRole('radio', { name: 'Keep Joe Stone' }).check()
  await dialog(page).getByRole('button', { name: 'Merge 2 people' }).click()
  await notice(page, '2 people merged into Joe Stone.').waitFor()
  await heading(page, 'Joe Stone').waitFor()
  // The page of the merged record was open and asks once more.
  expectComplaint(/404/)
})

test('a group that someone else merges or marks goes away, and dismissed pairs can be taken back', async () => {
  const { token, api } = await ada()
  const [[one, two] = [], [three, four] = []] = await createFound(api, [grace, stone])
  const page = await visit('/duplicates/people', { token })
  await group(page, 'Grace Hopper').waitFor()
  await isListening(page)
  await api.mergeRecords({ object: 'people', id: one!, merge: [two!] })
  await group(page, 'Grace Hopper').waitFor({ state: 'detached' })
  await api.dismissDuplicates({ object: 'people', id: three!, others: [four!] })
  await page.getByText('No duplicates among your people').waitFor()
  await page.getByRole('radiogroup', { name: 'Show' }).getByText('Dismissed').click()
  await page.getByRole('row', { name: 'Jo Stone Joe Stone' }).getByText('Ada Lovelace').waitFor()
  await expectUsableEverywhere(page)
  await page.getByRole('button', { name: 'Take back: Jo Stone and Joe Stone' }).click()
  await page.getByText('No people are marked as different').waitFor()
  await soon(async () => expect((await api.getDuplicates({ object: 'people' })).total).toBe(1))
})

test('undoing a merge also takes back what was marked as different with it', async () => {
  const { token, api } = await ada()
  await createFound(api, [nils])
  const page = await visit('/duplicates/people', { token })
  const card = group(page, 'Nils Lindqvist')
  await card.getByRole('checkbox', { name: 'Merge N. Lindqvist' }).uncheck()
  await card.getByRole('button', { name: 'Merge 2 people' }).click()
  await undo(page, 'merged into Nils Lindqvist').click()
  await card.getByText('3 people', { exact: true }).waitFor()
  await soon(async () => expect((await api.getDuplicates({ object: 'people', is_dismissed: true })).total).toBe(0))
})

test('the duplicates of an object are opened from its list and from the palette', async () => {
  const { token } = await ada()
  const page = await visit('/records/organizations', { token })
  await page.getByRole('button', { name: 'List actions' }).click()
  await page.getByRole('menuitem', { name: 'Find duplicates' }).click()
  await heading(page, 'Duplicate organizations').waitFor()
  await page.getByText('No duplicates among your organizations').waitFor()
  await expectUsableEverywhere(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('duplicate leads')
  await page.keyboard.press('Enter')
  await heading(page, 'Duplicate leads').waitFor()
})
