import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { box, button, complete, filterIn, matches, offers, visitor, withFilter } from './filter-page.ts'

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

test('errors are underlined, announced to screen readers, and fixed with a click', async () => {
  const { page } = await at(withFilter('/filter-syntax', 'status = active and scroe > 50'))
  await page.getByText('There is no field scroe on person.').waitFor()
  expect(await page.locator('.cm-lintRange-error').allTextContents()).toEqual(['scroe'])
  expect(await box(page).getAttribute('aria-invalid')).toBe('true')
  const described = await box(page).getAttribute('aria-describedby')
  expect(await page.locator(`[id="${described}"]`).textContent()).toContain('There is no field scroe')
  await expectUsable(page)
  await button(page, 'score').click()
  await expect.poll(() => matches(page)).toEqual(['Alan Turing'])
  expect(await box(page).textContent()).toBe('status = active and score > 50')
  expect(await box(page).getAttribute('aria-invalid')).toBeNull()

  await page.keyboard.press('Control+a')
  await page.keyboard.type('owner = "Grace Hoper" ')
  await page.getByText('No user is named Grace Hoper.').waitFor()
  await button(page, 'Grace Hopper').click()
  await expect.poll(() => box(page).textContent()).toBe('owner = "Grace Hopper" ')
  await page.getByText('No matches').waitFor()

  // Enter on what could go on, but names what does not exist, says so.
  await page.keyboard.press('Control+a')
  await page.keyboard.type('statsu = "x"')
  await offers(page).filter({ hasText: 'and' }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('There is no field statsu on person.').waitFor()
  expect(await box(page).textContent()).toBe('statsu = "x"')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Valencia')
  await page.keyboard.press('Escape')
  await page.getByText('search("Valencia")').waitFor()
})

test('on a phone in dark mode, the page and the form of a chip are usable', async () => {
  const { page } = await at(withFilter('/filter-syntax', 'status = active and created_at > -30d'), {
    viewport: phone,
    colorScheme: 'dark',
  })
  await page.getByText('Barbara Liskov').waitFor()
  await button(page, 'Created is after 30 days ago').click()
  await page.getByRole('textbox', { name: 'When' }).fill('7')
  await expectUsable(page)
  await page.keyboard.press('Enter')
  await expect.poll(() => box(page).textContent()).toBe('status = active and created_at > -7d')
  await page.getByRole('tab', { name: 'Fields of people' }).click()
  await expectUsable(page)
  await page.getByRole('tab', { name: 'The whole language' }).click()
  await expectUsable(page)
})
