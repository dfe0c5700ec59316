// Covers: web/frame web/client
import { test } from 'vitest'
import { announce } from '../../server/kernel/live.ts'
import { testNotifications } from './notifications-page.ts'

const { kith, visit, tell } = await testNotifications()

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
