// Covers: web/screens/jobs web/jobs web/screens/records
import { expect, test } from 'vitest'
import { testWeb } from '../browser.ts'
import { testWorker } from '../worker.ts'
import { grid, people, row } from './grid.ts'
import { bar, pickField } from './jobs-page.ts'
import { dialog } from './record-page.ts'

const { kith, ada, visit } = await testWeb({ own: true })
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

type Api = Awaited<ReturnType<typeof ada>>['api']
const count = async (api: Api, filter?: string) => (await api.countRecords({ object: 'people', filter })).count
