import { randomUUIDv7 } from 'node:crypto'
import { expect, test } from 'vitest'
import { announce } from '../../server/kernel/live.ts'
import { expectUsable, isListening, testWeb } from '../browser.ts'
import { desktop, phone } from '../chromium.ts'
import type { GivenUser } from '../given.ts'

const { kith, visit } = await testWeb()

const tell = ({ company_id, user_id }: GivenUser, count = 1) =>
  kith.db
    .insertInto('notifications')
    .values(
      Array.from({ length: count }, () => ({
        company_id,
        id: randomUUIDv7(),
        user_id,
        kind: 'account_changed',
        data: JSON.stringify({ what: 'password' }),
        at: kith.time.now,
      })),
    )
    .execute()

test.each([
  ['a desktop in light', desktop, 'light'],
  ['a phone in dark', phone, 'dark'],
] as const)('the bell counts unread notifications and links to them on %s', async (_, viewport, colorScheme) => {
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

test('an empty list says so, and more than 99 are shown as 99+', async () => {
  const owner = await kith.given.company()
  const token = await kith.given.session(owner)
  const page = await visit('/dashboard', { token })
  await page.getByRole('button', { name: 'Notifications' }).click()
  await page.getByText('Nothing new').waitFor()
  await tell(owner, 120)
  await page.reload()
  await page.getByText('99+').waitFor()
})

/** A page that hears what happens. */
async function listening(token: string) {
  const page = await visit('/dashboard', { token })
  await isListening(page)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

test('changes made while a page was loading appear, too', async () => {
  const owner = await kith.given.company()
  const page = await visit('/dashboard', { token: await kith.given.session(owner) })
  const { promise: happened, resolve: open } = Promise.withResolvers<void>()
  await page.route('**/app/api/live?*', (route) => happened.then(() => route.continue()))
  const counted = page.waitForResponse(/\/app\/api\/notifications/)
  await page.reload()
  await counted
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  await tell(owner)
  await announce(kith.db, [{ company_id: owner.company_id, user_id: owner.user_id, event: 'notification' }])
  open()
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor()
})

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
