// Covers: server/leads
import { expect, test } from 'vitest'
import { expectUsable } from '../browser.ts'
import { phone } from '../chromium.ts'
import { soon } from '../worker.ts'
import { testWebsiteForm } from './website-form-site.ts'

const { kith, visit, expectComplaint, home, site, show, wait, newSource } = await testWebsiteForm()

test('a form that a password manager filled in solves a puzzle and is a lead', async () => {
  const { embed, leads } = await newSource()
  show(embed.script)
  const page = await visit(site, { isAlone: true })
  await page.getByLabel('Email').fill('eve@example.com')
  await page.evaluate(() => {
    const trap = document.querySelector<HTMLInputElement>('.kith-extra input')!
    trap.value = 'Eve'
  })
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Thank you. We received your message.').waitFor()
  expect(await leads()).toMatchObject({ email: 'eve@example.com' })
})

test('without JavaScript there is a link to the page of the form, and a plain form can be sent from the site', async () => {
  const { api, source, embed, leads } = await newSource()
  show(embed.script)
  const page = await visit(site, { javaScriptEnabled: false, viewport: phone })
  await page.goto(
    `${home}${new URL((await page.getByRole('link', { name: 'Contact us' }).getAttribute('href'))!).pathname}`,
  )
  await page.getByLabel('Email').fill('bob@example.com')
  wait()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Thank you. We received your message.').waitFor()
  expect(await leads()).toMatchObject({ email: 'bob@example.com' })
  show(embed.html, home)
  await page.goto(site)
  await page.getByLabel('Email').fill('carol@example.com')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Thank you. We received your message.').waitFor()
  await soon(async () =>
    expect((await api.listLeadSubmissions({ source_id: source.id, state: 'lead' })).items).toHaveLength(2),
  )
})

test('the page of a form is usable with a script, on a desktop and a phone', async () => {
  const { source } = await newSource({ intro: 'We answer within a day.' })
  const page = await visit(`/public/forms/${source.form_id}`, { isAlone: true })
  await page.locator('kith-form form[novalidate]').waitFor()
  await expectUsable(page)
  await page.setViewportSize(phone)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectUsable(page)
})

test('the form in a frame can be sent with and without JavaScript, on a phone, on listed sites only', async () => {
  const { api, source, embed } = await newSource({
    consent: { text: 'I agree to the [privacy policy](https://acme.example/privacy)' },
    allowed_origins: [site],
  })
  show(embed.iframe)
  for (const javaScriptEnabled of [true, false]) {
    const page = await visit(site, { javaScriptEnabled, viewport: phone, isAlone: true })
    const frame = page.frameLocator('iframe')
    if (javaScriptEnabled) await frame.locator('kith-form form[novalidate]').waitFor()
    await frame.getByLabel('Email').fill(`${javaScriptEnabled}@example.com`)
    if (javaScriptEnabled) await expectUsable(page.frames()[1]!)
    await frame.getByRole('checkbox').check()
    wait()
    await frame.getByRole('button', { name: 'Send' }).click()
    await frame.getByText('Thank you. We received your message.').waitFor()
  }
  await soon(async () => {
    const { items } = await api.listLeadSubmissions({ source_id: source.id, state: 'lead' })
    expect(items.map(({ email, via, page }) => [email, via, page])).toEqual([
      ['false@example.com', 'page', `${kith.services.baseUrl.origin}/public/forms/${source.form_id}`],
      ['true@example.com', 'script', `${home}/public/forms/${source.form_id}`],
    ])
  })
  await api.updateLeadSource({ id: source.id, allowed_origins: ['https://other.example'] })
  expectComplaint(/frame-ancestors|Framing/)
  const page = await visit(site, { isAlone: true })
  await expect.poll(() => page.frames()[1]?.url()).toContain('chrome-error')
})
