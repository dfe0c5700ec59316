import * as z from 'zod'

/** What a role may be granted beyond its rights on records. An Admin has all of them. */
export const grants = [
  'records.export',
  'messages.send',
  'company.manage',
  'members.manage',
  'objects.manage',
  'webhooks.manage',
  'leads.manage',
  'lead_sending.manage',
  'audit.read',
  'requests.read',
] as const
export type Grant = (typeof grants)[number]

/**
 * Who may call an operation.
 * public: anyone, in the web app only. session: a signed-in person, in the web app only.
 * member: any user, by key or session. admin: an Admin. Otherwise: whoever holds that grant.
 */
export type Access = 'public' | 'session' | 'member' | 'admin' | Grant

/** On whose records: all, those of the user itself, or none. */
export const reaches = ['all', 'own', 'none'] as const
export type Reach = (typeof reaches)[number]

export const ObjectRights = z
  .strictObject({
    read: z.enum(reaches),
    create: z.boolean(),
    edit: z.enum(reaches),
    delete: z.enum(reaches),
  })
  .meta({ id: 'ObjectRights' })
export type ObjectRights = z.output<typeof ObjectRights>

/** The objects that every company has. */
export const builtInObjects = [
  'people',
  'organizations',
  'deals',
  'leads',
  'tasks',
  'notes',
  'activities',
  'products',
  'deal_lines',
] as const

/** Rights by the key of an object; `*` stands for every object that is not named. */
export const RecordRights = z
  .record(z.union([z.literal('*'), z.string().regex(/^[a-z][a-z0-9_]{0,62}$/)]), ObjectRights)
  .refine((rights) => '*' in rights, 'Say with * what holds for the other objects')
export type RecordRights = z.output<typeof RecordRights>

export const everything: ObjectRights = { read: 'all', create: true, edit: 'all', delete: 'all' }
export const memberRights: RecordRights = { '*': { ...everything, delete: 'own' } }
export const memberGrants: Grant[] = ['records.export', 'messages.send']

export const rightsOn = (rights: RecordRights, object: string): ObjectRights => rights[object] ?? rights['*']!
