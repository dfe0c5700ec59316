import { Secret, TOTP } from 'otpauth'
import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectUsable, expectUsableEverywhere } from '../browser.ts'
import { givenPassword } from '../given.ts'
import { testProfile } from './profile-page.ts'
import { dialog } from './record-page.ts'

const { kith, expectComplaint, origin, at, asNow } = await testProfile()

test('every page of the profile is usable on a desktop in light and on a phone in dark', async () => {
  const { page } = await at('/profile', { colorScheme: 'light' })
  for (const tab of ['Profile', 'Security', 'Notifications', 'My changes', 'API & Connectors']) {
    await page.getByRole('navigation', { name: 'Profile' }).getByRole('link', { name: tab, exact: true }).click()
    await page.getByRole('heading', { name: tab, level: 1 }).waitFor()
    await expect.poll(() => page.getByRole('status').count()).toBe(0)
    await expectUsableEverywhere(page)
  }
})

test('two-factor sign-in is turned on with the app, and its recovery codes cannot be passed over', async () => {
  const { page } = await at('/profile/security')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByLabel('Your password').fill('not it')
  expectComplaint(/422/)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('This is not your current password').waitFor()
  const isThere = (field: Element) => field === document.activeElement
  expect(await page.getByLabel('Your password').evaluate(isThere), 'the focus stays in the dialog').toBe(true)
  await page.getByLabel('Your password').fill(givenPassword)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  await expectUsable(page)
  const typed = (await dialog(page).locator('code').textContent())!
  expect(typed).toMatch(/^(\w{4} )+\w{1,4}$/)
  const app = new TOTP({ secret: Secret.fromBase32(typed.replaceAll(' ', '')) })
  const code = app.generate({ timestamp: kith.time.now.getTime() })
  await page.getByLabel('Code', { exact: true }).pressSequentially(code)

  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await codes.first().waitFor()
  expect(await codes.count()).toBe(10)
  await page.keyboard.press('Escape')
  await page.getByText('Save the codes first').waitFor()
  await expectUsable(page)
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as text' }).click(),
  ])
  expect(saved.suggestedFilename()).toBe('kith-recovery-codes.txt')
  const first = (await codes.first().textContent())!
  await page.getByLabel('I have saved these codes').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('10 recovery codes left').waitFor()
  expect(await page.content()).not.toContain(first)

  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByLabel('Your password').fill(givenPassword)
  await dialog(page).getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('Anyone who learns your password').waitFor()
  expect((await (await asNow(page)).getTwoFactor({})).on_since).toBe(null)
})

test('a passkey is added, named, used to sign in, and deleted', async () => {
  const { page } = await at('/profile/security')
  // A passkey belongs to the address of the installation, which here is not the one that the test serves.
  const base = kith.services.baseUrl.origin
  const answer = async (route: Route) => {
    const url = route.request().url().replace(base, origin)
    if (new URL(url).pathname.endsWith('/live')) return route.fulfill({ status: 204 })
    const headers = { ...(await route.request().allHeaders()), host: kith.services.baseUrl.host }
    return route.fulfill({ response: await route.fetch({ url, headers, maxRedirects: 0 }) })
  }
  await page.context().route(`${base}/**`, answer)
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  // The button is tried here; without this the simulated person would take what the email field offers first.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  await page.goto(`${base}/profile/security`)
  await page.getByText('You have no passkeys yet').waitFor()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Your password').fill(givenPassword)
  await page.getByRole('button', { name: 'Continue' }).click()
  const name = page.getByLabel('Name', { exact: true })
  await name.waitFor()
  expect(await name.inputValue(), 'a first guess').toBe('Chrome on Linux')
  await expectUsable(page)
  await name.fill('Work laptop')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('list', { name: 'Your passkeys' }).getByText('Work laptop').waitFor()

  await page.getByRole('button', { name: /your account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in*')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL('**/dashboard')

  await page.goto(`${base}/profile/security`)
  await page.getByRole('button', { name: 'Actions for Work laptop' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await name.fill('Old laptop')
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('button', { name: 'Actions for Old laptop' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('Delete Old laptop?').waitFor()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('You have no passkeys yet').waitFor()
})
