import { expect, test } from 'vitest'
import { testWeb } from '../browser.ts'
import { button, filterIn, pick, visitor } from './filter-page.ts'

const at = visitor(await testWeb())

test('chips and text are one filter: conditions, groups, negation and paths, all by keyboard', async () => {
  const { page, organization } = await at('/records/people')
  const add = async (field: string) => {
    await button(page, 'Filter').press('Enter')
    await page.getByRole('combobox', { name: 'Field to filter by' }).waitFor()
    await page.keyboard.type(field)
    await pick(page, field)
  }
  await add('Status')
  await pick(page, 'Prospect')
  await expect.poll(() => filterIn(page)).toBe('status = prospect')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => filterIn(page)).toBe('status in (prospect, active)')
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Status is any of Prospect, Active')

  await page.keyboard.press('Enter')
  await button(page, 'Or…').click()
  await page.keyboard.type('score')
  await pick(page, 'Score')
  await page.getByLabel('Number for Score').fill('60')
  await page.keyboard.press('Enter')
  await expect.poll(() => filterIn(page)).toBe('status in (prospect, active) or score >= 60')
  await add('Organization › Country')
  await page.getByRole('combobox', { name: 'Countries for Country' }).waitFor()
  await page.keyboard.type('germ')
  await pick(page, 'Germany')
  await page.keyboard.press('Escape')
  const grouped = '(status in (prospect, active) or score >= 60) and organization.country = DE'
  await expect.poll(() => filterIn(page)).toBe(grouped)
  await add('Organization')
  await page.locator('input:focus[aria-label="Records for Organization"]').waitFor()
  await page.keyboard.type('acm')
  await pick(page, 'Acme')
  await page.keyboard.press('Escape')
  await expect.poll(() => filterIn(page)).toBe(`${grouped} and organization = ${organization}`)
  await button(page, 'Organization is Acme').press('Delete')

  await button(page, 'Actions for group').click()
  await page.getByRole('menuitem', { name: 'Exclude matches' }).click()
  await expect.poll(() => filterIn(page)).toBe(`not ${grouped}`)
  await button(page, 'or').click()
  await button(page, 'Remove filter: Score').click()
  await expect.poll(() => filterIn(page)).toBe('not status in (prospect, active) and organization.country = DE')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Filter')
})
