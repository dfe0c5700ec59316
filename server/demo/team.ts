// Colleagues, an agent, and roles with different rights.
import { everything, type Grant, type ObjectRights, type RecordRights } from '../../contract/shared/access.ts'
import { insertKey } from '../accounts/api-keys/queries.ts'
import { hashPassword } from '../accounts/credentials/passwords.ts'
import { randomToken } from '../platform/secrets.ts'
import { createPeople } from './people.ts'
import type { MadeUser, Room, Team } from './story.ts'
import { idAt, workingTime } from './times.ts'

const readOnly: ObjectRights = { read: 'all', create: false, edit: 'none', delete: 'none' }
const ownOnly: ObjectRights = { ...everything, edit: 'own', delete: 'own' }
const editOnly: ObjectRights = { ...readOnly, edit: 'all' }

type NewRole = { name: string; description: string; grants: Grant[]; records: RecordRights; daysAgo: number }
const newRoles: NewRole[] = [
  {
    name: 'Sales lead',
    description: 'Runs the sales team: all records, members and the audit log',
    grants: ['records.export', 'messages.send', 'members.manage', 'audit.read'],
    records: { '*': everything },
    daysAgo: 61,
  },
  {
    name: 'Sales rep',
    description: 'Can see everything and change their own records',
    grants: ['messages.send'],
    records: { '*': ownOnly, products: readOnly },
    daysAgo: 61,
  },
  {
    name: 'Read only',
    description: 'Can see everything and change nothing',
    grants: [],
    records: { '*': readOnly },
    daysAgo: 61,
  },
  {
    name: 'Research agent',
    description: 'Completes people and organizations, and leaves notes',
    grants: [],
    records: {
      '*': { ...readOnly, read: 'none' },
      people: editOnly,
      organizations: editOnly,
      notes: { ...ownOnly, read: 'own' },
    },
    daysAgo: 26,
  },
]
/** Has not opened the invitation yet. */
export const stillInvited = 'Read only'
// No second Admin: one who cannot sign in would not help if the first one leaves.
const roleOfColleague = ['Sales lead', 'Sales rep', 'Sales rep', 'Sales rep', 'Member', 'Read only']

export async function fillTeam(room: Room): Promise<Team> {
  const random = room.random.fork('team')
  const roles = newRoles.map(({ daysAgo, ...role }) => {
    const at = workingTime(random, room.now, daysAgo)
    return { ...role, at, id: idAt(at) }
  })
  await addRoles(room, roles)
  const people = createPeople(room.random.fork('people'), room.home, roleOfColleague.length)
  const colleagues = people.map(({ name, mailbox }, index) => {
    const at = workingTime(random, room.now, 56 - index * random.int(3, 6))
    return { name, mailbox, id: idAt(at), role: roleOfColleague[index]!, at, invited_by: room.admin_id }
  })
  for (const late of colleagues.slice(-3)) late.invited_by = colleagues[0]!.id
  const arrived = workingTime(random, room.now, 22)
  const agent = { name: 'Scout', id: idAt(arrived), role: 'Research agent', at: arrived, invited_by: null }
  await addUsers(room, [
    ...colleagues.map((person) => ({ ...person, kind: 'person', email: `${person.mailbox}@${domainOf(room)}` })),
    { ...agent, kind: 'agent', email: null },
  ])
  const key = { name: 'Research', at: workingTime(random, room.now, 4) }
  const { id } = await insertKey(room.db, { company_id: room.company_id, user_id: agent.id }, key.name, { at: key.at })
  return { roles, colleagues, agent, key: { ...key, id } }
}

async function addRoles({ db, company_id }: Room, roles: (Omit<NewRole, 'daysAgo'> & { id: string })[]) {
  const values = roles.map(({ id, name, description, grants, records }) => ({
    company_id,
    id,
    name,
    description,
    grants,
    records: JSON.stringify(records),
  }))
  await db.insertInto('roles').values(values).execute()
}

type NewUser = MadeUser & { kind: string; email: string | null }

/** Those who work here have passwords that no one knows, so no one can sign in as one of them unless an Admin creates a link. */
async function addUsers({ db, company_id }: Room, users: NewUser[]) {
  const roles = await db.selectFrom('roles').select(['id', 'name']).where('company_id', '=', company_id).execute()
  const password_hash = await hashPassword(randomToken())
  const values = users.map(({ id, name, kind, email, role, invited_by, at }) => ({
    company_id,
    id,
    name,
    kind,
    email,
    role_id: roles.find(({ name }) => name === role)!.id,
    invited_by,
    created_at: at,
    password_hash: kind === 'person' && role !== stillInvited ? password_hash : null,
  }))
  await db.insertInto('users').values(values).execute()
}

/** Unique to this company, because an address can sign in to only one company. */
export function domainOf({ company_name, company_id }: Room) {
  const words = company_name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
  return `${words.replaceAll(' ', '-').slice(0, 30).replace(/-$/, '') || 'company'}-${company_id.slice(-6)}.example`
}
