import { expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { answer, code, list, send, status } from './api-operations.ts'

const web = await testWeb()
const { kith, ada, visit } = web

/** A company with an object of its own. */
async function withProjects() {
  const made = await ada()
  await made.api.createObject({ key: 'projects', label: 'Project', label_plural: 'Projects' })
  await made.api.createField({
    object: 'projects',
    key: 'priority',
    label: 'Priority',
    type: 'select',
    is_required: true,
    options: [{ label: 'High' }, { label: 'Low' }],
  })
  return made
}

test('an operation is found, shows the fields of the company, is copied in every language and tried out', async () => {
  const { token, owner } = await withProjects()
  const page = await visit('/dashboard', { token })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByLabel('Search records, pages and actions').fill('openapi')
  await page.getByRole('option', { name: 'API', exact: false }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'API', level: 1 }).waitFor()
  await page.getByRole('heading', { name: 'Start with' }).waitFor()
  await expectUsable(page)

  await page.getByLabel('Search operations').fill('create records')
  await list(page)
    .getByRole('link', { name: /^Create records POST/ })
    .click()
  await page.getByText('Your role can create People.').waitFor()
  await page.getByRole('combobox', { name: 'Object' }).click()
  await page.getByRole('option', { name: 'Projects' }).click()
  const priority = page
    .getByRole('list', { name: 'Input' })
    .getByRole('listitem')
    .filter({ hasText: /^priority/ })
  await priority.waitFor()
  expect(await priority.textContent()).toMatch(/required.*Priority.*high.*low/)
  expect(new URL(page.url()).searchParams.get('object')).toBe('projects')

  const parts: [tab: string, part: string][] = [
    ['REST', 'POST /api/v1/records/projects HTTP/1.1'],
    ['JavaScript', 'process.env.KITH_API_KEY'],
    ['Python', 'os.environ["KITH_API_KEY"]'],
    ['MCP', '"create_records"'],
    ['curl', '-H "x-api-key: $KITH_API_KEY"'],
  ]
  for (const [tab, part] of parts) {
    await page.getByRole('tab', { name: tab, exact: true }).click()
    expect(await code(page)).toContain(part)
    expect(await code(page)).toContain('"priority"')
  }

  // A write is a preview until dry_run is taken out.
  await send(page)
  await status(page, 201)
  expect((await kith.withSession(token).countRecords({ object: 'projects' })).count).toBe(0)
  const body = page.getByLabel('Body')
  await body.fill((await body.inputValue()).replace(/,\s*"dry_run": true/, ''))
  await page.getByText("Changes your company's data.").waitFor()
  await page.getByLabel('Idempotency-Key').fill('first')
  await send(page)
  await expect.poll(async () => (await kith.withSession(token).countRecords({ object: 'projects' })).count).toBe(1)
  const again = page.waitForResponse('**/records/projects')
  await send(page)
  expect((await again).status()).toBe(201)
  expect((await kith.withSession(token).countRecords({ object: 'projects' })).count).toBe(1)
  await body.fill('{')
  await page.getByText('This is not valid JSON.').waitFor()
  expect(await page.getByRole('button', { name: 'Send request' }).isDisabled()).toBe(true)
  await expectUsable(page)

  // With a key of someone else, who may do less.
  const member = await kith.given.user(owner, { name: 'Mia' })
  const key = await kith.given.key(member)
  await page.getByLabel('Search operations').fill('audit')
  await list(page)
    .getByRole('link', { name: /^List audit log events/ })
    .click()
  await page.getByText('With an API key').click()
  await page.getByLabel('API key', { exact: true }).fill(key)
  web.expectComplaint(/403/)
  await send(page)
  await status(page, 403)
  expect(await answer(page).textContent()).toContain('"code": "forbidden"')
  const stored = () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, document.cookie])
  expect(await page.evaluate(stored)).not.toContain(key)
  expect(await page.getByRole('tabpanel').locator('pre').textContent()).not.toContain(key)
  await kith.requests.flush()
  await answer(page).getByRole('link', { name: 'Inspect' }).click()
  await page.getByRole('heading', { name: 'Request inspector' }).waitFor()
  await page.getByRole('cell', { name: '403 Refused' }).waitFor()
  expect(await page.getByRole('table', { name: 'Requests' }).getByRole('row').count()).toBe(2)
})

test('on a phone, the list leads to an operation and back', async () => {
  const { token } = await ada()
  const page = await visit('/api-reference', { token, viewport: phone })
  await page.getByLabel('Search operations').fill('search records')
  await list(page)
    .getByRole('link', { name: /^Search records/ })
    .click()
  await page.getByRole('heading', { name: 'Search records', level: 2 }).waitFor()
  expect(await list(page).count()).toBe(0)
  await expectUsable(page)
  await send(page)
  await status(page, 200)
  await expectUsable(page)
  await page.getByRole('link', { name: 'All operations' }).click()
  await list(page).waitFor()
})

test('the reference can be read without signing in, and a link opens the operation', async () => {
  const page = await visit('/api/v1/docs#createRecords', { viewport: phone })
  await page.getByRole('heading', { name: 'Kith API', level: 1 }).waitFor()
  await page.getByText('curl -sS -X POST').first().waitFor({ state: 'visible' })
  // The others look the same, and checking all of them takes half a minute.
  await page.evaluate(() => {
    for (const section of document.querySelectorAll('section ~ section')) section.remove()
  })
  await expectUsable(page)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.waitForURL(/\/(sign-in|set-up|api-reference)/)
})
