import { sql } from 'kysely'
import type { me } from '../../../contract/me.ts'
import type { members, userKinds } from '../../../contract/members.ts'
import type { Output } from '../../../contract/operation.ts'
import { everything, type Grant, grants, type RecordRights } from '../../../contract/shared/access.ts'
import { AppError } from '../../kernel/app-error.ts'
import { type Actor, actorOf, type Context } from '../../kernel/context.ts'
import type { Db } from '../../platform/db.ts'
import { readRights, refuseAbove } from '../roles/queries.ts'

/** The columns of an actor, for all queries that find one. */
export const actorColumns = `
  u.company_id, c.name as company_name, c.schema_version,
  u.id as user_id, u.name, u.email, u.kind, u.theme, u.language, u.time_zone, u.shortcuts, u.picture_id,
  u.away_from::text as away_from, u.away_until::text as away_until,
  r.name as role, r.is_admin, r.grants, r.records`
const ofUsers = `
  join roles r on r.company_id = u.company_id and r.id = u.role_id
  join companies c on c.id = u.company_id`
const isActive = 'u.deactivated_at is null and u.removed_at is null'
/** The actor of a key or session `k`. */
export const actorTables = `
  join users u on u.company_id = k.company_id and u.id = k.user_id and ${isActive} ${ofUsers}`

type Owner = Pick<Actor, 'company_id' | 'user_id'>

/** An active user. `also`: more columns of `users u`. */
export async function findActiveUser<Also extends object = object>(
  db: Db,
  { company_id, user_id }: Owner,
  also = sql``,
): Promise<(Actor & Also) | undefined> {
  const { rows } = await sql<Actor & Also>`
    select null as api_key_id, ${sql.raw(actorColumns)} ${also} from users u ${sql.raw(ofUsers)}
    where u.company_id = ${company_id} and u.id = ${user_id} and ${sql.raw(isActive)}`.execute(db)
  return rows[0]
}

/** For work that is done later on behalf of a user. */
export const findActorById = (db: Db, company_id: string, user_id: string): Promise<Actor | undefined> =>
  findActiveUser(db, { company_id, user_id })

export const grantsOf = (actor: Pick<Actor, 'is_admin' | 'grants'>): Grant[] =>
  actor.is_admin ? [...grants] : actor.grants
export const rightsOf = (actor: Pick<Actor, 'is_admin' | 'records'>): RecordRights =>
  actor.is_admin ? { '*': everything } : actor.records

export const meOf = (actor: Actor) =>
  ({
    id: actor.user_id,
    name: actor.name,
    email: actor.email,
    kind: actor.kind,
    role: actor.role,
    is_admin: actor.is_admin,
    grants: grantsOf(actor),
    records: rightsOf(actor),
    company_id: actor.company_id,
    company_name: actor.company_name,
    theme: actor.theme,
    language: actor.language,
    time_zone: actor.time_zone,
    shortcuts: actor.shortcuts,
    picture_id: actor.picture_id,
    away_from: actor.away_from,
    away_until: actor.away_until,
  }) as Output<typeof me.whoami>

export const usersOf = (context: Context) =>
  context.db
    .selectFrom('users')
    .innerJoin('roles', (join) =>
      join.onRef('roles.company_id', '=', 'users.company_id').onRef('roles.id', '=', 'users.role_id'),
    )
    .leftJoin('user_visits', (join) =>
      join.onRef('user_visits.company_id', '=', 'users.company_id').onRef('user_visits.user_id', '=', 'users.id'),
    )
    .select(['users.id', 'users.name', 'users.email', 'users.kind', 'users.picture_id', 'users.created_at'])
    .select(['roles.name as role', 'roles.is_admin', 'roles.grants', 'roles.records'])
    .select(['users.deactivated_at', 'users.totp_on_since', 'users.invited_by', 'user_visits.last_seen_at'])
    .select([
      sql<boolean>`users.password_hash is not null`.as('has_password'),
      sql<string | null>`users.away_from::text`.as('away_from'),
      sql<string | null>`users.away_until::text`.as('away_until'),
    ])
    .where('users.company_id', '=', actorOf(context).company_id)
    .where('users.removed_at', 'is', null)

type Row = Awaited<ReturnType<ReturnType<typeof usersOf>['executeTakeFirstOrThrow']>>

export const toUser = ({ is_admin, grants, records, ...row }: Row) => ({
  ...row,
  kind: row.kind as (typeof userKinds)[number],
  rights: readRights({ is_admin, grants, records }),
  state: stateOf(row),
})

export const hasNotJoined = sql<boolean>`(users.kind = 'person' and users.password_hash is null)`

/** A person who was added but has not chosen a password counts as invited. */
function stateOf({ deactivated_at, kind, has_password }: Pick<Row, 'deactivated_at' | 'kind' | 'has_password'>) {
  if (deactivated_at) return 'deactivated' as const
  return kind === 'agent' || has_password ? ('active' as const) : ('invited' as const)
}

export async function findUser(context: Context, id: string) {
  const user = await usersOf(context).where('users.id', '=', id).executeTakeFirst()
  if (!user) throw new AppError('not_found', 'User not found. List the users to get their IDs.')
  const [found] = await withPendingEmails(context, [toUser(user)])
  return found!
}

/** Adds the new addresses that users have not confirmed yet. */
export async function withPendingEmails<User extends { id: string }>(context: Context, users: User[]) {
  const links = await context.db
    .selectFrom('account_links')
    .select(['user_id', 'email'])
    .where('company_id', '=', actorOf(context).company_id)
    .where(sql<boolean>`user_id = any(${users.map(({ id }) => id)})`)
    .where('kind', '=', 'email')
    .where('expires_at', '>', context.now)
    .orderBy('created_at')
    .execute()
  const emails = new Map(links.map(({ user_id, email }) => [user_id, email]))
  return users.map((user) => ({ ...user, pending_email: emails.get(user.id) ?? null }))
}

/** A user of the company whom the caller may manage: one with no more rights than the caller. */
export async function reachable(context: Context, id: string) {
  const user = await findUser(context, id)
  refuseAbove(actorOf(context), { ...user.rights, name: user.role })
  return user
}

export type User = Awaited<ReturnType<typeof findUser>>

export const forManagers = (user: User): Output<typeof members.getUser> => ({
  id: user.id,
  name: user.name,
  kind: user.kind,
  role: user.role,
  state: user.state,
  picture_id: user.picture_id,
  away_from: user.away_from,
  away_until: user.away_until,
  email: user.email,
  pending_email: user.pending_email,
  created_at: user.created_at.toISOString(),
  last_seen_at: user.last_seen_at?.toISOString() ?? null,
  two_factor: user.totp_on_since !== null,
})

/**
 * Refuses to remove the last Admin who can sign in.
 * Locks all Admins, so that two concurrent demotions cannot each count on the other Admin.
 */
export async function holdLastAdmin(context: Context, leaving: string) {
  const { company_id } = actorOf(context)
  const { rows } = await sql<{ id: string; can_sign_in: boolean }>`
    select u.id, u.password_hash is not null as can_sign_in
    from users u join roles r on r.company_id = u.company_id and r.id = u.role_id
    where u.company_id = ${company_id} and r.is_admin and u.deactivated_at is null and u.removed_at is null
    order by u.id for update of u`.execute(context.db)
  if (!rows.some((admin) => admin.id === leaving)) return
  if (rows.some((admin) => admin.id !== leaving && admin.can_sign_in)) return
  throw new AppError('conflict', 'This is the last Admin who can sign in. Make someone else an Admin first.')
}

/** The user who signs in with this email address, with the password hash. */
export async function findUserByEmail(db: Db, email: string) {
  const found = db.selectFrom('sign_in_emails').select(['company_id', 'user_id']).where('email', '=', email)
  const owner = await found.executeTakeFirst()
  return owner && findActiveUser<{ password_hash: string | null }>(db, owner, sql`, u.password_hash`)
}
