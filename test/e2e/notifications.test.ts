import { expect, test } from 'vitest'
import { announce } from '../../server/kernel/live.ts'
import { expectUsable, isListening } from '../browser.ts'
import { desktop, phone } from '../chromium.ts'
import { testNotifications } from './notifications-page.ts'
import { screens } from './screens.ts'

const { kith, visit, tell } = await testNotifications()

test.each(
  screens([
    ['a desktop in light', desktop, 'light'],
    ['a phone in dark', phone, 'dark'],
  ] as const),
)('the bell counts unread notifications and links to them on %s', async (_, viewport, colorScheme) => {
  const owner = await kith.given.company()
  await tell(owner, 2)
  const page = await visit('/dashboard', { token: await kith.given.session(owner), viewport, colorScheme })
  await page.getByRole('button', { name: 'Notifications, 2 unread' }).click()
  const list = page.getByRole('dialog')
  await list
    .getByRole('link', { name: /Your password was changed/ })
    .first()
    .waitFor()
  await expectUsable(page)
  await list
    .getByRole('link', { name: /Your password was changed/ })
    .first()
    .click()
  await page.waitForURL('**/profile/security')
  const bell = page.getByRole('button', { name: 'Notifications, 1 unread' })
  await bell.click()
  await list.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('button', { name: 'Notifications', exact: true, includeHidden: true }).waitFor()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'hidden' })
  const api = kith.withKey(await kith.given.key(owner))
  await expect.poll(async () => (await api.listNotifications({})).unread_count).toBe(0)
})

/** A page that hears what happens. */
async function listening(token: string) {
  const page = await visit('/dashboard', { token })
  await isListening(page)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

test('changes made elsewhere appear immediately, without a reload', async () => {
  const owner = await kith.given.company()
  const page = await listening(await kith.given.session(owner))
  await tell(owner)
  await announce(kith.db, [{ company_id: owner.company_id, user_id: owner.user_id, event: 'notification' }])
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor()
})

test('a session that is ended elsewhere redirects to sign-in immediately', async () => {
  const owner = await kith.given.company()
  const token = await kith.given.session(owner)
  const page = await listening(token)
  await kith.withSession(token).signOut({})
  await announce(kith.db, [{ company_id: owner.company_id, user_id: owner.user_id, event: 'access' }])
  await page.waitForURL('**/sign-in?next=*dashboard')
})
