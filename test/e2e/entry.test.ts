import { describe, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectUsable, testBrowser } from '../browser.ts'
import { phone } from '../chromium.ts'

const password = 'correct horse battery'

describe('the first visit', async () => {
  const kith = await testApp({ setUpToken: 'one-time-token' })
  const { visit, expectComplaint } = await testBrowser(kith)

  test('from another machine explains where to find the link, and the link opens the form', async () => {
    const elsewhere = { extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.5' } }
    const closed = await visit('/', elsewhere)
    await closed.getByText('npm start').first().waitFor()
    await expectUsable(closed)
    const open = await visit('/set-up#token=one-time-token', { ...elsewhere, viewport: phone })
    await open.getByLabel('Company name').waitFor()
    expect(open.url(), 'the token leaves the address bar').not.toContain('one-time-token')
    await expectUsable(open)
  })

  test('creates the company and its first Admin, reports invalid input, and shows what comes next', async () => {
    const page = await visit('/', { locale: 'de-AT', timezoneId: 'Europe/Vienna' })
    await page.waitForURL('**/set-up')
    const choice = (name: string) => page.getByRole('combobox', { name, exact: true })
    expect(await choice('Country').inputValue()).toBe('Austria')
    expect(await choice('Currency').inputValue()).toBe('EUR, Euro')
    expect(await choice('Time zone').inputValue()).toMatch(/^Europe\/Vienna/)
    expect(await choice('Language').inputValue()).toBe('German (Austria)')
    await choice('Country').click()
    await page.keyboard.type('Switz')
    expect(await choice('Country').inputValue(), 'typing replaces the country').toBe('Switz')
    await page.getByRole('option', { name: 'Switzerland' }).click()
    expect(await choice('Currency').inputValue(), 'the currency follows the country').toMatch(/^CHF/)
    await expectUsable(page)
    await page.getByRole('button', { name: 'Create company' }).click()
    const isFocused = () => page.getByLabel('Company name').evaluate((field) => field === document.activeElement)
    await expect.poll(isFocused).toBe(true)
    await page.keyboard.type('Acme')
    expect(
      await page.getByLabel('Company name').inputValue(),
      'the first fault keeps the focus while it is corrected',
    ).toBe('Acme')
    await page.getByLabel('Your name').fill('Ada Lovelace')
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Create company' }).click()
    await page.getByText('Use at least 8 characters').waitFor()
    expect(await page.getByLabel('Company name').inputValue(), 'nothing typed is lost').toBe('Acme')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Create company' }).click()
    await page.waitForURL('**/dashboard')
    const next = page.getByRole('region', { name: 'Getting started' })
    await next.getByRole('link', { name: /Invite your team/ }).waitFor()
    await expectUsable(page)
    const company = await kith.db.selectFrom('companies').selectAll().executeTakeFirstOrThrow()
    const region = { country: 'CH', currency: 'CHF', time_zone: 'Europe/Vienna', language: 'de-AT' }
    expect(company).toMatchObject(region)
    const again = await visit('/set-up')
    await again.waitForURL('**/sign-in*')
  })

  test('signs in and out', async () => {
    const page = await visit('/inbox')
    await page.waitForURL('**/sign-in?next=*')
    await expectUsable(page)
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Password', { exact: true }).fill('not it')
    expectComplaint(/401/)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Incorrect email or password').waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.com')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/inbox')
    await page.getByRole('button', { name: /Ada Lovelace/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in*')
    await page.goto('/dashboard')
    await page.waitForURL('**/sign-in*')
  })
})
