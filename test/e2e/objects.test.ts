import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { inDialog } from './company-page.ts'
import { field } from './objects-page.ts'

const { kith, at, visit, expectComplaint } = await testWeb()

test('a custom object is created, relabeled, archived and restored', async () => {
  const { page, api } = await at('/company/objects')
  await page
    .getByRole('link', { name: /Organizations/ })
    .first()
    .waitFor()
  await expectUsable(page)
  await page.getByRole('button', { name: 'New object' }).click()
  await inDialog(page, 'Create object').click()
  await page.getByText('Enter a label').first().waitFor()
  await page.getByLabel('Singular name').fill('People carrier')
  await page.getByLabel('Plural name').fill('People')
  expect(await page.getByLabel('Key').inputValue()).toBe('people')
  expectComplaint(/409/)
  await inDialog(page, 'Create object').click()
  await page.getByText('An object with this key already exists').waitFor()
  await page.getByLabel('Plural name').fill('Vans')
  await page.getByLabel('Key').fill('vans')
  await page.getByRole('radio', { name: 'Truck' }).check({ force: true })
  await page.getByRole('radio', { name: 'Orange' }).focus()
  await page.keyboard.press('ArrowRight')
  await expectUsable(page)
  await inDialog(page, 'Create object').click()
  await page.getByRole('heading', { level: 1, name: 'Vans' }).waitFor()
  await field(page, 'Name').waitFor()

  await page.getByRole('button', { name: 'Actions for Vans' }).click()
  await page.getByRole('menuitem', { name: 'Edit name and icon' }).click()
  await page.getByLabel('Plural name').fill('Cars')
  await inDialog(page, 'Save object').click()
  await page.getByRole('heading', { level: 1, name: 'Cars' }).waitFor()
  await page.getByRole('button', { name: 'Actions for Cars' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await inDialog(page, 'Archive').click()
  await page.getByText('Cars archived').waitFor()
  const [vans] = (await api.describeSchema({ objects: ['vans'], include_archived: true })).objects
  expect(vans).toMatchObject({ icon: 'truck', color: 'yellow' })
  const keys = async () => (await api.describeSchema({})).objects.map(({ key }) => key)
  expect(await keys()).not.toContain('vans')
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByText('Cars restored').waitFor()
  expect(await keys()).toContain('vans')
})

test('is only for people who manage objects, and works on a phone', async () => {
  const { owner: admin, page } = await at('/company/objects/deals', { viewport: phone, colorScheme: 'dark' })
  await field(page, 'Stage').click()
  await page.getByRole('link', { name: 'pipelines and their stages' }).waitFor()
  await expectUsable(page)
  const member = await kith.given.user(admin)
  const hers = await visit('/company/objects', { token: await kith.given.session(member) })
  await hers.getByText('You don’t have access').waitFor()
})
