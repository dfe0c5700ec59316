import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'

const kith = await testApp()
const owner = await kith.given.company()
const api = kith.withSession(await kith.given.session(owner))
/** Line items are seen on their deal. */
const none = { objects: [], hidden: ['deal_lines'], pinned_views: [] }

test('a user arranges the navigation, a part at a time, for every browser and for no one else', async () => {
  expect(await api.getNavigation({})).toEqual(none)
  await api.updateNavigation({ objects: ['people', 'deals'] })
  const changed = await api.updateNavigation({ hidden: ['notes', 'agent-activity'] })
  expect(changed).toEqual({ ...none, objects: ['people', 'deals'], hidden: ['notes', 'agent-activity'] })
  expect(await kith.withSession(await kith.given.session(owner)).getNavigation({})).toEqual(changed)
  const colleague = await kith.given.user(owner)
  expect(await kith.withKey(await kith.given.key(colleague)).getNavigation({})).toEqual(none)
})

test('keys that cannot exist and too many pinned views are refused', async () => {
  await expect(api.updateNavigation({ hidden: ['Not a key'] })).toBeRefused(422)
  const pinned_views = Array.from({ length: 51 }, () => randomUUID())
  await expect(api.updateNavigation({ pinned_views })).toBeRefused(422)
})

test('arranging the navigation is no entry in the history or the audit log', async () => {
  const before = (await api.listAuditEvents({ limit: 100 })).items.length
  await api.updateNavigation({ objects: ['tasks'] })
  expect((await api.listAuditEvents({ limit: 100 })).items).toHaveLength(before)
  expect((await api.listChanges({ limit: 10 })).items).toEqual([])
})
