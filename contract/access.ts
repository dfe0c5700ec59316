/** What a role may be granted beyond its rights on records. An Admin has all of them. */
export const grants = ['company.manage', 'members.manage', 'audit.read', 'requests.read'] as const
export type Grant = (typeof grants)[number]

/**
 * Who may call an operation.
 * public: anyone, in the web app only. session: a signed-in person, in the web app only.
 * member: any user, by key or session. admin: an Admin. Otherwise: whoever holds that grant.
 */
export type Access = 'public' | 'session' | 'member' | 'admin' | Grant
