import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { expectUsable, expectUsableSomewhere } from '../browser.ts'
import { givenPassword } from '../given.ts'
import { testProfile } from './profile-page.ts'
import { dialog } from './record-page.ts'

const { kith, expectComplaint, at, asNow } = await testProfile()

test('every page of the profile is usable', async () => {
  const { page } = await at('/profile', { colorScheme: 'light' })
  const tabs = ['Profile', 'Security', 'Notifications', 'My changes', 'API & Connectors']
  for (const [index, tab] of tabs.entries()) {
    await page.getByRole('navigation', { name: 'Profile' }).getByRole('link', { name: tab, exact: true }).click()
    await page.getByRole('heading', { name: tab, level: 1 }).waitFor()
    await expect.poll(() => page.getByRole('status').count()).toBe(0)
    await expectUsableSomewhere(page, index)
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
