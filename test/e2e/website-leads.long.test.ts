// Covers: web/screens/settings/website-leads server/leads
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectUsable, expectUsableEverywhere, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { soon, testWorker } from '../worker.ts'
import { goTo } from './navigate.ts'
import { detail, preview, tab } from './website-leads-page.ts'

const { kith, ada, visit, origin, expectComplaint } = await testWeb({ own: true })
await testWorker(kith)

const rows = (page: Page) => page.getByRole('list', { name: 'Submissions' }).getByRole('listitem')

test('who gets leads, duplicates, tags and the automatic reply are saved, and what is wrong is explained', async () => {
  const { api, token, owner } = await ada()
  expectComplaint(/422/)
  await api.updateField({ object: 'leads', field: 'tags', add_options: [{ key: 'website', label: 'Website' }] })
  const source = await api.createLeadSource({ name: 'Pricing' })
  const page = await visit(`/company/website-leads/${source.id}?tab=leads`, { token })
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Choose at least one user').waitFor()
  await page.getByRole('combobox', { name: 'Users of rule 1' }).click()
  await page.getByRole('option', { name: /^Ada Lovelace/ }).click()
  await page.getByRole('button', { name: 'Edit as text' }).click()
  await page.getByRole('textbox', { name: 'Filter' }).fill('score > 50')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: /If an open lead/ }).click()
  await page.getByRole('option', { name: 'Create a new lead' }).click()
  await page.getByRole('combobox', { name: 'Tags' }).click()
  await page.getByRole('option', { name: 'Website' }).click()
  await page.getByRole('switch', { name: 'Automatic reply' }).check()
  await page.getByText('no mail server yet').getByRole('link', { name: 'Company, Mail' }).waitFor()
  await page.getByLabel('Subject').fill('Thank you')
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('We answer soon.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Set up a mail server first').waitFor()
  await page.getByRole('switch', { name: 'Automatic reply' }).uncheck()
  await expectUsableEverywhere(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Lead settings of this form saved').waitFor()
  expect(await api.getLeadSource({ id: source.id })).toMatchObject({
    assignment: [{ filter: 'score > 50', user_ids: [owner.user_id] }],
    duplicates: 'create',
    tags: ['Website'],
    // Kept for when there is one.
    autoresponse: { subject: 'Thank you', text: 'We answer soon.', is_on: false },
  })
})

test('spam becomes a lead by one click, a failed submission is processed again, and both show why', async () => {
  const { api, token, owner } = await ada()
  const former = await kith.given.user(owner)
  const source = await api.createLeadSource({ name: 'Contact' })
  const url = `${origin}/public/forms/${source.form_id}/submissions`
  const send = (values: Record<string, string>) => fetch(url, { method: 'POST', body: new URLSearchParams(values) })
  const spam = 'http://a.example http://b.example http://c.example <a href="http://d.example">x</a>'
  await send({ email: 'spam@example.com', first_name: 'Sam', message: spam })
  await api.submitLead({ id: source.id, values: { email: 'grace@example.com', first_name: 'Grace' } })
  await soon(async () => expect((await api.getLeadSource({ id: source.id })).leads_30d).toBe(1))

  const page = await visit('/company/website-leads', { token })
  await page.getByRole('link', { name: '1 spam submissions of Contact' }).click()
  await page.getByText('Spam is kept with the reasons and deleted after 30 days').waitFor()
  await detail(page).getByText('It contains markup for links').waitFor()
  await expectUsable(page)
  await detail(page).getByRole('button', { name: 'Not spam' }).click()
  await detail(page).getByText('Created a lead').waitFor()
  expect((await api.listRecords({ object: 'leads' })).records).toHaveLength(2)
  await detail(page).getByRole('button', { name: 'Mark as spam' }).click()
  await detail(page).getByRole('button', { name: 'Not spam' }).waitFor()
  expect((await api.listRecords({ object: 'leads' })).records).toHaveLength(1)
  await detail(page).getByRole('button', { name: 'Not spam' }).click()
  await detail(page).getByRole('button', { name: 'Mark as spam' }).waitFor()

  await api.updateLeadSource({ id: source.id, owner_id: former.user_id })
  await kith.db.updateTable('users').set({ deactivated_at: new Date() }).where('id', '=', former.user_id).execute()
  await api.submitLead({ id: source.id, values: { email: 'hal@example.com' } })
  await soon(async () => expect((await api.getLeadSource({ id: source.id })).failed).toBe(1))
  await page.goto('/company/website-leads?tab=submissions')
  await page.getByRole('combobox', { name: 'Form' }).click()
  await page.getByRole('option', { name: 'Contact' }).click()
  await page.waitForURL(/source=/)
  await detail(page).getByText('can no longer sign in').waitFor()
  await api.updateLeadSource({ id: source.id, owner_id: owner.user_id })
  await detail(page).getByLabel('Email').fill('hal.9000@example.com')
  await expectUsable(page)
  await detail(page).getByRole('button', { name: 'Process again' }).click()
  await detail(page).getByText('Created a lead').waitFor()
  await detail(page).getByRole('heading', { name: 'hal.9000@example.com' }).waitFor()

  await rows(page).first().getByRole('link').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/submission=/)
  await page.setViewportSize(phone)
  await page.getByRole('dialog').getByText('As received').waitFor()
  await expectUsable(page)
})

test('score rules and the target of the first response are saved, with how many leads match now', async () => {
  const { api, token } = await ada()
  await api.createRecords({ object: 'leads', records: [{ email: 'a@example.com', company_name: 'Acme' }] })
  const page = await visit('/company/website-leads?tab=settings', { token })
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.getByRole('button', { name: 'Save lead settings' }).click()
  await page.getByText('Enter a name').waitFor()
  await page.getByLabel('Name of rule 1').fill('Has a company')
  await page.getByLabel('Points of rule 1').fill('25')
  await page.getByRole('button', { name: 'Edit as text' }).click()
  await page.getByRole('textbox', { name: 'Filter' }).fill('company_name is not empty')
  await page.keyboard.press('Enter')
  await page.getByText('Matches 1 lead').waitFor()
  await page.getByRole('switch', { name: 'Set a target' }).check()
  await page.getByLabel('Within').fill('4')
  await expectUsableEverywhere(page)
  await page.getByRole('button', { name: 'Save lead settings' }).click()
  await page.getByText('Lead settings saved').waitFor()
  expect(await api.getLeadSettings({})).toEqual({
    response_minutes: 240,
    score_rules: [{ name: 'Has a company', filter: 'company_name is not empty', points: 25 }],
  })
})

test('on a phone the list, the form and its preview fit, and others see that they may not', async () => {
  const { api, token, owner } = await ada()
  const { id } = await api.createLeadSource({ name: 'Contact' })
  const page = await visit('/company/website-leads', { token, viewport: phone })
  await page.getByRole('link', { name: 'Contact', exact: true }).waitFor()
  await expectUsable(page)
  await goTo(page, `/company/website-leads/${id}`)
  await page.getByText('Drag to reorder').waitFor()
  await expectUsable(page)
  await page.getByText('Preview', { exact: true }).first().click()
  await preview(page).getByLabel('Email').waitFor()
  await expectUsable(page)
  await tab(page, 'Embed').click()
  await page.getByText('Allowed websites').waitFor()
  await expectUsable(page)
  const member = await kith.given.session(await kith.given.user(owner))
  const other = await visit('/company/website-leads', { token: member })
  await other.getByText('You don’t have access').waitFor()
})
