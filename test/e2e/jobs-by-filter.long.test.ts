// Covers: web/screens/jobs web/jobs web/screens/list web/screens/record
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { testWorker } from '../worker.ts'
import { grid, people, row } from './grid.ts'
import { bar, count, pickField } from './jobs-page.ts'
import { dialog } from './record-page.ts'

const { kith, ada, visit } = await testWeb({ own: true })
await testWorker(kith)

const city = (n: number) => ({ city: n % 2 ? 'Berlin' : 'Wien', score: 1 })

/** Selects everything that matches, by a click on one row and then on "Select all". */
async function selectAll(page: Page, count: number) {
  await grid(page).getByRole('checkbox').nth(1).click()
  await bar(page)
    .getByRole('button', { name: `Select all ${count}` })
    .click()
  await bar(page).getByText(`${count} selected`).waitFor()
}

test('everything that matches is changed by a job, without loading it, and goes back with one click', async () => {
  const { token, api } = await ada()
  await people(api, { count: 320, values: city })
  const page = await visit('/records/people?filter=city %3D Berlin', { token })
  await row(page, 'Person 319').waitFor()
  await selectAll(page, 160)
  await bar(page).getByRole('button', { name: 'Edit' }).click()
  await pickField(page, 'Job title')
  await dialog(page).getByRole('textbox', { name: 'New value' }).fill('Buyer')
  await dialog(page).getByRole('button', { name: 'Another field' }).click()
  await pickField(page, 'Score')
  await dialog(page).getByLabel('New value').last().fill('7')
  await dialog(page).getByRole('button', { name: 'Continue' }).click()
  await dialog(page).getByText('Change 2 fields of 160 people?').waitFor()
  expect(await dialog(page).getByRole('list', { name: 'Changes' }).getByRole('listitem').allTextContents()).toEqual([
    'Set Job title to Buyer',
    'Set Score to 7',
  ])
  await expectUsable(page)
  expect(await count(api, 'score = 7'), 'only asked so far').toBe(0)
  await dialog(page).getByRole('button', { name: 'Change 160 people' }).click()
  const said = page.getByRole('alert').filter({ hasText: 'Changed 160 people.' })
  await said.waitFor()
  expect(await count(api, 'score = 7 and job_title = Buyer')).toBe(160)
  await row(page, 'Person 319').filter({ hasText: 'Buyer' }).waitFor()
  await said.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  expect(await count(api, 'score = 1 and job_title is empty')).toBe(320)
})

/** Jobs as they look halfway, which is too short a time to catch. */
async function jobRow(owner: { company_id: string; user_id: string }, values: object) {
  const id = crypto.randomUUID()
  await kith.db
    .insertInto('jobs')
    .values({
      company_id: owner.company_id,
      id,
      kind: 'bulk_update',
      state: 'done',
      object: 'people',
      input: '{}',
      change_set_id: crypto.randomUUID(),
      created_by: owner.user_id,
      door: 'web',
      request_id: 'test',
      created_at: kith.time.now,
      ...values,
    } as never)
    .execute()
  return id
}

test('the page of jobs shows progress, cancels, filters by the address, and tells others apart', async () => {
  const { owner, token, api } = await ada()
  const [person] = await people(api, { count: 1 })
  const soon = new Date(Date.now() + 600_000)
  // Leased by a process that never comes back, so that it stays as it is.
  const leased = { leased_by: crypto.randomUUID(), leased_until: soon }
  const running = await jobRow(owner, { state: 'running', total: 1240, done: 400, changed: 398, failed: 2, ...leased })
  const failed = await jobRow(owner, {
    state: 'failed',
    total: 9,
    done: 3,
    changed: 3,
    message: 'You lost your rights.',
  })
  await kith.db
    .insertInto('job_problems')
    .values({ company_id: owner.company_id, job_id: running, position: 0, record_id: person!.id, message: 'Not yours' })
    .execute()
  const page = await visit('/jobs', { token })
  const line = page.getByRole('row').filter({ hasText: 'Changing 1,240 people' })
  await line.getByText('400 of 1,240').waitFor()
  expect(await line.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('32')
  await expectUsable(page)
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'Failed' }).click()
  await page.waitForURL('**/jobs?state=failed')
  await page.getByRole('link', { name: 'Changed 3 of 9 people' }).click()
  await page.waitForURL(`**/jobs/${failed}`)
  await page.getByText('You lost your rights.').waitFor()
  await page.getByRole('link', { name: 'All background jobs' }).click()
  await page.getByRole('link', { name: 'Changing 1,240 people' }).click()
  await page.getByRole('link', { name: 'Person 000' }).waitFor()
  await expectUsable(page)
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Cancel/ })
    .click()
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Cancel/, disabled: true })
    .waitFor()
  await expect.poll(async () => (await api.getJob({ id: running })).can_cancel).toBe(false)
  const max = await kith.given.user(owner)
  const his = await visit('/jobs', { token: await kith.given.session(max) })
  await his.getByText('No background jobs yet').waitFor()
  expect(await his.getByLabel('Started by').count()).toBe(0)
})
