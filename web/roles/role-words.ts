import type { ObjectRights, Reach } from '../../contract/access.ts'
import type { ObjectShape } from '../records/schema.ts'
import { grantWords } from './grants.ts'
import { nameOfObject } from './rights.ts'
import type { Role } from './roles.ts'

/** What a role allows, in a line. */
export function roleInWords(role: Pick<Role, 'is_admin' | 'records' | 'grants'>, objects: ObjectShape[]) {
  const { is_admin, records, grants } = role
  if (is_admin) return 'May do everything, members and settings included.'
  const special = Object.keys(records).filter((object) => object !== '*')
  const parts = [rightsInWords(records['*']!)]
  if (special.length) parts.push(`Other rights on ${listed(special.map((key) => nameOfObject(key, objects)))}.`)
  if (grants.length) parts.push(`May also ${listed(grants.map((grant) => grantWords[grant].short))}.`)
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
