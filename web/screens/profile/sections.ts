import { pages } from '../../../contract/pages.ts'

// The contract's `/profile/:section`.
export const security = '/profile/security'
export const notifications = '/profile/notifications'
export const activity = '/profile/activity'
/** Where people make and delete their keys. */
export const apiConnectors = '/profile/api-connectors'

export const sections = [
  { to: pages.profile, label: 'Profile' },
  { to: security, label: 'Security' },
  { to: notifications, label: 'Notifications' },
  { to: activity, label: 'My changes' },
  { to: apiConnectors, label: 'API & Connectors' },
] as const
