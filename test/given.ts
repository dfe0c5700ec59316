// What a test starts from, said in one line.
import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto'
import type { Grant } from '../contract/shared/access.ts'
import { insertKey } from '../server/accounts/api-keys/queries.ts'
import { hashPassword } from '../server/accounts/credentials/passwords.ts'
import { enter } from '../server/accounts/sessions/queries.ts'
import { createCompany } from '../server/accounts/set-up/queries.ts'
import { findUserByEmail } from '../server/accounts/users/queries.ts'
import type { Context } from '../server/kernel/context.ts'
import { noNotes, taking } from '../server/kernel/pending-writes.ts'
import { type Db, transaction } from '../server/platform/db.ts'
import { copyModel, type Model, modelTime, modelValues, readModel } from './copied-company.ts'
import { timed } from './timed.ts'

/** What everybody signs in with who was given without a hash of their own. */
export const givenPassword = 'correct horse battery'
let hashed: Promise<string> | undefined
const givenHash = () => (hashed ??= hashPassword(givenPassword))

export type GivenUser = { company_id: string; user_id: string; email: string }

/** With views or without, once per test worker: all its databases have the same tables. */
const models: Partial<Record<`${boolean}`, Promise<Model>>> = {}
const rolledBack = new Error('rolled back')

export function givenFor(db: Db, now: () => Date) {
  const contextOn = (tx: Db, begin: (token: string) => void = () => {}): Context => {
    const web = { token: null, device: null, isLocal: true, begin, end: () => {}, rememberDevice: () => {} }
    const caller = { door: 'web' as const, request_id: randomUUID(), ip: '127.0.0.1', client: 'test', actor: null, web }
    return { ...caller, ...taking(noNotes(), caller), db: tx, now: now() }
  }
  const anEmail = () => `${randomBytes(6).toString('hex')}@example.com`

  /** A fresh company with its first Admin; without the shipped views, unless a test is about them. */
  async function company(
    values: { name?: string; adminName?: string; password_hash?: string; hasViews?: true } = {},
  ): Promise<GivenUser> {
    const email = anEmail()
    const { name = 'Acme', adminName = 'Ada Admin', password_hash = await givenHash() } = values
    const first = { company_name: name, name: adminName, email, password_hash }
    const ids = await timed('company', async () => copyModel(db, await modelWith(values.hasViews), first, now()))
    return { ...ids, email }
  }

  function modelWith(hasViews = false) {
    models[`${hasViews}`] ??= createModel(hasViews)
    return models[`${hasViews}`]!
  }

  /** Created by the product, read and rolled back. */
  async function createModel(hasViews: boolean) {
    let read: Model
    await transaction(db, async (tx) => {
      const ids = await createCompany({ ...contextOn(tx), now: modelTime }, modelValues)
      if (!hasViews) await tx.deleteFrom('views').where('company_id', '=', ids.company_id).execute()
      read = await readModel(tx, ids)
      throw rolledBack
    }).catch((error) => {
      if (error !== rolledBack) throw error
    })
    return read!
  }

  /** Another user of that company: a Member, or one with that role, or with a role that holds these grants. */
  async function user(
    { company_id }: GivenUser,
    values: { name?: string; role?: string; grants?: Grant[] } = {},
  ): Promise<GivenUser> {
    const email = anEmail()
    const user_id = randomUUIDv7()
    const { name = 'Max Member', role: roleName = 'Member', grants } = values
    const role_id = grants ? await role(company_id, grants) : await roleCalled(company_id, roleName)
    const password_hash = await givenHash()
    await db
      .insertInto('users')
      .values({ company_id, id: user_id, role_id, name, email, password_hash, created_at: now() })
      .execute()
    await db.insertInto('sign_in_emails').values({ email, company_id, user_id }).execute()
    return { company_id, user_id, email }
  }

  async function role(company_id: string, grants: Grant[]) {
    const id = randomUUIDv7()
    await db
      .insertInto('roles')
      .values({ company_id, id, name: `Role ${id}`, grants })
      .execute()
    return id
  }

  const roleCalled = async (company_id: string, name: string) => {
    const roles = db.selectFrom('roles').select('id').where('company_id', '=', company_id).where('name', '=', name)
    return (await roles.executeTakeFirstOrThrow()).id
  }

  const key = async (owner: GivenUser) => (await insertKey(db, owner, 'Test')).value

  async function deletedKey(owner: GivenUser) {
    const { id, value } = await insertKey(db, owner, 'Deleted')
    await db.updateTable('api_keys').set({ deleted_at: now() }).where('id', '=', id).execute()
    return value
  }

  async function session(owner: GivenUser) {
    let token = ''
    const user = await findUserByEmail(db, owner.email)
    await enter(
      contextOn(db, (fresh) => {
        token = fresh
      }),
      user!,
    )
    return token
  }

  return { company, user, key, deletedKey, session }
}
