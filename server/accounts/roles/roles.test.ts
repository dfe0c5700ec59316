import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Grant, grants, type ObjectRights, type RecordRights, reaches } from '../../../contract/shared/access.ts'
import { testApp } from '../../../test/app.ts'
import { runs, seed } from '../../../test/random.ts'
import { covers, type Rights } from './queries.ts'

const kith = await testApp()
const readOnly: RecordRights = { '*': { read: 'all', create: false, edit: 'none', delete: 'none' } }
const asAdmin = async () => {
  const admin = await kith.given.company()
  return { admin, api: kith.withSession(await kith.given.session(admin)) }
}

describe('a role', () => {
  test('is created, updated and listed with its users', async () => {
    const { admin, api } = await asAdmin()
    const made = await api.createRole({
      name: 'Reader',
      description: 'Looks only',
      grants: ['audit.read'],
      records: readOnly,
    })
    expect(made).toMatchObject({ name: 'Reader', is_built_in: false, user_count: 0, records: readOnly })
    await kith.given.user(admin, { role: 'Reader' })
    await api.updateRole({ id: made.id, name: 'Auditor', grants: [] })
    const { items } = await api.listRoles({})
    expect(items.map(({ name, user_count }) => [name, user_count])).toEqual([
      ['Admin', 1],
      ['Member', 0],
      ['Auditor', 1],
    ])
  })

  test('is listed in full for people who manage members, and by name for others', async () => {
    const { admin, api } = await asAdmin()
    await api.createRole({ name: 'Secret', records: { ...readOnly, secret_deals: readOnly['*']! } })
    const listedTo = async (user: typeof admin) =>
      (await kith.withSession(await kith.given.session(user)).listRoles({})).items
    const manager = await kith.given.user(admin, { grants: ['members.manage'] })
    expect(JSON.stringify(await listedTo(manager))).toContain('secret_deals')
    const seen = await listedTo(await kith.given.user(admin))
    expect(seen.map((role) => Object.keys(role))).toEqual(seen.map(() => ['id', 'name']))
  })

  test('cannot be changed if it is built in', async () => {
    const { api } = await asAdmin()
    for (const { id, is_built_in } of (await api.listRoles({})).items) {
      expect(is_built_in).toBe(true)
      await expect(api.updateRole({ id, description: 'mine' })).toBeRefused(409)
      await expect(api.deleteRole({ id })).toBeRefused(409)
    }
  })

  test('needs a unique name, ignoring case, even with two concurrent requests', async () => {
    const { api } = await asAdmin()
    await expect(api.createRole({ name: 'member', records: readOnly })).toBeRefused(409)
    const both = [1, 2].map(() => api.createRole({ name: 'Twice', records: readOnly }))
    const answers = await Promise.allSettled(both)
    expect(answers.map((answer) => answer.status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('must include rights for all other objects', async () => {
    const { api } = await asAdmin()
    const records = { people: readOnly['*'] } as RecordRights
    await expect(api.createRole({ name: 'Partial', records })).toBeRefused(422)
  })

  test('cannot be deleted while someone has it, and the error names them', async () => {
    const { admin, api } = await asAdmin()
    const { id } = await api.createRole({ name: 'Held', records: readOnly })
    const user = await kith.given.user(admin, { name: 'Hal Holder', role: 'Held' })
    await expect(api.deleteRole({ id })).rejects.toThrow('Hal Holder')
    await api.deleteUser({ id: user.user_id })
    await api.deleteRole({ id })
    expect((await api.listRoles({})).items.map((role) => role.name)).not.toContain('Held')
  })

  test('takes effect on the next call, by key and by session, when it changes', async () => {
    const { admin, api } = await asAdmin()
    const { id } = await api.createRole({ name: 'Auditor', grants: ['audit.read'], records: readOnly })
    const user = await kith.given.user(admin, { role: 'Auditor' })
    const doors = [kith.withKey(await kith.given.key(user)), kith.withSession(await kith.given.session(user))]
    for (const door of doors) await door.listAuditEvents({})
    await api.updateRole({ id, grants: [] })
    for (const door of doors) await expect(door.listAuditEvents({})).toBeRefused(403)
  })
})

const rights: fc.Arbitrary<ObjectRights> = fc.record({
  read: fc.constantFrom(...reaches),
  create: fc.boolean(),
  edit: fc.constantFrom(...reaches),
  delete: fc.constantFrom(...reaches),
})
const records = fc
  .record({ '*': rights, people: fc.option(rights), deals: fc.option(rights) })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value)) as RecordRights)
const role: fc.Arbitrary<Rights> = fc.record({
  is_admin: fc.boolean(),
  grants: fc.subarray([...grants] as Grant[]),
  records,
})

describe('comparing the rights of roles', () => {
  test('an Admin covers every role, and no other role covers an Admin', () => {
    fc.assert(
      fc.property(role, role, (one, other) => {
        expect(covers({ ...one, is_admin: true }, other)).toBe(true)
        expect(covers({ ...one, is_admin: false }, { ...other, is_admin: true })).toBe(false)
      }),
      { seed, numRuns: runs(300) },
    )
  })

  test('covering is reflexive and transitive', () => {
    fc.assert(
      fc.property(role, role, role, (a, b, c) => {
        expect(covers(a, a)).toBe(true)
        if (covers(a, b) && covers(b, c)) expect(covers(a, c)).toBe(true)
      }),
      { seed, numRuns: runs(300) },
    )
  })

  test('people who manage members cannot assign, or act on, more rights than they have', async () => {
    const { admin } = await asAdmin()
    const manager = await kith.given.user(admin, { grants: ['members.manage'] })
    const colleague = await kith.given.user(admin)
    for (const api of [kith.withSession(await kith.given.session(manager))]) {
      await expect(api.updateUserRole({ id: manager.user_id, role: 'Admin' })).toBeRefused(403)
      await expect(api.updateUserRole({ id: colleague.user_id, role: 'Admin' })).toBeRefused(403)
      await expect(api.createUser({ name: 'New', email: 'new@example.com', role: 'Admin' })).toBeRefused(403)
      await expect(api.inviteUser({ email: 'new@example.com', role: 'Admin' })).toBeRefused(403)
      await expect(api.createResetLink({ id: admin.user_id })).toBeRefused(403)
      await expect(api.updateUser({ id: admin.user_id, email: 'mine@example.com' })).toBeRefused(403)
      await expect(api.deactivateUser({ id: admin.user_id })).toBeRefused(409)
      await expect(api.deleteUser({ id: admin.user_id })).toBeRefused(409)
    }
    await kith.refusals.flush()
    const { items } = await kith
      .withSession(await kith.given.session(admin))
      .listAuditEvents({ action: 'access.refused' })
    expect(items.length).toBeGreaterThan(4)
  })
})
