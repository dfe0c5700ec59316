// The form on the page of another site, as its visitors see it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectUsable, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { soon, testWorker } from '../worker.ts'

const { kith, ada, visit, expectComplaint, origin: home } = await testWeb({ own: true })
await testWorker(kith)

/** Another origin with a plain page, under a policy that allows our host and nothing else. */
let body = ''
let form = 'https:'
const site = createServer((request, response) => {
  if (request.url === '/favicon.ico') return void response.writeHead(204).end()
  const policy = `script-src ${home}; connect-src ${home}; style-src 'none'; form-action ${form}`
  response.setHeader('content-security-policy', policy).setHeader('content-type', 'text/html; charset=utf-8')
  response.end(`<!doctype html><html lang="en"><title>Acme</title><main><h1>Acme</h1>${body}</main></html>`)
})
beforeAll(() => new Promise<void>((done) => site.listen(0, '127.0.0.1', done)))
afterAll(() => void site.close())
const origin = () => `http://127.0.0.1:${(site.address() as AddressInfo).port}`

/** People take longer than three seconds; the clock of the test does it for them. */
const wait = () => {
  kith.time.now = new Date(kith.time.now.getTime() + 10_000)
}

async function newSource(given: object = {}) {
  const { api } = await ada()
  const source = await api.createLeadSource({
    name: 'Contact',
    title: 'Contact us',
    allowed_origins: [origin()],
    ...given,
  })
  const here = (text: string) => text.replaceAll(kith.services.baseUrl.origin, home)
  const leads = () =>
    soon(async () => {
      const { records } = await api.listRecords({ object: 'leads' })
      expect(records).toHaveLength(1)
      return records[0]!
    })
  const { script, html, iframe } = source.embed
  return { api, source, embed: { script: here(script), html: here(html), iframe: here(iframe) }, leads }
}

test('an embedded form works under a policy that allows only our host, in steps, on a phone', async () => {
  const { embed, leads } = await newSource({
    fields: [{ field: 'email', is_required: true }, { field: 'first_name' }, { field: 'message', step: 2 }],
    step_titles: ['You', 'Your question'],
    consent: { text: 'I agree to the [privacy policy](https://acme.example/privacy)' },
  })
  body = embed.script
  const page = await visit(`${origin()}/?utm_source=news`, { viewport: phone, isAlone: true })
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

test('a form that a password manager filled in solves a puzzle and is a lead', async () => {
  const { embed, leads } = await newSource()
  body = embed.script
  const page = await visit(origin(), { isAlone: true })
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
  body = embed.script
  const page = await visit(origin(), { javaScriptEnabled: false, viewport: phone })
  await page.goto(
    `${home}${new URL((await page.getByRole('link', { name: 'Contact us' }).getAttribute('href'))!).pathname}`,
  )
  await page.getByLabel('Email').fill('bob@example.com')
  wait()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Thank you. We received your message.').waitFor()
  expect(await leads()).toMatchObject({ email: 'bob@example.com' })
  body = embed.html
  form = home
  await page.goto(origin())
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
    allowed_origins: [origin()],
  })
  body = embed.iframe
  for (const javaScriptEnabled of [true, false]) {
    const page = await visit(origin(), { javaScriptEnabled, viewport: phone, isAlone: true })
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
  const page = await visit(origin(), { isAlone: true })
  await expect.poll(() => page.frames()[1]?.url()).toContain('chrome-error')
})
