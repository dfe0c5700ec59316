// Covers: web/screens/filter-syntax web/records/filter contract/filter
import { expect, test } from 'vitest'
import { scopeOf } from '../../server/engine/rights/scope.ts'
import { readSchema } from '../../server/engine/schema/schema.ts'
import type { Actor } from '../../server/kernel/context.ts'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { box, button, matches, offers, visitor, withFilter } from './filter-page.ts'

const web = await testWeb()
const { kith, origin } = web
const at = visitor(web)

test('the same filter can be copied in every format, without a key', async () => {
  const filter = `city = "L'Aquila"`
  const { page, owner } = await at(withFilter('/filter-syntax', filter))
  const copied = async (name: string) => {
    await page.getByRole('tab', { name, exact: true }).click()
    await page.getByRole('tabpanel', { name, exact: true }).getByRole('button').click()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  expect(await copied('Text')).toBe(filter)
  expect(JSON.parse(await copied('JSON'))).toEqual({ field: 'city', op: 'eq', value: "L'Aquila" })
  const key = await kith.given.key(owner)
  const url = await copied('REST URL')
  const answer = await kith.send(url.replace(origin, ''), { headers: { 'x-api-key': key } })
  expect(((await answer.json()) as { records: { title: string }[] }).records.map(({ title }) => title)).toEqual([
    'Donald Knuth',
  ])
  expect(await copied('curl')).toBe(
    [
      `curl -sSG ${origin}/api/v1/records/people`,
      '  -H "x-api-key: $KITH_API_KEY"',
      `  --data-urlencode 'filter=city = "L'\\''Aquila"'`,
    ].join(' \\\n'),
  )
  expect(JSON.parse(await copied('MCP call'))).toMatchObject({
    method: 'tools/call',
    params: { name: 'query_records', arguments: { object: 'people', filter } },
  })
})

test('every field of an object is listed as the server knows it, and every example can be tried', async () => {
  const { page, owner, api } = await at('/filter-syntax?object=deals')
  const schema = await readSchema(kith.db, owner.company_id)
  const known = scopeOf(schema, { is_admin: true } as Actor).deals!.fields.map(({ key }) => key)
  await page.getByRole('tab', { name: 'Fields of deals' }).click()
  const rows = page.getByRole('table', { name: 'Fields of Deals' }).getByRole('row')
  const shown = await rows.evaluateAll((all) => all.slice(1).map((row) => row.querySelector('td')!.textContent))
  expect(shown).toEqual(known)
  await page.getByRole('textbox', { name: 'Search the fields of Deals' }).fill('close')
  await expect.poll(() => rows.count()).toBe(3)
  await button(page, 'expected_close in this_month').click()
  await page.getByText('Expected close is in this month.').waitFor()

  for (const tab of ['Examples', 'The whole language']) {
    await page.getByRole('tab', { name: tab }).click()
    const texts = await page.getByTitle('Try it out').allTextContents()
    expect(texts.length).toBeGreaterThan(10)
    const objects = ['deals', 'people', 'organizations', 'tasks']
    for (const filter of new Set(texts)) {
      const checks = await Promise.all(objects.map((object) => api.validateFilter({ object, filter })))
      const faults = checks.map((check) => check.faults.map(({ message }) => message).join())
      // The example names a user called Ada, who does not exist here.
      expect(
        faults.some((fault) => fault === '' || /is named/.test(fault)),
        filter,
      ).toBe(true)
    }
  }
  await page.getByRole('tab', { name: 'Operators by type' }).click()
  await page.getByTitle('Try amount between 1000 and 5000').click()
  await page.getByText('Amount is between 1000 and 5000.').waitFor()
})

test('errors are underlined, announced to screen readers, and fixed with a click', async () => {
  const { page } = await at(withFilter('/filter-syntax', 'status = active and scroe > 50'))
  await page.getByText('There is no field scroe on people.').waitFor()
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
  await page.getByText('There is no field statsu on people.').waitFor()
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
