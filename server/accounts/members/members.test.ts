import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { type GivenUser, givenPassword } from '../../../test/given.ts'
import { placeOfSecret } from '../credentials/two-factor.ts'

const kith = await testApp()
const { given, withKey, withSession } = kith
const as = async (user: GivenUser) => withSession(await given.session(user))
const newCompany = async () => {
  const admin = await given.company()
  return { admin, api: await as(admin) }
}

describe('members', () => {
  test('are shown with their email address only to people who manage members', async () => {
    const { admin, api } = await newCompany()
    const max = await given.user(admin)
    const seen = (await api.listUsers({})).items.find((user) => user.id === max.user_id)!
    expect(seen).toMatchObject({
      name: 'Max Member',
      email: max.email,
      state: 'active',
      kind: 'person',
      two_factor: false,
    })
    const { items } = await (await as(max)).listUsers({})
    const shown = ['id', 'name', 'kind', 'role', 'state', 'picture_id', 'away_from', 'away_until']
    for (const user of items) expect(Object.keys(user).toSorted()).toEqual(shown.toSorted())
  })

  test('can be found by part of their name, by state and by kind', async () => {
    const { admin, api } = await newCompany()
    const zoe = await given.user(admin, { name: 'Zoë 100%_Sure' })
    const agent = await api.createUser({ name: 'Scout', kind: 'agent' })
    const names = async (input: Parameters<typeof api.listUsers>[0]) =>
      (await api.listUsers(input)).items.map((user) => user.name)
    expect(await names({ q: '100%_s' })).toEqual(['Zoë 100%_Sure'])
    expect(await names({ q: '%' })).toEqual(['Zoë 100%_Sure'])
    expect(await names({ kind: 'agent' })).toEqual(['Scout'])
    await api.inviteUser({ email: `invited-${zoe.email}`, name: 'Ian Invited' })
    expect(await names({ state: 'invited' })).toEqual(['Ian Invited'])
    expect(await names({ state: 'active' })).toEqual(['Scout', 'Zoë 100%_Sure', 'Ada Admin'])
    await api.deactivateUser({ id: zoe.user_id })
    expect(await names({ q: '100' })).toEqual([])
    expect(await names({ state: 'deactivated' })).toEqual(['Zoë 100%_Sure'])
    expect(await names({ state: 'all', q: '100' })).toEqual(['Zoë 100%_Sure'])
    expect(agent.email).toBeNull()
  })

  test('can be renamed immediately, but not given the address of a colleague', async () => {
    const { admin, api } = await newCompany()
    const max = await given.user(admin)
    const changed = await api.updateUser({ id: max.user_id, name: 'Maxine', email: max.email })
    expect(changed).toMatchObject({ user: { name: 'Maxine', email: max.email }, confirmation: null })
    await expect(api.updateUser({ id: max.user_id, email: admin.email })).toBeRefused(409)
  })
})

test('an email address belongs to one user of one company, and an unknown role is refused', async () => {
  const { admin, api } = await newCompany()
  await expect(api.createUser({ name: 'Twin', email: admin.email })).toBeRefused(409)
  await expect(api.createUser({ name: 'New', email: 'new@example.com', role: 'King' })).toBeRefused(422)
  expect((await api.listUsers({ state: 'all' })).items).toHaveLength(1)
})

test('a change of role is in the audit log and in the changes', async () => {
  const { admin, api } = await newCompany()
  const { user_id } = await given.user(admin)
  await api.updateUserRole({ id: user_id, role: 'admin' })
  const [entry] = (await api.listAuditEvents({ action: 'user.role_changed' })).items
  expect(entry).toMatchObject({ target_id: user_id, data: { from: 'Member', to: 'Admin' } })
  expect((await api.listChanges({ record_id: user_id })).items[0]?.changes[0]?.fields).toEqual({
    role: { from: 'Member', to: 'Admin' },
  })
})

describe('an agent', () => {
  test('has no email address and no password; people who manage members create its keys', async () => {
    const { admin, api } = await newCompany()
    await expect(api.createUser({ name: 'Scout', kind: 'agent', email: 'a@example.com' })).toBeRefused(422)
    await expect(api.createUser({ name: 'Person', kind: 'person' })).toBeRefused(422)
    const agent = await api.createUser({ name: 'Scout', kind: 'agent' })
    expect(agent).toMatchObject({ kind: 'agent', state: 'active' })
    const { key, value } = await api.createAgentApiKey({ id: agent.id, name: 'Desk' })
    expect(await withKey(value).whoami({})).toMatchObject({ name: 'Scout', kind: 'agent', role: 'Member' })
    const { items } = await api.listCompanyApiKeys({ user_id: agent.id })
    expect(items).toMatchObject([{ id: key.id, user_name: 'Scout' }])
    expect(JSON.stringify(items)).not.toContain(value)
    await api.deleteCompanyApiKeys({ ids: [key.id] })
    await expect(withKey(value).whoami({})).toBeRefused(401)
    await expect(api.createResetLink({ id: agent.id })).toBeRefused(409)
    await expect(api.createAgentApiKey({ id: admin.user_id, name: 'Mine' })).toBeRefused(409)
  })
})

test('someone who lost their phone and codes can sign in after an Admin turns off two-factor sign-in', async () => {
  const { admin, api } = await newCompany()
  const max = await given.user(admin)
  const totp_secret = kith.services.vault.seal('GEZDGNBVGY3TQOJQ', placeOfSecret(max))
  const on = { totp_on_since: kith.time.now, totp_secret }
  await kith.db.updateTable('users').set(on).where('id', '=', max.user_id).execute()
  const signIn = () => kith.visitor.signIn({ email: max.email, password: givenPassword })
  expect(await signIn()).toMatchObject({ state: 'second_step' })
  expect(await api.deleteUserTwoFactor({ id: max.user_id })).toMatchObject({ two_factor: false })
  expect(await signIn()).toMatchObject({ state: 'signed_in' })
  const [entry] = (await api.listAuditEvents({ action: 'two_factor.turned_off' })).items
  expect(entry).toMatchObject({ target_name: 'Max Member', actor_name: 'Ada Admin' })
})

test('the time of the last visit is kept after the session ends', async () => {
  const { admin, api } = await newCompany()
  const max = await given.user(admin)
  await kith.visitor.signIn({ email: max.email, password: givenPassword })
  await api.deactivateUser({ id: max.user_id })
  expect((await api.getUser({ id: max.user_id })).last_seen_at).toBe(kith.time.now.toISOString())
})

describe('someone who leaves', () => {
  const leave = { deactivateUser: 'deactivated', deleteUser: 'removed' } as const
  test.each(Object.entries(leave))('by %s loses access immediately, via every interface', async (operation, word) => {
    const { admin, api } = await newCompany()
    const max = await given.user(admin)
    const doors = [withKey(await given.key(max)), await as(max)]
    await api[operation as keyof typeof leave]({ id: max.user_id, reassign_to: admin.user_id })
    for (const door of doors) await expect(door.whoami({})).toBeRefused(401)
    await expect(kith.visitor.signIn({ email: max.email, password: givenPassword })).toBeRefused(401)
    const { items } = await api.listAuditEvents({ target_id: max.user_id })
    expect(items[0]).toMatchObject({ action: `user.${word}`, actor_name: 'Ada Admin' })
  })

  test('can be reactivated, without their old keys', async () => {
    const { admin, api } = await newCompany()
    const max = await given.user(admin)
    const key = await given.key(max)
    await api.deactivateUser({ id: max.user_id })
    expect(await api.reactivateUser({ id: max.user_id })).toMatchObject({ state: 'active' })
    expect(await kith.visitor.signIn({ email: max.email, password: givenPassword })).toMatchObject({
      state: 'signed_in',
    })
    await expect(withKey(key).whoami({})).toBeRefused(401)
  })

  test('and is removed stays in the history by name, and their address is released', async () => {
    const { admin, api } = await newCompany()
    const max = await given.user(admin, { name: 'Gone Girl' })
    await (await as(max)).updateMe({ name: 'Gone Girl II' })
    await api.deleteUser({ id: max.user_id })
    const { items } = await api.listChanges({ record_id: max.user_id })
    expect(items[0]).toMatchObject({ actor_name: 'Gone Girl II' })
    const [removed] = (await api.listAuditEvents({ action: 'user.removed' })).items
    expect(removed).toMatchObject({ target_name: 'Gone Girl II' })
    await expect(api.getUser({ id: max.user_id })).toBeRefused(404)
    await api.createUser({ name: 'Next', email: max.email })
  })

  test('can only hand over to another active user of the same company', async () => {
    const { admin, api } = await newCompany()
    const [max, zoe] = [await given.user(admin), await given.user(admin)]
    const other = await given.company()
    await expect(api.deleteUser({ id: max.user_id, reassign_to: other.user_id })).toBeRefused(422)
    await expect(api.deleteUser({ id: max.user_id, reassign_to: max.user_id })).toBeRefused(422)
    await api.deactivateUser({ id: zoe.user_id })
    await expect(api.deleteUser({ id: max.user_id, reassign_to: zoe.user_id })).toBeRefused(422)
  })
})

describe('the last Admin', () => {
  test('cannot be removed in any way', async () => {
    const { admin, api } = await newCompany()
    const id = admin.user_id
    await given.user(admin)
    await expect(api.updateUserRole({ id, role: 'Member' })).toBeRefused(409)
    await expect(api.deactivateUser({ id })).toBeRefused(409)
    await expect(api.deleteUser({ id })).toBeRefused(409)
  })

  test('must be able to sign in: an invited Admin does not count', async () => {
    const { admin, api } = await newCompany()
    await api.inviteUser({ email: `invited-${admin.email}`, role: 'Admin' })
    await expect(api.updateUserRole({ id: admin.user_id, role: 'Member' })).toBeRefused(409)
  })

  test('survives two Admins who demote, deactivate or remove each other at the same time', async () => {
    for (const way of ['updateUserRole', 'deactivateUser', 'deleteUser'] as const) {
      const { admin, api } = await newCompany()
      const second = await given.user(admin, { role: 'Admin' })
      const apis = [api, await as(second)]
      const targets = [second.user_id, admin.user_id]
      const leave = (one: typeof api, id: string) =>
        way === 'updateUserRole' ? one.updateUserRole({ id, role: 'Member' }) : one[way]({ id })
      const answers = await Promise.allSettled(apis.map((one, i) => leave(one, targets[i]!)))
      expect(answers.filter((answer) => answer.status === 'fulfilled').length, way).toBe(1)
      const left = await kith.db
        .selectFrom('users')
        .innerJoin('roles', (join) =>
          join.onRef('roles.company_id', '=', 'users.company_id').onRef('roles.id', '=', 'role_id'),
        )
        .select('users.id')
        .where('users.company_id', '=', admin.company_id)
        .where('is_admin', '=', true)
        .where('deactivated_at', 'is', null)
        .where('removed_at', 'is', null)
        .execute()
      expect(left.length, way).toBe(1)
    }
  })
})
