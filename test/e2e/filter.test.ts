import { expect, test } from 'vitest'
import { testWeb } from '../browser.ts'
import { box, complete, filterIn, matches, visitor } from './filter-page.ts'

const at = visitor(await testWeb())

test('a filter is built from suggestions, and shows its meaning and its matches', async () => {
  const { page } = await at('/filter-syntax?object=people')
  await box(page).click()
  await page.keyboard.type('stat')
  await complete(page, 'status')
  await complete(page, '=')
  await page.keyboard.type('ac')
  await complete(page, 'active')
  await page.getByText('Status is Active.').waitFor()
  await expect.poll(() => matches(page)).toEqual(['Barbara Liskov', 'Alan Turing'])
  await page.keyboard.type(' and organization.cou')
  await complete(page, 'country')
  await page.keyboard.type('= DE and owner = grace')
  await complete(page, 'Grace Hopper')
  const grace = await box(page).textContent()
  expect(grace).toMatch(/^status = active and organization\.country = DE and owner = "[^"]+@example\.com"$/)
  await page.getByText('No matches').waitFor()
  await expect.poll(() => filterIn(page)).toBe(grace)
  await page.reload()
  await box(page).waitFor()
  await expect.poll(() => box(page).textContent()).toBe(grace)
})
