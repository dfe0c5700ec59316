import { randomUUIDv7 } from 'node:crypto'
import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { givenPassword } from '../../../test/given.ts'
import { migrate, migrationsFolder } from '../../platform/migrate.ts'

const kith = await testApp({ openSignup: true })
const { given, visitor, withKey, withSession } = kith
const newCompany = async () => {
  const admin = await given.company()
  return { admin, api: withSession(await given.session(admin)) }
}
const anEmail = () => `${randomUUIDv7()}@example.com`
const tokenOf = (link: string | null | undefined) => new URL(link!).hash.slice('#token='.length)
const password = 'a long enough sentence'
const accept = (link: string | null) => visitor.acceptInvitation({ token: tokenOf(link), name: 'Sam', password })
const signsIn = (email: string, given = password) =>
  visitor.signIn({ email, password: given }).then(
    () => true,
    () => false,
  )

describe('an unconfirmed address', () => {
  test('can be invited by several companies, and belongs to the one whose link is opened first', async () => {
    const [one, other] = [await newCompany(), await newCompany()]
    const email = anEmail()
    const first = await one.api.inviteUser({ email })
    const second = await other.api.inviteUser({ email })
    expect(await accept(second.link)).toEqual({})
    const late = accept(first.link)
    await expect(late).toBeRefused(409)
    await expect(late).rejects.toThrow('already signs in to another company')
    expect(await signsIn(email)).toBe(true)
    expect(await one.api.getUser({ id: first.user.id })).toMatchObject({ state: 'invited' })
  })

  test('can still be used by its owner to sign up', async () => {
    const { api } = await newCompany()
    const email = anEmail()
    await api.createUser({ name: 'Squatted', email })
    await api.inviteUser({ email: `x${email}` })
    const made = await visitor.signUp({ company_name: 'Mine', name: 'Owner', email, password })
    expect(made).toMatchObject({ state: 'signed_in', company: { name: 'Mine' } })
  })

  test('cannot sign in or request a new password', async () => {
    const { admin, api } = await newCompany()
    const email = anEmail()
    await api.inviteUser({ email })
    expect(await signsIn(email)).toBe(false)
    const { rows } = await kith.pool.query('select 1 from sign_in_emails where email = $1', [email])
    expect(rows).toEqual([])
    expect(await signsIn(admin.email, givenPassword)).toBe(true)
  })
})

test('inviting or adding an address does not reveal whether it signs in to another company', async () => {
  const elsewhere = await given.company()
  const { admin, api } = await newCompany()
  const byKey = withKey(await given.key(admin))
  const shape = (answer: object) => Object.keys(answer)
  const [known, unknown] = [elsewhere.email, anEmail()]
  const invited = await Promise.all([known, unknown].map((email) => api.inviteUser({ email })))
  expect(invited.map(({ user }) => user.state)).toEqual(['invited', 'invited'])
  expect(shape(invited[0]!)).toEqual(shape(invited[1]!))
  const { admin: second } = await newCompany()
  const added = withKey(await given.key(second))
  expect(shape(await added.createUser({ name: 'A', email: known }))).toEqual(
    shape(await byKey.createUser({ name: 'B', email: anEmail() })),
  )
})

describe('within a company', () => {
  test('an address of a member is refused, with the name of that member', async () => {
    const { admin, api } = await newCompany()
    await expect(api.inviteUser({ email: admin.email })).rejects.toThrow('Ada Admin already has this email address')
    const email = anEmail()
    await api.inviteUser({ email, name: 'Grace' })
    await expect(api.inviteUser({ email })).rejects.toThrow('Grace is already invited')
    await expect(api.createUser({ name: 'Again', email })).toBeRefused(409)
  })

  test('the same address is invited once, even with two concurrent requests', async () => {
    const { api } = await newCompany()
    const email = anEmail()
    const answers = await Promise.allSettled([1, 2].map(() => api.inviteUser({ email })))
    expect(answers.map((answer) => answer.status).sort()).toEqual(['fulfilled', 'rejected'])
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason.problem).toMatchObject({ status: 409 })
  })

  test('two hundred addresses can be entered per day, in any way', async () => {
    const { admin, api } = await newCompany()
    const max = await given.user(admin)
    const { user: invited } = await api.inviteUser({ email: anEmail() })
    const { company_id } = admin
    const rows = Array.from({ length: 199 }, () => ({ company_id, id: randomUUIDv7(), at: kith.time.now }))
    await kith.db.insertInto('named_addresses').values(rows).execute()
    const ways = [
      () => api.inviteUser({ email: anEmail() }),
      () => api.createUser({ name: 'New', email: anEmail() }),
      () => api.renewInvitation({ id: invited.id }),
      () => api.updateUser({ id: max.user_id, email: anEmail() }),
      () => api.updateUser({ id: invited.id, email: anEmail() }),
    ]
    for (const way of ways) await expect(way()).toBeRefused(429)
    await api.createUser({ name: 'Scout', kind: 'agent' })
    await api.updateUser({ id: max.user_id, name: 'Maximilian' })
    const now = kith.time.now
    kith.time.now = new Date(now.getTime() + 24 * 60 * 60 * 1000 + 1)
    for (const way of ways) await way()
    kith.time.now = now
  })
})

describe('a new address of a member', () => {
  test('takes effect only when the link sent to it is opened', async () => {
    const { admin, api } = await newCompany()
    const max = await given.user(admin)
    const email = anEmail()
    const { user, confirmation } = await api.updateUser({ id: max.user_id, email, name: 'Maxine' })
    expect(user).toMatchObject({ name: 'Maxine', email: max.email, pending_email: email })
    expect(new URL(confirmation!.link!).pathname).toBe('/confirm-email')
    expect([await signsIn(max.email, givenPassword), await signsIn(email, givenPassword)]).toEqual([true, false])
    const token = tokenOf(confirmation!.link)
    expect(await visitor.getAccountLink({ token })).toMatchObject({ kind: 'email', email, name: 'Maxine' })
    await visitor.confirmEmail({ token })
    expect([await signsIn(max.email, givenPassword), await signsIn(email, givenPassword)]).toEqual([false, true])
    expect(await api.getUser({ id: max.user_id })).toMatchObject({ email, pending_email: null })
    await expect(visitor.confirmEmail({ token })).toBeRefused(404)
    const { items } = await api.listAuditEvents({ target_id: max.user_id })
    expect(items.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.email_change_requested', 'user.updated']),
    )
  })

  test('that signs in to another company is refused only when the link is opened, and nothing changes', async () => {
    const elsewhere = await given.company()
    const { admin, api } = await newCompany()
    const { confirmation } = await api.updateUser({ id: admin.user_id, email: elsewhere.email })
    await expect(visitor.confirmEmail({ token: tokenOf(confirmation!.link) })).toBeRefused(409)
    expect(await signsIn(admin.email, givenPassword)).toBe(true)
    expect(await signsIn(elsewhere.email, givenPassword)).toBe(true)
  })

  test('that a member already has is refused immediately, or when the link is opened if it was used since', async () => {
    const { admin, api } = await newCompany()
    const [max, zoe] = [await given.user(admin), await given.user(admin)]
    await expect(api.updateUser({ id: max.user_id, email: zoe.email })).toBeRefused(409)
    const email = anEmail()
    const { confirmation } = await api.updateUser({ id: max.user_id, email })
    await api.inviteUser({ email })
    await expect(visitor.confirmEmail({ token: tokenOf(confirmation!.link) })).toBeRefused(409)
    expect(await signsIn(max.email, givenPassword)).toBe(true)
  })

  test('replaces an earlier request, and can be cancelled by entering the old address', async () => {
    const { admin, api } = await newCompany()
    const { user_id: id, email } = await given.user(admin)
    const first = await api.updateUser({ id, email: anEmail() })
    const second = await api.updateUser({ id, email: anEmail() })
    await expect(visitor.confirmEmail({ token: tokenOf(first.confirmation!.link) })).toBeRefused(404)
    expect(await api.updateUser({ id, email })).toMatchObject({ user: { pending_email: null }, confirmation: null })
    await expect(visitor.confirmEmail({ token: tokenOf(second.confirmation!.link) })).toBeRefused(404)
  })

  test('who has not joined takes effect immediately, and the invitation to the old address stops working', async () => {
    const { api } = await newCompany()
    const { user, link } = await api.inviteUser({ email: anEmail() })
    const email = anEmail()
    const changed = await api.updateUser({ id: user.id, email })
    expect(changed).toMatchObject({ user: { email, state: 'invited' }, confirmation: null })
    await expect(accept(link)).toBeRefused(404)
    await accept((await api.renewInvitation({ id: user.id })).link)
    expect(await signsIn(email)).toBe(true)
  })
})

test('the migration releases addresses of people who never joined, and keeps all others', async () => {
  const { connection, pool } = await testDatabase({ from: 'template0' })
  const before = mkdtempSync(join(tmpdir(), 'kith-before-'))
  for (const name of readdirSync(migrationsFolder))
    if (name < '0007') copyFileSync(join(migrationsFolder, name), join(before, name))
  await migrate(connection, before)
  const [company, role, joined, invited] = Array.from({ length: 4 }, () => randomUUIDv7())
  await pool.query(`
    insert into companies (id, name) values ('${company}', 'Acme');
    insert into roles (company_id, id, name) values ('${company}', '${role}', 'Member');
    insert into users (company_id, id, role_id, name, email, password_hash) values
      ('${company}', '${joined}', '${role}', 'Joined', 'joined@example.com', 'hash'),
      ('${company}', '${invited}', '${role}', 'Invited', 'invited@example.com', null);
    insert into sign_in_emails (email, company_id, user_id) select email, company_id, id from users`)
  await migrate(connection)
  expect((await pool.query('select email from sign_in_emails')).rows).toEqual([{ email: 'joined@example.com' }])
  expect((await pool.query('select count(*)::int from users where email is not null')).rows).toEqual([{ count: 2 }])
})
