// Covers: web/screens/settings/objects
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { inDialog } from './company-page.ts'
import { field } from './objects-page.ts'
import { dialog } from './record-page.ts'

const { kith, at, expectComplaint } = await testWeb()

const fields = (page: Page) => page.getByRole('list', { name: 'Fields', exact: true }).getByRole('listitem')

async function choose(page: Page, name: string, option: string | RegExp) {
  await page.getByRole('combobox', { name, exact: true }).click()
  await page.getByRole('option', { name: option }).click()
}

test('fields are reordered by dragging, keyboard and menu, archived and restored', async () => {
  const { page, api } = await at('/company/objects/products')
  const order = async () =>
    (await api.describeSchema({ objects: ['products'] })).objects[0]!.fields.map(({ key }) => key)
  const shown = async () => (await fields(page).allTextContents()).map((text) => text.slice(0, 4))
  const [first, second, third] = await order()
  await fields(page).first().waitFor()
  const handles = page.getByRole('button', { name: /^Move / })
  await handles.nth(0).focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(order).toEqual([second, first, third])
  await page.keyboard.press('ArrowDown')
  await expect.poll(order).toEqual([second, third, first])
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'goes along').toBe('Move Name')
  await handles.nth(2).dragTo(fields(page).nth(0), { targetPosition: { x: 60, y: 4 } })
  await expect.poll(order).toEqual([first, second, third])
  await expect.poll(shown).toEqual(await shown())

  await page.getByRole('button', { name: 'Actions for SKU' }).click()
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await expect.poll(order).toEqual([second, first, third])
  await page.getByRole('button', { name: 'Actions for SKU' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await page.getByRole('button', { name: 'Restore SKU' }).waitFor()
  expect(await order()).toEqual([first, third])
  await page.getByRole('button', { name: 'Restore SKU' }).click()
  await page.getByText('SKU restored').waitFor()
  expect(await order()).toHaveLength(3)
})

test('archiving a field used by views asks first, and the views show the error until it is restored', async () => {
  const { owner, page, api } = await at('/company/objects/people')
  const view = { object: 'people', name: 'Berliners', filter: 'city = Berlin', is_shared: true }
  const { id } = await api.createView(view)
  const member = await kith.given.user(owner)
  await kith.withSession(await kith.given.session(member)).createView({ ...view, name: 'Mine', is_shared: false })
  await page.getByRole('button', { name: 'Actions for City' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await dialog(page).getByText('Berliners').waitFor()
  await dialog(page).getByText('1 private view of other users').waitFor()
  await expectUsable(page)
  await inDialog(page, 'Archive field').click()
  await page.getByText('City archived. Its values are kept.').waitFor()
  await page.goto(new URL(`/records/people?view=${id}`, page.url()).href)
  expectComplaint(/422/)
  await page.getByText(/no longer works\. The field city is archived/).waitFor()
  await api.updateField({ object: 'people', field: 'city', is_archived: false })
  await page.reload()
  await page.getByText('No people match').waitFor()
  expect(await page.getByText('no longer works').count()).toBe(0)
})

test('a select field with colors is added, appears in every form, and an option in use cannot be removed', async () => {
  const { page, api } = await at('/company/objects/people')
  await page.getByRole('button', { name: 'Add field' }).click()
  await page.getByLabel('Label', { exact: true }).fill('Tier')
  await page.keyboard.press('Escape')
  await inDialog(page, 'Keep editing').click()
  await choose(page, 'Type', /^Select/)
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
