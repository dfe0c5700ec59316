import * as z from 'zod'
import { own } from './own.ts'

/** Permissions a role can have beyond its rights on records. Admins have all of them. */
export const grants = [
  'records.export',
  'records.names',
  'messages.send',
  'channels.manage',
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

/** Rights a role needs on at least one object. The operation itself checks which object. */
export const recordAccesses = ['records.read', 'records.create', 'records.edit', 'records.delete'] as const
export type RecordAccess = (typeof recordAccesses)[number]
/** Objects that an operation may be for. */
export type BuiltInObject = 'deals' | 'leads'

/**
 * Who may call an operation.
 * public: anyone, in the web app or under /public. member: any user. admin: an Admin.
 * records.*: users with that right on at least one object. Anything else: users with that grant.
 */
export type Access = 'public' | 'member' | 'admin' | RecordAccess | Grant

/** Which records a right covers: all, only the user's own, or none. */
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

/** Rights by object key; `*` covers every object that is not listed. */
export const RecordRights = z
  .record(z.union([z.literal('*'), z.string().regex(/^[a-z][a-z0-9_]{0,62}$/)]), ObjectRights)
  .refine((rights) => '*' in rights, 'Add "*" with the rights for all other objects')
export type RecordRights = z.output<typeof RecordRights>

export const everything: ObjectRights = { read: 'all', create: true, edit: 'all', delete: 'all' }
export const memberRights: RecordRights = { '*': { ...everything, delete: 'own' } }
export const memberGrants: Grant[] = ['records.export', 'messages.send']

export const rightsOn = (rights: RecordRights, object: string): ObjectRights => own(rights, object) ?? rights['*']!
