import { type Grant, grants, type ObjectRights, type Reach } from '../../contract/shared/access.ts'
import type { ObjectShape } from '../records/data/schema.ts'
import { nameOfObject, type Role } from './roles.ts'

type Words = { label: string; about: string; short: string }

/** What a role may be allowed beyond records, for people. `short` completes "May also". */
export const grantWords: Record<Grant, Words> = {
  'records.export': {
    label: 'Export records',
    about: 'Download lists of the records they can see.',
    short: 'export records',
  },
  'records.names': {
    label: 'See names of linked records',
    about: 'Records they cannot open show their name instead of, for example, “Private organization”.',
    short: 'see the names of linked records',
  },
  'messages.send': {
    label: 'Send messages',
    about: 'Write to people outside the company from the inbox.',
    short: 'send messages',
  },
  'channels.manage': {
    label: 'Manage channels',
    about: "Connect and change the team's mailboxes, and manage labels. Personal mailboxes stay private.",
    short: 'manage channels',
  },
  'company.manage': {
    label: 'Manage the company',
    about: 'Change its details, logo, region and currencies. Mail and data retention are for Admins.',
    short: 'manage the company',
  },
  'members.manage': {
    label: 'Manage members',
    about:
      'Invite and remove people and agents, change their roles, create sign-in links and delete API keys. Only for members whose role has no more permissions than their own.',
    short: 'manage members',
  },
  'objects.manage': {
    label: 'Manage objects and fields',
    about: 'Add and change objects, fields and options.',
    short: 'manage objects and fields',
  },
  'webhooks.manage': {
    label: 'Manage webhooks',
    about: 'Choose which apps are notified of changes.',
    short: 'manage webhooks',
  },
  'leads.manage': {
    label: 'Manage website leads',
    about: 'Set up forms and other lead sources.',
    short: 'manage website leads',
  },
  'lead_sending.manage': {
    label: 'Manage lead sending',
    about: 'Choose who gets leads and at what price, see every delivery, and decide on returns.',
    short: 'manage lead sending',
  },
  'audit.read': {
    label: 'Read the audit log',
    about: 'See who signed in, and who changed keys, roles and settings.',
    short: 'read the audit log',
  },
  'requests.read': {
    label: 'Inspect requests',
    about: "See everyone's requests in the request inspector, without their content.",
    short: 'inspect requests',
  },
}

const ofEveryday: { name: string; grants: Grant[] }[] = [
  { name: 'Records', grants: ['records.export', 'records.names'] },
  { name: 'Messages', grants: ['messages.send'] },
]
const everyday = ofEveryday.flatMap((group) => group.grants)
export const grantGroups = [
  ...ofEveryday,
  { name: 'Administration', grants: grants.filter((grant) => !everyday.includes(grant)) },
]

/** What a role allows, in a line. */
export function roleInWords(role: Pick<Role, 'is_admin' | 'records' | 'grants'>, objects: ObjectShape[]) {
  const { is_admin, records, grants } = role
  if (is_admin) return 'Can do everything, including managing members and settings.'
  const special = Object.keys(records).filter((object) => object !== '*')
  const parts = [rightsInWords(records['*']!)]
  if (special.length) parts.push(`Exceptions for ${listed(special.map((key) => nameOfObject(key, objects)))}.`)
  if (grants.length) parts.push(`Can also ${listed(grants.map((grant) => grantWords[grant].short))}.`)
  return parts.join(' ')
}

/** `Reads and edits all records, deletes their own, creates new ones.` */
export function rightsInWords(rights: ObjectRights) {
  const verbs = { read: 'reads', edit: 'edits', delete: 'deletes' } as const
  const acts = Object.keys(verbs) as (keyof typeof verbs)[]
  const doing = (reach: Reach) => acts.filter((act) => rights[act] === reach).map((act) => verbs[act])
  const [all, own] = [doing('all'), doing('own')]
  const parts: string[] = []
  if (all.length) parts.push(`${listed(all)} all records`)
  if (own.length) parts.push(`${listed(own)} their own${all.length ? '' : ' records'}`)
  if (rights.create) parts.push(parts.length ? 'creates new ones' : 'creates records')
  if (!parts.length) return 'Sees no records.'
  const text = parts.join(', ')
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`
}

const listed = (words: string[]) => new Intl.ListFormat('en', { type: 'conjunction' }).format(words)
