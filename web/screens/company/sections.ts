import type { Grant } from '../../../contract/access.ts'
import { pages } from '../../../contract/pages.ts'

/** The pages of the Company area in their order, each but the first one of the contract's `/company/:section`. */
export const sections = {
  details: { to: pages.company, label: 'Details' },
  members: { to: '/company/members', label: 'Members' },
  roles: { to: '/company/roles', label: 'Roles', needs: 'members.manage' },
  objects: { to: '/company/objects', label: 'Objects and fields', needs: 'objects.manage' },
  mail: { to: '/company/mail', label: 'Mail', needs: 'admin' },
  keys: { to: '/company/api-keys', label: 'API keys', needs: 'members.manage' },
  audit: { to: '/company/audit-log', label: 'Audit log', needs: 'audit.read' },
  retention: { to: '/company/data-retention', label: 'Data retention', needs: 'admin' },
} as const satisfies Record<string, { to: `/company${string}`; label: string; needs?: Grant | 'admin' }>

/** The contract's patterns with an id or a key in them, as the router writes them. */
export const memberPage = '/company/members/$id'
export const rolePage = '/company/roles/$id'
export const objectPage = '/company/objects/$object'
/** In place of the id of a role. */
export const newRole = 'new'
