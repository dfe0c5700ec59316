// Covers: web/screens/trash web/screens/record
import { expect, test } from 'vitest'
import { everything } from '../../contract/shared/access.ts'
import { testWeb } from '../browser.ts'
import { goTo } from './navigate.ts'
import { create, heading } from './record-page.ts'

const { kith, ada, visit, expectComplaint } = await testWeb()

test('a record can be restored from the trash, a missing record says so, and links to hidden ones say that they are private', async () => {
  const { token, api, owner } = await ada()
  const { id } = await create(api, 'people', { first_name: 'Grace' })
  const page = await visit(`/records/people/${id}`, { token })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Move to the trash' }).click()
  await page.waitForURL('**/records/people')
  expectComplaint(/404/)
  await page.goto(`/records/people/${id}`)
  await page.getByText('Grace is in the trash').waitFor()
  await page.getByRole('button', { name: 'Restore' }).click()
  await heading(page, 'Grace').waitFor()

  const role = await api.createRole({
    name: 'Own only',
    grants: [],
    records: { '*': { ...everything, read: 'own', edit: 'own', delete: 'own' } },
  })
  const other = await kith.given.user(owner, { name: 'Mia', role: role.name })
  const hers = await visit(`/records/people/${id}`, { token: await kith.given.session(other) })
  await hers.getByText('This person was not found').waitFor()

  const organization = await create(api, 'organizations', { name: 'Acme' })
  const deal = await create(api, 'deals', { name: 'Roof', organization: organization.id, owner: other.user_id })
  await goTo(hers, '/records/deals')
  const cell = hers.getByRole('row').filter({ hasText: 'Roof' })
  await cell.getByText('Private organization').waitFor()
  expect(await cell.getByRole('link', { name: 'Private organization' }).count()).toBe(0)
  await api.deleteRecords({ object: 'organizations', ids: [organization.id] })
  const later = await visit(`/records/deals/${deal.id}`, { token: await kith.given.session(other) })
  await later.getByText('Deleted organization').first().waitFor()
  await goTo(hers, '/records/nothing/x')
  await hers.getByText('This kind of record does not exist').waitFor()
})
