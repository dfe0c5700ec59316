// Covers: web/screens/jobs web/jobs web/screens/list web/screens/record
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { desktop, phone } from '../chromium.ts'
import { testWorker } from '../worker.ts'
import { grid, people, row } from './grid.ts'
import { bar, count, pickField } from './jobs-page.ts'
import { dialog } from './record-page.ts'
import { screens } from './screens.ts'

const { kith, ada, visit, expectComplaint } = await testWeb({ own: true })
await testWorker(kith)

test('a tag is added to several records, and the tags they had stay', async () => {
  const { token, api } = await ada()
  await api.updateField({
    object: 'people',
    field: 'tags',
    options: [
      { key: 'vip', label: 'VIP' },
      { key: 'old', label: 'Old' },
    ],
  })
  await people(api, { count: 3, values: () => ({ tags: ['old'] }) })
  const page = await visit('/records/people', { token })
  await row(page, 'Person 002').waitFor()
  await grid(page).getByRole('checkbox', { name: 'Select all rows' }).click()
  await bar(page).getByRole('button', { name: 'Edit' }).click()
  await pickField(page, 'Tags')
  await dialog(page).getByRole('combobox', { name: 'Values to add' }).fill('vip')
  await page.getByRole('option', { name: 'VIP' }).click()
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await page.getByText('3 people: tags changed.').waitFor()
  expect(await count(api, 'tags has all (vip, old)')).toBe(3)
})

test.each(
  screens([
    ['a desktop', desktop, 'light'],
    ['a phone', phone, 'dark'],
  ] as const),
)('the frame shows a finished job on %s, and its panel undoes a deletion', async (_, viewport, colorScheme) => {
  // The pointer rests where a deleted record was, which the router then asks for ahead.
  expectComplaint(/404/)
  const { token, api } = await ada()
  await people(api, { count: 130 })
  const page = await visit('/records/people', { token, viewport, colorScheme })
  if (viewport === phone) {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Select' }).click()
  }
  await page.getByRole('checkbox', { name: 'Select Person 129' }).click()
  await bar(page).getByRole('button', { name: 'Select all 130' }).click()
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  await dialog(page).getByRole('button', { name: 'Delete 130 people' }).click()
  await page.getByText('No people yet').waitFor()
  await page.getByRole('button', { name: /^Background jobs: Deleted 130 people/ }).click()
  const card = dialog(page).getByRole('listitem').filter({ hasText: 'Deleted 130 people' })
  await card.waitFor()
  await expectUsable(page)
  await card.getByRole('button', { name: /^Undo/ }).click()
  const question = page.getByRole('dialog', { name: 'Undo this bulk delete?' })
  await question.getByText('130 people come back from the trash.').waitFor()
  await expectUsable(page)
  await question.getByRole('button', { name: 'Undo' }).click()
  await question.waitFor({ state: 'detached' })
  expect(await count(api)).toBe(130)
  await page.goto('/jobs')
  await page.getByRole('row').filter({ hasText: 'Deleted 130 people' }).getByText('Undone', { exact: true }).waitFor()
  await expectUsable(page)
})
