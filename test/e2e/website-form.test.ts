// The form on the page of another site, as its visitors see it.
import { expect, test } from 'vitest'
import { expectUsable } from '../browser.ts'
import { phone } from '../chromium.ts'
import { testWebsiteForm } from './website-form-site.ts'

const { visit, expectComplaint, site, show, wait, newSource } = await testWebsiteForm()

test('an embedded form works under a policy that allows only our host, in steps, on a phone', async () => {
  const { embed, leads } = await newSource({
    fields: [{ field: 'email', is_required: true }, { field: 'first_name' }, { field: 'message', step: 2 }],
    step_titles: ['You', 'Your question'],
    consent: { text: 'I agree to the [privacy policy](https://acme.example/privacy)' },
  })
  show(embed.script)
  const page = await visit(`${site}/?utm_source=news`, { viewport: phone, isAlone: true })
  await page.getByRole('heading', { name: 'Contact us' }).waitFor()
  await expectUsable(page)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('Fill in this field').waitFor()
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.keyboard.press('Enter')
  await page.getByLabel('Message').fill('Hello')
  await expectUsable(page)
  wait()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Agree to continue').waitFor()
  await page.getByRole('checkbox').check()
  // The server is away for a moment: what was typed stays, and it is sent once.
  expectComplaint(/503|Failed to load resource|CORS|ERR_FAILED/)
  let failures = 1
  await page.route('**/submissions', (route) => (failures-- > 0 ? route.abort() : route.continue()))
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Thank you. We received your message.').waitFor()
  await expectUsable(page)
  expect(await leads()).toMatchObject({ email: 'ada@example.com', message: 'Hello', utm_source: 'news', consent: true })
})
