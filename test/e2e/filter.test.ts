import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { scopeOf } from '../../server/engine/rights/scope.ts'
import { readSchema } from '../../server/engine/schema/schema.ts'
import type { Actor } from '../../server/kernel/context.ts'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'

const { kith, ada, visit, origin } = await testWeb()

/** A company with a few people, and one of its Admins at a page. */
async function at(path: string, options: Parameters<typeof visit>[1] = {}) {
  const { owner, token, api } = await ada()
  await kith.given.user(owner, { name: 'Grace Hopper' })
  const { records } = await api.createRecords({ object: 'organizations', records: [{ name: 'Acme', country: 'DE' }] })
  const organization = records[0]!.id
  await api.createRecords({
    object: 'people',
    records: [
      { first_name: 'Alan', last_name: 'Turing', status: 'active', score: 80, organization },
      { first_name: 'Barbara', last_name: 'Liskov', status: 'active', score: 20 },
      { first_name: 'Donald', last_name: 'Knuth', status: 'customer', score: 60, city: "L'Aquila" },
    ],
  })
  const page = await visit(path, { token, ...options })
  return { page, owner, api, organization }
}

const box = (page: Page) => page.getByRole('textbox', { name: 'Filter', exact: true })
const offers = (page: Page) => page.getByRole('option')
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const filterIn = (page: Page) => new URL(page.url()).searchParams.get('filter') ?? ''
const matches = (page: Page) => page.getByRole('list', { name: 'First matches' }).getByRole('link').allTextContents()
const withFilter = (path: string, filter: string) => `${path}?${new URLSearchParams({ filter })}`
/** In a list of choices. Offers come a moment after the keys; a person looks before pressing Enter. */
const pick = async (page: Page, name: string | RegExp) => {
  await offers(page).filter({ hasText: name }).first().waitFor()
  await page.keyboard.press('Enter')
}
/** In the text. */
const complete = async (page: Page, name: string | RegExp) => {
  await offers(page).filter({ hasText: name }).first().waitFor()
  await page.keyboard.press('Tab')
}

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
      // Somebody called Ada must not exist for the example to be one.
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
  await page.getByRole('menuitem', { name: 'Negate' }).click()
  await expect.poll(() => filterIn(page)).toBe(`not ${grouped}`)
  await button(page, 'or').click()
  await button(page, 'Remove filter: Score').click()
  await expect.poll(() => filterIn(page)).toBe('not status in (prospect, active) and organization.country = DE')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Filter')
})

test('the list of fields is focused before the next key after a click on Filter', async () => {
  const { page } = await at('/records/people')
  await button(page, 'Filter').waitFor()
  const focused = await button(page, 'Filter').evaluate(async (element: HTMLElement) => {
    element.click()
    // Microtasks run before the next key event.
    for (let i = 0; i < 3; i++) await Promise.resolve()
    return document.activeElement?.getAttribute('aria-label')
  })
  expect(focused).toBe('Field to filter by')
})

test('quiet for and countries have chips in the user’s language, and suggestions in the text', async () => {
  const { page, api } = await at('/records/people')
  await api.updateMe({ language: 'de-DE' })
  const country = async (first_name: string, country: string) =>
    api.createRecords({ object: 'people', records: [{ first_name, country }] })
  await country('Lena', 'Austria')
  await country('Aslan', 'Narnia')
  await page.reload()
  await button(page, 'Filter').click()
  await page.keyboard.type('quiet')
  await pick(page, 'Quiet for')
  await page.getByRole('textbox', { name: 'No activity for' }).fill('3')
  await page.getByRole('combobox', { name: 'Counted in' }).selectOption('weeks')
  await expectUsable(page)
  await page.keyboard.press('Escape')
  await button(page, 'Quiet for 3 weeks').waitFor()
  await expect.poll(() => filterIn(page)).toBe('quiet for 3w')
  await page.getByText('Remove a condition').waitFor()
  await button(page, 'Quiet for 3 weeks').click()
  await button(page, 'Negate').click()
  await expect.poll(() => filterIn(page)).toBe('not quiet for 3w')

  await button(page, 'Filter').click()
  await page.keyboard.type('country')
  await pick(page, 'Country')
  await page.getByRole('combobox', { name: 'Countries for Country' }).waitFor()
  await page.keyboard.type('öst')
  await pick(page, 'Österreich')
  await page.keyboard.type('narnia')
  await pick(page, '“narnia”')
  await page.keyboard.press('Escape')
  await button(page, 'Country is any of Österreich, narnia').waitFor()
  await expect.poll(() => filterIn(page)).toBe('not quiet for 3w and country in (AT, narnia)')
  await page.getByRole('link', { name: 'Aslan' }).waitFor()
  await page.getByRole('link', { name: 'Lena' }).waitFor()

  await button(page, 'Edit as text').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('qui')
  await complete(page, 'quiet for')
  await page.keyboard.type('14')
  await complete(page, '14d')
  await page.keyboard.type(' or country = deutsch')
  await complete(page, 'DE')
  await expect.poll(() => box(page).textContent()).toBe('quiet for 14d or country = DE')
})

test('switching between chips and text loses nothing, and a condition without a chip opens the text', async () => {
  const filter = 'any(deals: amount > 5000) and created_at > -30d'
  const { page } = await at(withFilter('/records/people', filter))
  await button(page, 'Created is after 30 days ago').waitFor()
  await button(page, 'At least one of its deals matches (amount is above 5000)').click()
  await expect.poll(() => box(page).textContent()).toBe(filter)
  await page.keyboard.type(' and city = ')
  await button(page, 'Show as chips').click()
  await page.getByText('The filter is incomplete').waitFor()
  expect(await box(page).textContent(), 'half a filter stays').toBe(`${filter} and city = `)
  await box(page).click()
  await page.keyboard.press('End')
  await page.keyboard.type('Rome')
  await page.keyboard.press('Escape')
  await button(page, 'City is "Rome"').waitFor()
  await expect.poll(() => filterIn(page)).toBe(`${filter} and city = Rome`)
  await button(page, 'Clear').click()
  await page.getByText('Alan Turing').waitFor()
  expect(filterIn(page)).toBe('')
})

test('text typed right after the click is kept, Tab completes, and Enter applies', async () => {
  const { page } = await at('/records/people')
  await button(page, 'Edit as text').click()
  await page.keyboard.type('city = Rome')
  await page.keyboard.press('Enter')
  await page.keyboard.type(' and score > 1')
  await expect.poll(() => filterIn(page)).toBe('city = Rome')
  await expect.poll(() => box(page).textContent()).toBe('city = Rome and score > 1')

  await page.keyboard.press('Control+a')
  await page.keyboard.type('owner = "Grace')
  await complete(page, 'Grace Hopper')
  await offers(page).filter({ hasText: 'and' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => filterIn(page)).toMatch(/^owner = "[^"]+@example.com"$/)

  await page.keyboard.press('Control+a')
  await page.keyboard.type('any(deals: status = won)')
  await offers(page).filter({ hasText: 'and' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => filterIn(page)).toBe('any(deals: status = won)')

  await page.keyboard.press('Backspace')
  await page.keyboard.type(')')
  await offers(page).filter({ hasText: 'and' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.type('scroe > 1 ')
  await expect.poll(() => box(page).textContent()).toBe('any(deals: status = won) and scroe > 1 ')
  const said = (await page.getByText('There is no field scroe').boundingBox())!
  await page.keyboard.press('Control+Space')
  // Drawn again for every answer of the server, so an element that was found may be gone by now.
  const top = () => page.evaluate(() => document.querySelector('[role="option"]')?.getBoundingClientRect().y ?? 0)
  await expect.poll(top, { message: 'the error stays visible' }).toBeGreaterThanOrEqual(said.y + said.height)
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

test('f starts a condition, and text typed right after Ctrl-K is kept', async () => {
  const { page } = await at('/records/people')
  await page.getByText('Alan Turing').waitFor()
  await page.keyboard.press('f')
  await page.getByPlaceholder('Filter by…').waitFor()
  await page.keyboard.type('stat')
  await page.keyboard.press('Enter')
  const options = page.getByPlaceholder('Search', { exact: true })
  await options.fill('act')
  await page.keyboard.press('Enter')
  expect(await options.inputValue(), 'the next is searched for among all').toBe('')
  await page.keyboard.press('Escape')
  await expect.poll(() => filterIn(page)).toBe('status = active')

  await page.goto('/dashboard')
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('alan turing')
  await page.getByRole('option', { name: /Alan Turing/ }).waitFor()
  expect(await page.getByPlaceholder('Find records').inputValue()).toBe('alan turing')
})

test('a view keeps records and users by id, and shows them by name in chips and as text', async () => {
  const { page, api, owner, organization } = await at('/records/people')
  const filter = `organization = Acme and (owner = "Grace Hopper" or owner = ${owner.user_id})`
  const { id, filter: kept } = await api.createView({ object: 'people', name: 'Of Acme', filter, is_shared: true })
  expect(kept).toContain(organization)
  await api.updateRecords({
    object: 'organizations',
    records: [{ id: organization, values: { name: 'Acme Holding' } }],
  })
  await page.goto(`${origin}/records/people?view=${id}`)
  await button(page, /Organization is Acme Holding/).waitFor()
  await button(page, 'Edit as text').click()
  const text = 'organization = "Acme Holding" and (owner = "Grace Hopper" or owner = "Ada Lovelace")'
  await expect.poll(() => box(page).textContent()).toBe(text)
  await button(page, 'Show as chips').click()
  await button(page, /Organization is Acme Holding/).waitFor()
  expect(await button(page, 'Save view').count(), 'nothing was changed').toBe(0)
  await api.deleteRecords({ object: 'organizations', ids: [organization] })
  await page.reload()
  await page.getByText(/no longer works\. Organization: Acme Holding is in the trash/).waitFor()
  await expectUsable(page)
})

test('a filter by user keeps the ID, and a list opened from the menu has no filter left over', async () => {
  const { page, owner } = await at('/records/people')
  await button(page, 'Filter').click()
  await page.getByRole('combobox', { name: 'Field to filter by' }).waitFor()
  await page.keyboard.type('owner')
  await pick(page, 'Owner')
  await page.getByRole('combobox', { name: 'Users for Owner' }).waitFor()
  const early = /users\?search=a(&|$)/
  await page.route(early, () => {})
  const [asked] = await Promise.all([page.waitForRequest(early), page.keyboard.type('a')])
  const ended = page.waitForEvent('requestfailed', (request) => request === asked)
  await page.keyboard.type('da')
  expect((await ended).failure()?.errorText, 'a search that is superseded is cancelled').toBe('net::ERR_ABORTED')
  await offers(page).filter({ hasText: 'Grace Hopper' }).waitFor({ state: 'detached' })
  await pick(page, 'Ada Lovelace')
  await expect.poll(() => filterIn(page)).toBe(`owner = ${owner.user_id}`)
  await page.keyboard.press('Escape')
  await button(page, 'Owner is Ada Lovelace').waitFor()
  await page.getByRole('link', { name: 'Filter Syntax', exact: true }).first().click()
  await page.getByRole('link', { name: 'People', exact: true }).first().click()
  await page.getByRole('link', { name: 'Donald Knuth' }).waitFor()
  expect(filterIn(page)).toBe('')
})

test('tasks can be listed by when they were completed', async () => {
  const { page, api } = await at('/records/tasks')
  const due_at = '2026-11-21T22:30:00Z'
  await api.createRecords({ object: 'tasks', records: [{ title: 'Call Ada', status: 'done', due_at }] })
  const due = page.getByRole('gridcell').getByText('Nov 21, 2026, 10:30 PM')
  expect(await due.evaluate((text) => text.scrollWidth - text.clientWidth), 'a time fits its column').toBe(0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menu').or(page.getByRole('dialog')).getByText('Completed', { exact: true }).waitFor()
})

test('words typed as a filter are searched for, 10k is a number, and a near miss stays an error with suggestions', async () => {
  const { page } = await at('/records/people')
  await page.getByText('Alan Turing').waitFor()
  await button(page, 'Edit as text').click()
  await page.keyboard.type('turing')
  await page.getByText('Enter searches for “turing”').waitFor()
  await expectUsable(page)
  await page.keyboard.press('Enter')
  await button(page, 'Any text contains "turing"').waitFor()
  expect(filterIn(page)).toBe('search("turing")')
  await page.getByText('Barbara Liskov').waitFor({ state: 'detached' })
  await button(page, 'Clear').click()
  await page.getByText('Barbara Liskov').waitFor()

  await button(page, 'Filter').click()
  await page.keyboard.type('liskov')
  await pick(page, 'Any text contains “liskov”')
  await button(page, 'Any text contains "liskov"').waitFor()
  await expect.poll(() => filterIn(page)).toBe('search("liskov")')

  await button(page, 'Edit as text').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('score < 1k')
  await page.keyboard.press('Enter')
  await page.getByText('Alan Turing').waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('status = custmer')
  await page.keyboard.press('Enter')
  await page.getByText('status has no option custmer').waitFor()
  await page.getByRole('button', { name: 'customer', exact: true }).waitFor()
})

test('on a phone, a number in a chip can be written 0.05k, and words are searched for', async () => {
  const { page } = await at('/records/people', { viewport: phone })
  await page.getByText('Alan Turing').waitFor()
  await button(page, 'View, filter and sort').click()
  await button(page, 'Filter').click()
  await page.keyboard.type('score')
  await pick(page, 'Score')
  await page.getByRole('textbox', { name: 'Number for Score' }).fill('0.05k')
  await page.getByText('50', { exact: true }).first().waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => filterIn(page)).toBe('score >= 50')
  await page.getByText('Barbara Liskov').waitFor({ state: 'detached' })
  await expectUsable(page)
  await button(page, 'Clear').click()
  await page.getByText('Barbara Liskov').waitFor()
  await button(page, 'Filter').click()
  await page.keyboard.type('liskov')
  await pick(page, 'Any text contains “liskov”')
  await expect.poll(() => filterIn(page)).toBe('search("liskov")')
  await page.getByText('Alan Turing').waitFor({ state: 'detached' })
})
