// Covers: web/screens/settings web/ui
import { randomUUIDv7 } from 'node:crypto'
import { expect, test } from 'vitest'
import { sealAuditLog } from '../../server/audit/seal.ts'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { row } from './company-page.ts'

const { kith, at, visit, expectComplaint } = await testWeb()

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('Enter in a searchable field chooses the option that was found', async () => {
  const { page, api } = await at('/company')
  const language = page.getByRole('combobox', { name: 'Language' })
  // Typing comes after the list has opened: opening it looks for the current choice a moment later.
  await language.click()
  await page.getByRole('option', { selected: true }).waitFor()
  await language.fill('Austria')
  await page.getByRole('option', { name: 'German (Austria)' }).waitFor()
  await language.press('Enter')
  await expect.poll(() => language.inputValue()).toBe('German (Austria)')
  await page.getByRole('button', { name: 'Save region' }).click()
  await page.getByText('Region saved').waitFor()
  expect((await api.getCompany({})).language).toBe('de-AT')
})

test('the company logo is next to its name, on a phone too', async () => {
  const { owner, page } = await at('/company')
  const mark = page.getByRole('complementary', { name: 'Kith' }).locator('img')
  expect(await mark.count()).toBe(0)
  await page.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: onePixel })
  await mark.waitFor()
  const token = await kith.given.session(owner)
  const small = await visit('/dashboard', { token, viewport: phone })
  await small.getByRole('region', { name: 'Top bar' }).locator('img').waitFor()
})

test('an Admin can verify the audit log and sees which event was changed', async () => {
  const { owner, page } = await at('/company/audit-log')
  await kith.db
    .insertInto('audit_events')
    .values({
      company_id: owner.company_id,
      id: randomUUIDv7(),
      at: kith.time.now,
      action: 'session.started',
      actor_id: owner.user_id,
      door: 'web',
      request_id: 'r',
      data: '{}',
    })
    .execute()
  await sealAuditLog(kith.ownerDb, owner.company_id, kith.time.now)
  const said = page.getByRole('status', { name: 'Verification' })
  expect(await said.count()).toBe(0)
  await page.getByRole('button', { name: 'Verify' }).click()
  await said.getByText('No changes found').waitFor()
  await said.getByText(/^1 event is sealed/).waitFor()
  await said.getByText('Newest seal').waitFor()
  await expectUsable(page)
  await kith.ownerDb
    .updateTable('audit_events')
    .set({ action: 'session.refused' })
    .where('company_id', '=', owner.company_id)
    .execute()
  await page.getByRole('button', { name: 'Verify' }).click()
  await said.getByText('The audit log was changed outside Kith').waitFor()
  await said.getByText(/^Event 1 \(.*\) was changed\.$/).waitFor()
})

test('data retention is set in days, within its limits', async () => {
  const { page, api } = await at('/company/data-retention')
  await page.getByText('Nothing is ever deleted.').waitFor()
  await page.getByText('For a number of days').click()
  await page.getByLabel('Days in the audit log').fill('30')
  await page.getByRole('button', { name: 'Save data retention' }).click()
  await page.getByText('Use at least 90').waitFor()
  await page.getByLabel('Days in the audit log').fill('730')
  await page.getByText('Entries are deleted after 2 years.').waitFor()
  await page.getByLabel('Days in the request log').fill('14')
  await page.getByRole('button', { name: 'Save data retention' }).click()
  await page.getByText('Data retention saved').waitFor()
  expect(await api.getCompany({})).toMatchObject({ audit_days: 730, request_days: 14, trash_days: 30 })
})

test('a list that cannot be loaded says so and offers to retry', async () => {
  expectComplaint(/400|Failed to load/)
  const { page } = await at('/dashboard')
  await page.route('**/app/api/users*', (route) => route.fulfill({ status: 400, json: { detail: 'Not today.' } }))
  await page.goto('/company/members')
  await page.getByText('Not today.').waitFor()
  await expectUsable(page)
  await page.unroute('**/app/api/users*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await row(page, 'Ada Lovelace').waitFor()
})
