// Covers: web/screens/list web/records/fields
import { expect, test } from 'vitest'
import { testWeb } from '../browser.ts'
import { cell, people, place, row } from './grid.ts'

const { ada, visit, kith } = await testWeb()

test('a block from a spreadsheet fills a block of cells in one change that can be undone, and skipped cells are named', async () => {
  const { token, api } = await ada()
  const made = await people(api, { count: 3, values: () => ({ job_title: 'Old' }) })
  const page = await visit('/records/people?columns=title,job_title,status,score,created_at', { token })
  await row(page, 'Person 002').waitFor()
  const block = [
    ['Head of IT', 'Active', '55', 'x'],
    ['CFO', 'Nonsense', '1,250'],
    ['Buyer', 'Customer', ''],
    ['Nobody'],
  ]
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    block.map((cells) => cells.join('\t')).join('\r\n'),
  )
  await cell(page, 'Person 002', await place(page, 'Job title')).click()
  let calls = 0
  page.on('request', (request) => {
    if (request.method() === 'PATCH' && /\/records\/people$/.test(new URL(request.url()).pathname)) calls++
  })
  await page.keyboard.press('Control+v')
  await page.getByText('Pasted 7 cells into 3 people.').waitFor()
  const skipped = page.getByRole('alert').filter({ hasText: '2 cells were skipped' })
  await skipped.getByText('Status: “Nonsense” is not an option of Status').waitFor()
  await skipped.getByText('This field is read-only').waitFor()
  await skipped.getByText('1 row beyond the end of the list').waitFor()
  const saved = async (n: number) => api.getRecord({ object: 'people', id: made[n]!.id })
  expect(await saved(2)).toMatchObject({ job_title: 'Head of IT', status: 'active', score: 55 })
  expect(await saved(1)).toMatchObject({ job_title: 'CFO', score: 1250 })
  expect(await saved(0)).toMatchObject({ job_title: 'Buyer', status: 'customer' })
  expect(calls, 'one call').toBe(1)

  await page.keyboard.press('Control+z')
  await page.getByText('Undone: Pasted 7 cells into 3 people.').waitFor()
  for (const n of [0, 1, 2]) expect((await saved(n)).job_title).toBe('Old')
})

test('a record that your role does not let you edit has a lock instead of an editor; paste, bulk edit and bulk delete skip it; names are copied', async () => {
  const { owner, api } = await ada()
  const own = { read: 'all', create: true, edit: 'own', delete: 'own' } as const
  await api.createRole({ name: 'Sales rep', records: { '*': own } })
  const tom = await kith.given.user(owner, { name: 'Tom', role: 'Sales rep' })
  const { records } = await api.createRecords({ object: 'organizations', records: [{ name: 'Acme' }] })
  const ofTom = { owner: tom.user_id, organization: records[0]!.id }
  await people(api, { count: 2, values: (n) => ({ job_title: 'Old', ...(n === 1 && ofTom) }) })
  const page = await visit('/records/people?columns=title,job_title,owner,organization', {
    token: await kith.given.session(tom),
  })
  await row(page, 'Person 000').waitFor()
  const title = await place(page, 'Job title')
  await cell(page, 'Person 000', title).click()
  await page.getByRole('img', { name: 'You cannot edit this' }).waitFor()
  await page.keyboard.type('New')
  expect(await page.getByRole('textbox', { name: 'Job title' }).count()).toBe(0)

  await page.evaluate(() => navigator.clipboard.writeText('CFO\nCEO'))
  await cell(page, 'Person 001', title).click()
  await page.keyboard.press('Control+v')
  await page.getByText('Pasted 1 cell into 1 person.').waitFor()
  await page.getByText('Your role does not let you edit Person 000').waitFor()
  for (const [column, name] of [
    ['Owner', 'Tom'],
    ['Organization', 'Acme'],
  ] as const) {
    await cell(page, 'Person 001', await place(page, column)).click({ position: { x: 3, y: 3 } })
    await page.keyboard.press('Control+c')
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText()), { message: column }).toBe(name)
  }

  const bar = page.getByRole('region', { name: 'Selection' })
  await row(page, 'Person 000').getByRole('checkbox').click()
  await bar.getByText('1 selected').waitFor()
  for (const name of ['Edit', 'Delete'])
    expect(await bar.getByRole('button', { name }).getAttribute('aria-disabled'), 'of others only').toBe('true')
  await row(page, 'Person 001').getByRole('checkbox').click()
  await bar.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('dialog', { name: 'Delete 1 person?' })
  await question.getByText('1 other is skipped: your role lets you delete only your own people.').waitFor()
  await question.getByRole('button', { name: 'Delete 1 person' }).click()
  await row(page, 'Person 001').waitFor({ state: 'detached' })
  await row(page, 'Person 000').waitFor()
})
