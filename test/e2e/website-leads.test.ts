import type { FrameLocator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectUsable, expectUsableEverywhere, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { soon, testWorker } from '../worker.ts'

const { kith, ada, at, visit, origin, expectComplaint } = await testWeb({ own: true })
await testWorker(kith)

/** People take longer than three seconds; the clock of the test does it for them. */
const wait = () => {
  kith.time.now = new Date(kith.time.now.getTime() + 10_000)
}
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const rows = (page: Page) => page.getByRole('list', { name: 'Submissions' }).getByRole('listitem')
const detail = (page: Page) => page.getByRole('region', { name: 'Submission', exact: true })
const preview = (page: Page): FrameLocator => page.frameLocator('iframe[title="Preview of the form"]')

test('a form is built beside its preview, published, and what a visitor sends becomes a lead', async () => {
  const { page, api } = await at('/company/website-leads')
  await page.getByText('Turn visitors into leads').waitFor()
  await expectUsable(page)
  await page.getByRole('button', { name: 'Create form' }).click()
  await page.getByRole('heading', { level: 1, name: 'Contact us' }).waitFor()
  await preview(page).getByLabel('Email').waitFor()

  await page.getByLabel('Title', { exact: true }).fill('Talk to sales')
  await preview(page).getByRole('heading', { name: 'Talk to sales' }).waitFor()
  const fields = page.getByRole('list', { name: 'Fields of the form' })
  await page.getByRole('combobox', { name: 'Add a field' }).fill('s')
  await page.getByRole('option', { name: /^Source/ }).waitFor()
  expect(await page.getByRole('option', { name: /^(Score|Status|First response)/ }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await fields.getByRole('button', { name: /^Phone/ }).click()
  await fields.getByLabel('Label', { exact: true }).fill('Mobile')
  await fields.getByLabel('Help').fill('We call only once.')
  await fields.getByRole('checkbox', { name: 'Required' }).check()
  await preview(page).getByText('We call only once.').waitFor()
  // By keyboard: the message moves above the company, then starts a step of its own.
  await fields.getByRole('button', { name: 'Move Message', exact: true }).press('ArrowUp')
  await page.getByText('Message is now 5 of 6').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Add step' }).click()
  await page.getByLabel('Title of step 2').fill('About you')
  await fields.getByRole('button', { name: 'Move step 2', exact: true }).press('ArrowUp')
  await page.getByRole('combobox', { name: 'Add a field' }).fill('campaign')
  await page
    .getByRole('option', { name: /^Campaign/ })
    .first()
    .click()
  await fields.getByRole('switch', { name: 'Hidden' }).check()
  await fields.getByLabel('Value').fill('autumn')
  await page.getByRole('switch', { name: 'Ask for consent' }).check()
  await page.getByRole('button', { name: 'Save form' }).click()
  await page.getByText('Enter the text that people agree to').waitFor()
  await page.getByLabel('Consent text').fill('I agree to the [privacy policy](https://example.com/privacy).')
  await page.getByLabel('Label of the button').fill('Call me')
  await page.getByLabel('Thank-you text').fill('We call you tomorrow.')
  await expectUsableEverywhere(page)

  // The preview follows the field that is edited, and goes on without what is required.
  await fields.getByRole('button', { name: /^Company/ }).click()
  await preview(page).getByText('Step 2 of 2').waitFor()
  await fields.getByRole('button', { name: /^Email/ }).click()
  await preview(page).getByText('Step 1 of 2').waitFor()
  await preview(page).getByRole('button', { name: 'Next' }).click()
  await preview(page).getByRole('heading', { name: 'About you' }).waitFor()
  await preview(page).getByRole('button', { name: 'Call me' }).click()
  await preview(page).getByText('We call you tomorrow.').waitFor()
  expect((await api.listLeadSubmissions({})).items).toEqual([])

  await tab(page, 'Embed').click()
  await page.getByText('What you changed on this page is not saved yet.').waitFor()
  await page.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Save form' }).click()
  await page.getByText('Form saved').waitFor()
  await tab(page, 'Embed').click()
  await page.getByRole('button', { name: 'Copy script' }).click()
  await expectUsable(page)

  const [source] = (await api.listLeadSources({})).items
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(source!.embed.script)
  expect(source).toMatchObject({ title: 'Talk to sales', submit_label: 'Call me', step_titles: ['', 'About you'] })
  expect(source!.fields.map(({ field, step }) => `${field} ${step}`)).toEqual([
    'first_name 1',
    'last_name 1',
    'email 1',
    'phone 1',
    'message 1',
    'company_name 2',
    'campaign 2',
  ])

  const site = await visit(source!.embed.page.replace(kith.services.baseUrl.origin, origin), { viewport: phone })
  await site.getByText('Step 1 of 2').waitFor()
  wait()
  await site.getByLabel('First name').fill('Grace')
  await site.getByLabel('Email').fill('grace@example.com')
  await site.getByLabel('Mobile').fill('+1 212 555 0101')
  await site.getByRole('button', { name: 'Next' }).click()
  await site.getByRole('checkbox').check()
  await site.getByRole('button', { name: 'Call me' }).click()
  await site.getByText('We call you tomorrow.').waitFor()

  await tab(page, 'Submissions').click()
  await detail(page).getByText('Created a lead').waitFor()
  await detail(page).getByRole('link', { name: 'privacy policy' }).waitFor()
  await expectUsableEverywhere(page)
  await detail(page).getByRole('link', { name: 'Open lead' }).click()
  await page.getByRole('heading', { level: 1, name: 'Grace' }).waitFor()
  await page.getByRole('link', { name: 'Open submission' }).click()
  await detail(page).getByText('Created a lead').waitFor()
  const { records } = await api.listRecords({ object: 'leads' })
  expect(records[0]).toMatchObject({ email: 'grace@example.com', campaign: 'autumn', source: 'Contact us' })
})

test('who gets leads, duplicates, tags and the automatic reply are saved, and what is wrong is explained', async () => {
  const { api, token, owner } = await ada()
  expectComplaint(/422/)
  await api.updateField({ object: 'leads', field: 'tags', add_options: [{ key: 'website', label: 'Website' }] })
  const source = await api.createLeadSource({ name: 'Pricing' })
  const page = await visit(`/company/website-leads/${source.id}?tab=leads`, { token })
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Choose at least one user').waitFor()
  await page.getByRole('combobox', { name: 'Members of rule 1' }).click()
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
  await api.submitLead({ source_id: source.id, values: { email: 'grace@example.com', first_name: 'Grace' } })
  await soon(async () => expect((await api.getLeadSource({ id: source.id })).leads_30d).toBe(1))

  const page = await visit('/company/website-leads', { token })
  await page.getByRole('link', { name: '1 spam submissions of Contact' }).click()
  await page.getByText('Kept with the reasons and deleted after 30 days').waitFor()
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
  await api.submitLead({ source_id: source.id, values: { email: 'hal@example.com' } })
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
  await page.goto(`/company/website-leads/${id}`)
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
  await other.getByText('Not for your role').waitFor()
})
