// Covers: web/screens/settings server/engine/values
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'

const { kith, ada, visit } = await testWeb()

test('an Admin sees which organizations share a domain since an upgrade, until one of them gives it up', async () => {
  const { token, api, owner } = await ada()
  const { records } = await api.createRecords({
    object: 'organizations',
    records: [{ name: 'Acme', domains: ['acme.com'] }, { name: 'Acme Ltd' }],
  })
  const [acme, other] = records.map(({ id }) => id) as [string, string]
  await kith.pool.query(
    `insert into duplicate_values (company_id, field_id, key, record_id)
      select u.company_id, u.field_id, u.key, r.id from unique_values u, unnest($2::uuid[]) r(id)
      where u.company_id = $1 and u.key = 'acme.com'`,
    [owner.company_id, [acme, other]],
  )
  const page = await visit('/records/organizations', { token, viewport: phone })
  await page.getByText('One value belongs to several organizations').click()
  await page.getByText('acme.com: Acme, Acme Ltd').waitFor()
  await expectUsable(page)
  await page.getByRole('link', { name: 'Acme Ltd', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Acme Ltd' }).first().waitFor()
  await api.updateRecords({ object: 'organizations', records: [{ id: acme, values: { domains: [] } }] })
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Organizations' }).waitFor()
  await expect.poll(() => page.getByText('One value belongs').count()).toBe(0)
})
