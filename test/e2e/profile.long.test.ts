// Covers: web/screens/profile web/account
import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectUsable } from '../browser.ts'
import { givenPassword } from '../given.ts'
import { testProfile } from './profile-page.ts'
import { dialog } from './record-page.ts'

const { kith, visit, origin, at, asNow } = await testProfile()

test('language and time zone are chosen, or follow the company', async () => {
  const { page, api } = await at('/profile')
  const language = page.getByRole('combobox', { name: 'Language' })
  expect(await language.inputValue()).toContain('Company default')
  await language.click()
  await page.getByRole('option', { name: 'German (Austria)' }).click()
  await page.getByRole('combobox', { name: 'Time zone' }).fill('tokyo')
  await page.getByRole('option', { name: /Asia\/Tokyo/ }).click()
  await expect.poll(() => api.whoami({})).toMatchObject({ language: 'de-AT', time_zone: 'Asia/Tokyo' })
  await language.click()
  await page.getByRole('option', { name: /Company default/ }).click()
  await expect.poll(async () => (await api.whoami({})).language).toBe(null)
})

test('a picture is scaled down, shown and removed; another file is refused with an explanation', async () => {
  const { page, api } = await at('/profile')
  const large = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 1600
    canvas.height = 900
    canvas.getContext('2d')!.fillRect(0, 0, 800, 900)
    return canvas.toDataURL('image/png').split(',')[1]!
  })
  const file = page.locator('input[type=file]')
  await file.setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') })
  await page.getByText('not a picture that your browser can read').waitFor()
  await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(large, 'base64') })
  const shown = page.getByRole('group', { name: 'Your picture' }).locator('img')
  await shown.waitFor()
  expect(await shown.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(256)
  await page
    .getByRole('button', { name: /your account/ })
    .locator('img')
    .waitFor()
  expect((await api.whoami({})).picture_id).not.toBe(null)
  await page.getByRole('button', { name: 'Remove' }).click()
  await shown.waitFor({ state: 'detached' })
  expect((await api.whoami({})).picture_id).toBe(null)
})

test('single-key shortcuts are switched off for the account', async () => {
  const { owner, page, api } = await at('/profile')
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).click()
  await expect.poll(async () => (await api.whoami({})).shortcuts).toBe(false)
  const elsewhere = await visit('/dashboard', { token: await kith.given.session(owner) })
  await elsewhere.getByRole('heading', { level: 1 }).waitFor()
  await elsewhere.keyboard.press('g')
  await elsewhere.keyboard.press('i')
  await elsewhere.keyboard.press('?')
  expect(await dialog(elsewhere).count()).toBe(0)
  expect(elsewhere.url()).toContain('/dashboard')
})

test('sessions are listed by browser, and can be ended one by one', async () => {
  const { owner, page } = await at('/profile/security')
  const other = await kith.given.session(owner)
  await kith.withSession(other).whoami({})
  await page.reload()
  const sessions = page.getByRole('list', { name: 'Your sessions' }).getByRole('listitem')
  await expect.poll(() => sessions.count()).toBe(2)
  expect(await sessions.filter({ hasText: 'This browser' }).getByRole('button').count()).toBe(0)
  await sessions.getByRole('button', { name: /Sign out/ }).click()
  await expect.poll(() => sessions.count()).toBe(1)
  await expect(kith.withSession(other).whoami({})).rejects.toThrow()
  await (await asNow(page)).whoami({})
})

test('notifications are chosen by kind and channel', async () => {
  const { page, api } = await at('/profile/notifications')
  await page.getByRole('checkbox', { name: 'Your role was changed: By email' }).click()
  const choice = async () => (await api.listNotificationChoices({})).items.find(({ kind }) => kind === 'role_changed')
  await expect.poll(choice).toMatchObject({ app: true, email: false })
  await page.reload()
  const kept = page.getByRole('checkbox', { name: 'Your role was changed: By email' })
  await kept.waitFor()
  expect(await kept.isChecked()).toBe(false)
})

test('my changes are shown by session with record names, can be undone, and own requests are listed', async () => {
  const { page, api } = await at('/profile')
  const { records } = await api.createRecords({ object: 'people', records: [{ first_name: 'Grace' }] })
  const id = records[0]!.id
  await api.updateRecords({ object: 'people', records: [{ id, values: { job_title: 'Admiral' } }] })
  await api.updateMe({ name: 'Ada King' })
  await kith.requests.flush()
  await page.goto('/profile/activity')
  const mine = page.getByRole('article', { name: /in the web app$/ })
  await mine.getByText('Changed person').waitFor()
  await mine.getByText('Grace').first().waitFor()
  await mine.getByRole('button', { name: /^Changed person Grace/ }).click()
  await mine.getByText('Admiral').waitFor()
  await mine.getByRole('button', { name: 'Undo: Changed person Grace' }).click()
  await expect.poll(async () => (await api.getRecord({ object: 'people', id })).job_title ?? null).toBe(null)
  await mine.getByText('Changed 1 user').first().waitFor()
  await expectUsable(page)
  const requests = page.getByRole('list', { name: 'Your requests' })
  await requests.getByText('Update your profile').first().waitFor()
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
