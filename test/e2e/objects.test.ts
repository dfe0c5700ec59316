import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { inDialog } from './company-page.ts'
import { field } from './objects-page.ts'
import { dialog } from './record-page.ts'

const { kith, at, visit, expectComplaint } = await testWeb()

async function choose(page: Page, name: string, option: string | RegExp) {
  await page.getByRole('combobox', { name, exact: true }).click()
  await page.getByRole('option', { name: option }).click()
}

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
  const [vans] = (await api.describeSchema({ objects: ['vans'], archived: true })).objects
  expect(vans).toMatchObject({ icon: 'truck', color: 'yellow' })
  const keys = async () => (await api.describeSchema({})).objects.map(({ key }) => key)
  expect(await keys()).not.toContain('vans')
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByText('Cars restored').waitFor()
  expect(await keys()).toContain('vans')
})

test('a select field with colors is added, appears in every form, and an option in use cannot be removed', async () => {
  const { page, api } = await at('/company/objects/people')
  await page.getByRole('button', { name: 'Add field' }).click()
  await page.getByLabel('Label', { exact: true }).fill('Tier')
  await page.keyboard.press('Escape')
  await inDialog(page, 'Keep editing').click()
  await choose(page, 'Type', /^Choice/)
  await page.getByRole('button', { name: 'Remove the new option' }).click()
  await inDialog(page, 'Add field').click()
  await page.getByText('Enter a label').waitFor()
  await page.getByLabel('Label of option 1').fill('Gold')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Silver')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Color of Gold/ }).click()
  await page.getByRole('menuitem', { name: 'Yellow' }).click()
  await choose(page, 'Default', 'Silver')
  await expectUsable(page)
  await inDialog(page, 'Add field').click()
  await page.getByText('Tier added').waitFor()
  const tier = async () =>
    (await api.describeSchema({ objects: ['people'] })).objects[0]!.fields.find(({ key }) => key === 'tier')!
  expect(await tier()).toMatchObject({
    type: 'select',
    options: [{ key: 'gold', label: 'Gold', color: 'yellow' }, { key: 'silver' }],
    default_value: 'silver',
  })
  const { records } = await api.createRecords({ object: 'people', records: [{ first_name: 'Grace', tier: 'gold' }] })
  expect(records[0]).toMatchObject({ tier: 'gold' })

  await field(page, 'Tier').click()
  await page.getByRole('button', { name: 'Remove Gold' }).click()
  expectComplaint(/409/)
  await inDialog(page, 'Save field').click()
  await page.getByText('Some records use the option Gold').waitFor()
  await inDialog(page, 'Cancel').click()

  await field(page, 'Tier').click()
  await page.getByLabel('Label of option 1').fill('Platinum')
  await page.getByRole('button', { name: 'Move Platinum', exact: true }).press('ArrowDown')
  await page.getByText('Platinum is now 2 of 2').waitFor()
  await dialog(page).getByRole('switch', { name: 'Required' }).check()
  await inDialog(page, 'Save field').click()
  await page.getByText('Tier saved').waitFor()
  expect(await tier()).toMatchObject({
    is_required: true,
    options: [{ key: 'silver' }, { key: 'gold', label: 'Platinum', color: 'yellow' }],
  })
})

test('is only for people who manage objects, and works on a phone', async () => {
  const { owner: admin, page } = await at('/company/objects/deals', { viewport: phone, colorScheme: 'dark' })
  await field(page, 'Stage').click()
  await page.getByRole('link', { name: 'pipelines and their stages' }).waitFor()
  await expectUsable(page)
  const member = await kith.given.user(admin)
  const hers = await visit('/company/objects', { token: await kith.given.session(member) })
  await hers.getByText('Not for your role').waitFor()
})
