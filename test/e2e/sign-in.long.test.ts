// Covers: web/screens/entry server/accounts
import { describe, expect, test } from 'vitest'
import { createSignUpLink } from '../../server/accounts/set-up/links.ts'
import { transaction } from '../../server/platform/db.ts'
import { testApp } from '../app.ts'
import { expectUsable, testBrowser, testWeb } from '../browser.ts'
import { phone } from '../chromium.ts'
import { careful, enter, invited, newPassword } from './sign-in-page.ts'

const { kith, visit, expectComplaint } = await testWeb({ own: true })

test('the second step takes a recovery code once', async () => {
  const { owner, recovery_codes } = await careful(kith)
  const useCode = async () => {
    const page = await visit('/sign-in', { viewport: phone, colorScheme: 'dark' })
    await enter(page, owner)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(recovery_codes[0]!)
    await expectUsable(page)
    await page.getByRole('button', { name: 'Sign in' }).click()
    return page
  }
  await (await useCode()).waitForURL('**/dashboard')
  expectComplaint(/401/)
  await (await useCode()).getByText('This code is incorrect').waitFor()
})

test('without a mail server, the page for a forgotten password says to ask an Admin', async () => {
  await kith.given.company()
  const page = await visit('/sign-in')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByText('Ask an Admin of your company for a link').waitFor()
  expect(await page.getByLabel('Email').count()).toBe(0)
  await expectUsable(page)
})

test('an invitation says so if someone else is signed in, and continues', async () => {
  const { owner, email, path } = await invited(kith)
  const page = await visit(path, { token: await kith.given.session(owner) })
  await page.getByText(`This link is for ${email}`).waitFor()
  await expectUsable(page)
  await page.getByRole('button', { name: 'Sign out and continue' }).click()
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.waitForURL('**/dashboard')
  await page.getByRole('button', { name: 'Max, your account' }).waitFor()
})

test('an invitation that is truncated or unknown says what to do', async () => {
  const page = await visit('/join')
  await page.getByText('ask the person who invited you for a new one').waitFor()
  await expectUsable(page)
  expectComplaint(/404/)
  await page.goto('/join#token=unknown')
  await page.getByText('This link does not work').waitFor()
})

describe('with a mail server', async () => {
  const kith = await testApp({ smtpUrl: 'smtp://localhost:1' })
  const { visit } = await testBrowser(kith)

  test('the page does not reveal who has an account', async () => {
    const { email } = await kith.given.company()
    const words = []
    for (const address of [email, 'nobody@example.com']) {
      const page = await visit('/forgot-password')
      await page.getByLabel('Email').fill(address)
      await page.getByRole('button', { name: 'Send the link' }).click()
      await page.getByText('we’ve sent it a link').waitFor()
      await expectUsable(page)
      words.push(await page.getByRole('main').textContent())
    }
    expect(words[0]).toBe(words[1])
  })
})

describe('sign-up with a mail server', async () => {
  const kith = await testApp({ openSignup: true, smtpUrl: 'smtp://localhost:1' })
  const { visit, expectComplaint } = await testBrowser(kith)

  test('asks for the address first, and for everything else after the emailed link is opened', async () => {
    await kith.given.company()
    const page = await visit('/sign-in', { viewport: phone })
    await page.getByRole('link', { name: 'Create a company' }).click()
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText('Enter an email address').waitFor()
    await page.getByLabel('Email').fill('eva@example.com')
    await expectUsable(page)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText('We sent a link to eva@example.com').waitFor()
    await expectUsable(page)

    const token = await transaction(kith.db, (tx) => createSignUpLink(tx, 'eva@example.com', kith.time.now))
    const mailed = await visit(`/sign-up#token=${token}`)
    await mailed.getByLabel('Company name').fill('Zweite GmbH')
    expect(mailed.url()).not.toContain('token')
    expect(await mailed.getByLabel('Email').inputValue()).toBe('eva@example.com')
    await mailed.getByLabel('Your name').fill('Eva')
    await mailed.getByLabel('Password', { exact: true }).fill(newPassword)
    await expectUsable(mailed)
    await mailed.getByRole('button', { name: 'Create company' }).click()
    await mailed.waitForURL('**/dashboard')
    expectComplaint(/404/)
    const again = await visit(`/sign-up#token=${token}`)
    await again.getByText('This link does not work').waitFor()
    await expectUsable(again)
    await again.getByRole('link', { name: 'Request a new link' }).click()
    await again.getByRole('button', { name: 'Send the link' }).waitFor()
  })

  test('an invitation is only emailed, and no one sees its link', async () => {
    const owner = await kith.given.company()
    const page = await visit('/company/members', { token: await kith.given.session(owner) })
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByLabel('Email', { exact: true }).fill('grace@example.com')
    await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByText('Only that email contains the link').waitFor()
    expect(await page.getByRole('region', { name: 'Link' }).count()).toBe(0)
    await expectUsable(page)
  })
})

describe('sign-up', async () => {
  const closed = await testApp({ own: true })
  const open = await testApp({ openSignup: true })
  const { visit } = await testBrowser(open)
  const { visit: visitClosed } = await testBrowser(closed)

  test('is not offered unless it is open', async () => {
    await closed.given.company()
    const page = await visitClosed('/sign-in')
    await page.getByRole('link', { name: 'Forgot your password?' }).waitFor()
    expect(await page.getByRole('link', { name: 'Create a company' }).count()).toBe(0)
    await page.goto('/sign-up')
    await page.getByText('New companies cannot be created here').waitFor()
    await expectUsable(page)
  })

  test('creates a company in the region of the browser', async () => {
    await open.given.company()
    const page = await visit('/sign-in', { locale: 'de-AT', timezoneId: 'Europe/Vienna' })
    await page.getByRole('link', { name: 'Create a company' }).click()
    await page.getByLabel('Company name').fill('Zweite GmbH')
    await page.getByLabel('Your name').fill('Eva')
    await page.getByLabel('Email').fill('eva@example.com')
    await page.getByLabel('Password', { exact: true }).fill(newPassword)
    await expectUsable(page)
    await page.getByRole('button', { name: 'Create company' }).click()
    await page.waitForURL('**/dashboard')
    const signedIn = await open.visitor.signIn({ email: 'eva@example.com', password: newPassword })
    if (signedIn.state !== 'signed_in') throw new Error('Eva cannot sign in')
    expect(signedIn.company).toMatchObject({
      country: 'AT',
      currency: 'EUR',
      language: 'de-AT',
      time_zone: 'Europe/Vienna',
    })
  })
})
