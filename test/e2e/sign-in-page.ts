// What the tests of signing in share.
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import type { TestApp } from '../app.ts'
import { type GivenUser, givenPassword } from '../given.ts'

export const newPassword = 'seven purple bicycles'

export async function enter(page: Page, { email }: GivenUser, password = givenPassword) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** A user with two-factor sign-in, and what their app would show now. */
export async function careful(kith: TestApp) {
  const owner = await kith.given.company()
  const api = kith.withSession(await kith.given.session(owner))
  const { secret } = await api.startTwoFactor({ current_password: givenPassword })
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = () => app.generate({ timestamp: kith.time.now.getTime() })
  const { recovery_codes } = await api.confirmTwoFactor({ code: code() })
  const nextCode = () => {
    kith.time.now = new Date(kith.time.now.getTime() + 60_000)
    return code()
  }
  return { owner, nextCode, recovery_codes }
}

/** Someone whom a company invited, and the way in. */
export async function invited(kith: TestApp) {
  const owner = await kith.given.company({ name: 'Acme' })
  const api = kith.withSession(await kith.given.session(owner))
  const email = `${crypto.randomUUID()}@example.com`
  const { link } = await api.inviteUser({ email, name: 'Max' })
  return { owner, email, path: new URL(link!).pathname + new URL(link!).hash }
}
