import { expect, test } from 'vitest'
import { expectUsable, expectUsableEverywhere, testWeb } from '../browser.ts'
import { desktop, phone } from '../chromium.ts'
import { testWorker } from '../worker.ts'
import { detail, preview, tab } from './website-leads-page.ts'

const { kith, at, visit, origin } = await testWeb({ own: true })
await testWorker(kith)

/** People take longer than three seconds; the clock of the test does it for them. */
const wait = () => {
  kith.time.now = new Date(kith.time.now.getTime() + 10_000)
}

test('a form is built beside its preview, published, and what a visitor sends becomes a lead', async () => {
  const { page, api } = await at('/company/website-leads')
  await page.getByText('Turn visitors into leads').waitFor()
  await expectUsable(page)
  await page.getByRole('button', { name: 'Create form' }).click()
  await page.getByRole('heading', { level: 1, name: 'Contact us' }).waitFor()
  await preview(page).getByLabel('Email').waitFor()

  // In the language of the visitors, with one click.
  await page.getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: 'German (Germany)' }).click()
  await page.getByRole('button', { name: 'Translate standard labels' }).click()
  await preview(page).getByLabel('Vorname').waitFor()
  await preview(page).getByRole('button', { name: 'Senden' }).waitFor()
  expect(await page.getByLabel('Button text').getAttribute('placeholder')).toBe('Senden')
  expect(await page.getByRole('button', { name: 'Translate standard labels' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await preview(page).getByLabel('First name').waitFor()

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
  await page.getByText('Enter the consent text').waitFor()
  await page.getByLabel('Consent text').fill('I agree to the [privacy policy](https://example.com/privacy).')
  await page.getByLabel('Button text').fill('Call me')
  await page.getByLabel('Thank-you text').fill('We call you tomorrow.')
  await expectUsable(page)
  // At its end, where the bar with the buttons covers nothing.
  await page.setViewportSize(phone)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByRole('combobox', { name: 'Font' }).scrollIntoViewIfNeeded()
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await expectUsable(page)
  await page.setViewportSize(desktop)
  await page.emulateMedia({ colorScheme: 'light' })

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
  await page.getByText('Your changes on this page haven’t been saved.').waitFor()
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
